// Propagates known layouts to values whose layout is not chosen yet.
//
// Starting at the seeds, each encoding is propagated along defs and uses, and through control flow,
// until every reachable value has one. An op whose layout must equal another's (a binary operation)
// propagates it unchanged; one with a choice (a reshape) propagates a preference that may be
// overridden. Two different encodings for one value that cannot be overridden are a conflict;
// otherwise the first one is kept.
#pragma once

#include "passes/failure/PassFailure.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::passes {

using IsUnknown =
    llvm::function_ref<bool(mlir::Type)>; // whether the layout of a type is not chosen yet

struct LayoutSeed {
  mlir::Value value;
  mlir::Attribute encoding;
};

Result inferLayouts(mlir::FunctionOpInterface function, IsUnknown isUnknown,
                    llvm::ArrayRef<LayoutSeed> seeds);

// Fails at the first value whose layout is still unknown.
Result checkLayoutsKnown(mlir::ModuleOp module, IsUnknown isUnknown);

} // namespace gluond::passes
