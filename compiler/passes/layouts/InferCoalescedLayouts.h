// Replaces gluon's coalesced layouts by blocked ones that suit the global accesses that use them
// (Triton's `gluon-infer-coalesced-encodings`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// For calls that remain after inlining, what is known about their arguments becomes attributes of
// the callee's arguments, whether or not the module has coalesced layouts.
Result inferCoalescedLayouts(mlir::ModuleOp module);

} // namespace gluond::passes
