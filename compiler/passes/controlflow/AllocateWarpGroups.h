// Which warps run which partition of each warp_specialize, and with how many registers
// (Triton's `tritongpu-allocate-warp-groups`; part of ttgir for AMD only).
#pragma once

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Sets ttg.total-num-warps; pads partitions to whole warp groups of four with idle ones.
void allocateWarpGroups(mlir::ModuleOp module);

} // namespace gluond::passes
