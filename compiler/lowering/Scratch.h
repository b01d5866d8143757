// Counts the shared memory that ops use for themselves while they run. The lowering and the lints
// pass it to passes::SharedMemory.
#pragma once

#include "lowering/TargetEmitter.h"

namespace gluond::lowering {

// Bytes that the op's handler in the table uses as scratch.
int64_t scratchBytes(const HandlerTable& handlers, mlir::Operation* op);
// Whether it uses them within each warp only.
bool scratchIsWithinWarp(mlir::Operation* op);

} // namespace gluond::lowering
