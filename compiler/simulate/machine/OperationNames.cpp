#include "simulate/machine/OperationNames.h"

#include "ir/tt/Ops.h"

#include <llvm/ADT/StringMap.h>

namespace gluond::simulate {

namespace {

// Operations of the dialect `math` are not listed: their own names are those of Python's functions.
const llvm::StringMap<llvm::StringLiteral>& words() {
  static const llvm::StringMap<llvm::StringLiteral> table = {
      {"arith.addf", "addition"},
      {"arith.addi", "addition"},
      {"arith.bitcast", "bitcast"},
      {"arith.divf", "division"},
      {"arith.divsi", "division"},
      {"arith.divui", "division"},
      {"arith.extf", "conversion"},
      {"arith.fptosi", "conversion"},
      {"arith.fptoui", "conversion"},
      {"arith.maximumf", "maximum"},
      {"arith.maxnumf", "maximum"},
      {"arith.minimumf", "minimum"},
      {"arith.minnumf", "minimum"},
      {"arith.mulf", "multiplication"},
      {"arith.muli", "multiplication"},
      {"arith.negf", "negation"},
      {"arith.remf", "remainder"},
      {"arith.remsi", "remainder"},
      {"arith.remui", "remainder"},
      {"arith.select", "selection"},
      {"arith.sitofp", "conversion"},
      {"arith.subf", "subtraction"},
      {"arith.subi", "subtraction"},
      {"arith.truncf", "conversion"},
      {"arith.uitofp", "conversion"},
      {"amdg.buffer_atomic_rmw", "atomic operation"},
      {"amdg.buffer_load", "load"},
      {"amdg.buffer_store", "store"},
      {"amdg.scaled_upcast_fp4", "conversion"},
      {"amdg.scaled_upcast_fp8", "conversion"},
      {"amdg.upcast_mxfp", "conversion"},
      {"tt.atomic_cas", "compare-and-swap"},
      {"tt.atomic_rmw", "atomic operation"},
      {"tt.bitcast", "bitcast"},
      {"tt.clampf", "clamp"},
      {"tt.dot", "matrix product"},
      {"tt.dot_scaled", "scaled matrix product"},
      {"tt.elementwise_inline_asm", "inline assembly"},
      {"tt.fp_to_fp", "conversion"},
      {"tt.gather", "gather"},
      {"tt.load", "load"},
      {"tt.precise_divf", "division"},
      {"tt.precise_sqrt", "square root"},
      {"tt.reduce", "reduction"},
      {"tt.scan", "scan"},
      {"tt.store", "store"},
      {"ttg.async_copy_global_to_local", "asynchronous copy"},
      {"ttg.convert_layout", "layout conversion"},
      {"ttg.fp4_to_fp", "conversion"},
      {"ttg.local_gather", "gather from shared memory"},
      {"ttg.local_load", "load from shared memory"},
      {"ttg.local_scatter", "scatter to shared memory"},
      {"ttg.local_store", "store to shared memory"},
      {"ttng.async_tma_copy_global_to_local", "TMA load"},
      {"ttng.async_tma_copy_local_to_global", "TMA store"},
      {"ttng.async_tma_gather", "TMA gather"},
      {"ttng.async_tma_reduce", "TMA reduction"},
      {"ttng.async_tma_scatter", "TMA scatter"},
      {"ttng.tc_gen5_mma", "tcgen05 MMA"},
      {"ttng.tc_gen5_mma_scaled", "scaled tcgen05 MMA"},
      {"ttng.tmem_load", "load from tensor memory"},
      {"ttng.tmem_store", "store to tensor memory"},
      {"ttng.warp_group_dot", "wgmma"},
  };
  return table;
}

} // namespace

std::string operationName(mlir::Operation& op) {
  if (auto function = llvm::dyn_cast<tt::ExternElementwiseOp>(op))
    return "call of '" + function.getSymbol().str() + "'";
  llvm::StringRef name = op.getName().getStringRef();
  auto found = words().find(name);
  if (found != words().end()) return found->second.str();
  name.consume_front("math.");
  return name.str();
}

} // namespace gluond::simulate
