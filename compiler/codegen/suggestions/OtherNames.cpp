#include "codegen/suggestions/OtherNames.h"

#include "language/types/TypeText.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

// The first of the names for it that the place has; "" if it has none.
static llvm::StringRef firstOf(llvm::ArrayRef<OtherName> rows, llvm::StringRef name,
                               llvm::function_ref<bool(llvm::StringRef)> has) {
  for (const OtherName& row : rows)
    if (row.name == name && has(row.gluon)) return row.gluon;
  return {};
}

llvm::ArrayRef<OtherName> otherNames() {
  static constexpr OtherName rows[] = {
      // number types, as C and NumPy write them
      {"single", "float32"},
      {"char", "int8"},
      {"short", "int16"},
      {"long", "int64"},
      // operations of torch, numpy, C and CUDA
      {"amax", "max"},
      {"amin", "min"},
      {"reduce_max", "max"},
      {"reduce_min", "min"},
      {"reduce_sum", "sum"},
      {"fmax", "maximum"},
      {"fmin", "minimum"},
      {"fabs", "abs"},
      {"fabsf", "abs"},
      {"fmaxf", "maximum"},
      {"fminf", "minimum"},
      {"expf", "exp"},
      {"exp2f", "exp2"},
      {"logf", "log"},
      {"log2f", "log2"},
      {"sqrtf", "sqrt"},
      {"rsqrtf", "rsqrt"},
      {"inv_sqrt", "rsqrt"},
      {"inverse_sqrt", "rsqrt"},
      {"ceil_div", "cdiv"},
      {"ceildiv", "cdiv"},
      {"iota", "arange"},
      {"select", "where"},
      {"block_id", "program_id"},
      {"pid", "program_id"},
      {"num_blocks", "num_programs"},
      {"debug_barrier", "barrier"},
      {"syncthreads", "barrier"},
      {"sync_threads", "barrier"},
      {"unsqueeze", "expand_dims"},
      {"alloc_shared", "allocate_shared_memory"},
      {"shared_memory", "allocate_shared_memory"},
      {"make_shared", "allocate_shared_memory"},
      {"local_alloc", "allocate_shared_memory"},
      {"smem", "allocate_shared_memory"},
      {"shared", "allocate_shared_memory"},
      {"atomicExch", "atomic_xchg"},
      {"atomic_exch", "atomic_xchg"},
      {"atomic_exchange", "atomic_xchg"},
      {"clip", "clamp"},
      {"convert", "convert_layout"},
      {"to_layout", "convert_layout"},
      {"set_layout", "convert_layout"},
      {"change_layout", "convert_layout"},
      {"print", "device_print"},
      {"debug_print", "device_print"},
      {"uint", "uint32"},
      {"byte", "uint8"},
      // layouts, as Triton's IR and earlier texts call them
      {"BlockedEncoding", "BlockedLayout"},
      {"SliceEncoding", "SliceLayout"},
      {"MmaLayout", "NVMMADistributedLayout"},
      {"MMALayout", "NVMMADistributedLayout"},
      {"NvidiaMmaLayout", "NVMMADistributedLayout"},
      {"NVMMALayout", "NVMMADistributedLayout"},
      {"SharedLayout", "SwizzledSharedLayout"},
      {"SwizzledLayout", "SwizzledSharedLayout"},
      {"NVMMASharedEncoding", "NVMMASharedLayout"},
      {"DotLayout", "DotOperandLayout"},
      {"LinearLayout", "DistributedLinearLayout"},
  };
  return rows;
}

llvm::StringRef gluonNameFor(llvm::StringRef name) {
  if (auto kind = language::scalarSpelled(name))
    if (llvm::StringRef gluon = language::scalarInfo(*kind).attribute; gluon != name) return gluon;
  return firstOf(otherNames(), name, [](llvm::StringRef) { return true; });
}

llvm::StringRef siblingFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has) {
  static constexpr OtherName rows[] = {
      {"mfma", "wmma"},
      {"wmma", "mfma"},
      {"mfma_scaled", "wmma_scaled"},
      {"wmma_scaled", "mfma_scaled"},
      {"dot", "mfma"},
      {"dot", "wmma"},
      {"mma", "mfma"},
      {"mma", "wmma"},
      {"async_load", "global_load_to_shared"},
      {"async_load", "global_to_shared"},
      {"async_copy_global_to_shared", "global_load_to_shared"},
      {"global_load_to_shared", "async_load"},
      {"global_load_to_shared", "global_to_shared"},
      {"global_to_shared", "global_load_to_shared"},
      {"wait", "async_wait"},
      {"wait", "wait_group"},
      {"wait_all", "wait_group"},
      {"async_wait", "wait_group"},
      {"wait_group", "async_wait"},
      {"commit", "commit_group"},
      {"tma", "tdm"},
      {"tdm", "tma"},
  };
  return firstOf(rows, name, has);
}

llvm::StringRef keywordFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has) {
  static constexpr OtherName rows[] = {
      // torch and numpy
      {"dim", "axis"},
      {"keepdim", "keep_dims"},
      {"keepdims", "keep_dims"},
      {"fill_value", "value"},
      {"size", "shape"},
      {"dims", "order"},
      {"default", "other"},
  // Triton's IR and its compiler
#define LAYOUT_FIELD(name, gluon) {#name, gluon},
#include "layout/named/FieldNames.def"
      {"op_idx", "operand_index"},
      {"element_type", "element_ty"},
      {"dtype", "element_ty"},
      // words for the same
      {"accumulator", "acc"},
      {"c", "acc"},
      {"accumulate", "use_acc"},
      {"async_", "is_async"},
      {"asynchronous", "is_async"},
      {"use_accumulator", "use_acc"},
      {"predicate", "pred"},
      {"barrier", "mbarrier"},
      {"mbarrier", "barrier"},
      {"bar", "barrier"},
      {"bytes", "size_bytes"},
      {"nbytes", "size_bytes"},
      {"parity", "phase"},
      {"ptr", "pointer"},
      {"pointer", "ptr"},
      {"cache", "cache_modifier"},
      {"coords", "coord"},
      {"offsets", "coord"},
  };
  return firstOf(rows, name, has);
}

} // namespace gluond::codegen
