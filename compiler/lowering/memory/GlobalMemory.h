// Between registers and global memory.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Powers of two: how many consecutive registers of a tensor of pointers point to consecutive
// elements, and how many of those go in one access, being aligned and under one mask.
struct AccessRuns {
  unsigned consecutive = 1, elements = 1;
};
// `mask` may be null.
AccessRuns accessRuns(FunctionEmitter& e, mlir::Value pointer, mlir::Value mask);

} // namespace gluond::lowering
