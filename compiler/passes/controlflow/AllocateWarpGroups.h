// Assigns warps and numbers of registers to the partitions of each warp_specialize (Triton's
// `tritongpu-allocate-warp-groups`; part of ttgir for AMD only).
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Sets ttg.total-num-warps; pads partitions to whole warp groups of four with idle warps.
void allocateWarpGroups(mlir::ModuleOp module);

} // namespace gluond::passes
