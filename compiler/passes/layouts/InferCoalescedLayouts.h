// gluon's coalesced layouts become blocked ones that suit the global accesses they are used for
// (Triton's `gluon-infer-coalesced-encodings`).
#pragma once

#include "passes/failure/PassFailure.h"

#include <mlir/IR/BuiltinOps.h>

namespace gluond::passes {

// Calls that remain after inlining get what is known of their arguments as attributes of the
// callee's arguments, whether or not the module has coalesced layouts.
Result inferCoalescedLayouts(mlir::ModuleOp module);

} // namespace gluond::passes
