#include "codegen/suggestions/FormerNames.h"

namespace gluond::codegen {

const FormerName* findFormerName(llvm::StringRef where, llvm::StringRef name) {
  static constexpr FormerName rows[] = {
      {"gluon.language", "thread_barrier", "barrier", ""},
      {"shared_memory_descriptor", "subslice", "",
       "use index(i) for one entry of the first dimension, or slice(start, length, dim) for a part "
       "of a dimension"},
      {"shared_memory_descriptor", "split", "",
       "use slice(start, length, dim) for a part of a dimension"},
      {"tensor_memory_descriptor", "subslice", "slice", ""},
      {"tensor_memory_descriptor", "split", "",
       "use slice(start, length) for a part of the columns"},
      {"nvidia.blackwell", "tcgen05_cp_smem_to_tmem", "tcgen05_copy", ""},
      {"nvidia.blackwell", "get_tmem_32x32b_reg_layout", "",
       "use the method of the descriptor: tmem.get_reg_layout()"},
      {"nvidia.blackwell", "get_tmem_reg_layout", "",
       "use the method of the descriptor: tmem.get_reg_layout()"},
      {"nvidia.blackwell", "get_tmem_scales_reg_layout", "",
       "use the method of the descriptor: tmem.get_reg_layout()"},
      {"nvidia.blackwell", "float2", "",
       "use add2, sub2, mul2, fma2, min2 and max2 of nvidia.blackwell on tensors"},
      {"hopper.mbarrier", "sync_cluster_init", "",
       "use cluster.barrier(relaxed=True) of nvidia.hopper"},
      {"hopper.mbarrier", "fence_init_release_cluster", "",
       "use cluster.barrier(relaxed=True) of nvidia.hopper"},
      {"rubin.mbarrier", "fence_init_release_cluster", "",
       "use cluster.barrier(relaxed=True) of nvidia.hopper"},
      {"hopper.cluster", "arrive", "", "use cluster.barrier(), which arrives and waits"},
      {"hopper.cluster", "wait", "", "use cluster.barrier(), which arrives and waits"},
      {"amd.cdna3", "buffer_atomic_rmw", "",
       "use the function for the operation: buffer_atomic_add, buffer_atomic_max, ..."},
      {"amd.cdna4", "buffer_atomic_rmw", "",
       "use the function for the operation: buffer_atomic_add, buffer_atomic_max, ..."},
      {"amd.cdna3", "buffer_load_to_shared", "", "use cdna4.async_copy.buffer_load_to_shared"},
      {"amd.cdna4", "buffer_load_to_shared", "", "use cdna4.async_copy.buffer_load_to_shared"},
      {"cdna4.async_copy", "async_wait", "wait_group", ""},
  };
  for (const FormerName& row : rows)
    if (row.name == name && where.ends_with(row.where)) return &row;
  return nullptr;
}

} // namespace gluond::codegen
