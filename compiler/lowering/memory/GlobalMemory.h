// Between registers and global memory.
#pragma once

#include "lowering/Emitter.h"

namespace gluond::lowering {

// How many consecutive registers go in one access: as many as are consecutive
// in memory, aligned, and under one mask. `mask` may be null.
unsigned accessElements(Emitter& e, mlir::Value pointer, mlir::Value mask);

} // namespace gluond::lowering
