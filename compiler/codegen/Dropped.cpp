#include "codegen/Dropped.h"

namespace gluond::codegen {

const DroppedName* findDropped(llvm::StringRef where, llvm::StringRef name) {
  static constexpr DroppedName rows[] = {
      {"gluon.language", "thread_barrier", "barrier", ""},
      {"shared_memory_descriptor", "subslice", "",
       "index(i) takes one entry of the first dimension, slice(start, length, dim) a part of one"},
      {"shared_memory_descriptor", "split", "",
       "slice(start, length, dim) takes a part of a dimension"},
      {"tensor_memory_descriptor", "subslice", "slice", ""},
      {"tensor_memory_descriptor", "split", "", "slice(start, length) takes a part of the columns"},
      {"nvidia.blackwell", "tcgen05_cp_smem_to_tmem", "tcgen05_copy", ""},
      {"nvidia.blackwell", "get_tmem_32x32b_reg_layout", "",
       "ask the descriptor: tmem.get_reg_layout()"},
      {"nvidia.blackwell", "get_tmem_reg_layout", "", "ask the descriptor: tmem.get_reg_layout()"},
      {"nvidia.blackwell", "get_tmem_scales_reg_layout", "",
       "ask the descriptor: tmem.get_reg_layout()"},
      {"nvidia.blackwell", "float2", "",
       "use add2, sub2, mul2, fma2, min2 and max2 of nvidia.blackwell on tensors"},
      {"hopper.mbarrier", "sync_cluster_init", "",
       "use cluster.barrier(relaxed=True) of nvidia.hopper"},
      {"hopper.mbarrier", "fence_init_release_cluster", "",
       "use cluster.barrier(relaxed=True) of nvidia.hopper"},
      {"rubin.mbarrier", "fence_init_release_cluster", "",
       "use cluster.barrier(relaxed=True) of nvidia.hopper"},
      {"hopper.cluster", "arrive", "", "cluster.barrier() arrives and waits"},
      {"hopper.cluster", "wait", "", "cluster.barrier() arrives and waits"},
      {"amd.cdna3", "buffer_atomic_rmw", "",
       "use buffer_atomic_add, buffer_atomic_max, ... by operation"},
      {"amd.cdna4", "buffer_atomic_rmw", "",
       "use buffer_atomic_add, buffer_atomic_max, ... by operation"},
      {"amd.cdna3", "buffer_load_to_shared", "", "use cdna4.async_copy.buffer_load_to_shared"},
      {"amd.cdna4", "buffer_load_to_shared", "", "use cdna4.async_copy.buffer_load_to_shared"},
      {"cdna4.async_copy", "async_wait", "wait_group", ""},
  };
  for (const DroppedName& row : rows)
    if (row.name == name && where.ends_with(row.where)) return &row;
  return nullptr;
}

} // namespace gluond::codegen
