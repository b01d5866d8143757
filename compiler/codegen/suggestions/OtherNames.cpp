#include "codegen/suggestions/OtherNames.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

llvm::ArrayRef<OtherName> otherNames() {
  static constexpr OtherName rows[] = {
      // number types, as signatures, C and torch write them
      {"fp16", "float16"},
      {"half", "float16"},
      {"bf16", "bfloat16"},
      {"fp32", "float32"},
      {"float", "float32"},
      {"single", "float32"},
      {"fp64", "float64"},
      {"double", "float64"},
      {"bool", "int1"},
      {"char", "int8"},
      {"i8", "int8"},
      {"short", "int16"},
      {"i16", "int16"},
      {"int", "int32"},
      {"i32", "int32"},
      {"long", "int64"},
      {"i64", "int64"},
      {"float8_e5m2", "float8e5"},
      {"float8_e4m3fn", "float8e4nv"},
      // operations of torch, numpy, C and CUDA
      {"amax", "max"},
      {"amin", "min"},
      {"reduce_max", "max"},
      {"reduce_min", "min"},
      {"reduce_sum", "sum"},
      {"fmax", "maximum"},
      {"fmin", "minimum"},
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
      {"alloc_shared", "allocate_shared_memory"},
      {"shared_memory", "allocate_shared_memory"},
      {"make_shared", "allocate_shared_memory"},
  };
  return rows;
}

llvm::StringRef gluonNameFor(llvm::StringRef name) {
  const OtherName* row =
      llvm::find_if(otherNames(), [&](const OtherName& each) { return each.name == name; });
  return row == otherNames().end() ? llvm::StringRef() : llvm::StringRef(row->gluon);
}

} // namespace gluond::codegen
