// What ops take of shared memory for themselves while they run: for passes::SharedMemory, here and
// in the lints' estimate.
#pragma once

#include "lowering/TargetEmitter.h"

namespace gluond::lowering {

// Bytes that the op's handler in the table uses as scratch.
int64_t scratchBytes(const HandlerTable& handlers, mlir::Operation* op);
// Whether it uses them within each warp only.
bool scratchIsWithinWarp(mlir::Operation* op);

} // namespace gluond::lowering
