// What ops take of shared memory for themselves while they run: for passes::SharedMemory, here and
// in the lints' estimate.
#pragma once

#include <mlir/IR/Operation.h>

#include <cstdint>

namespace gluond::lowering {

// Bytes that an op's handler uses as scratch, and whether only within each warp.
int64_t scratchBytes(mlir::Operation* op);
bool scratchIsWithinWarp(mlir::Operation* op);

} // namespace gluond::lowering
