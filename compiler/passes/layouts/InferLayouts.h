// Spreads layouts that are known over values whose layout is yet to be chosen.
//
// From the seeds each encoding flows along defs and uses, through control flow too, until every
// value it reaches has one. An op that takes its layout from another exactly (a binary operation)
// hands it on as it is; one that could take several (a reshape) hands on a preference that gives
// way. Two encodings for one value, neither of which gives way, are a conflict; otherwise the one
// that came first stays.
#pragma once

#include "passes/failure/PassFailure.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <mlir/IR/BuiltinOps.h>
#include <mlir/Interfaces/FunctionInterfaces.h>

namespace gluond::passes {

using IsUnknown =
    llvm::function_ref<bool(mlir::Type)>; // whether the layout of a type is yet to be chosen

struct LayoutSeed {
  mlir::Value value;
  mlir::Attribute encoding;
};

Result inferLayouts(mlir::FunctionOpInterface function, IsUnknown isUnknown,
                    llvm::ArrayRef<LayoutSeed> seeds);

// Fails at the first value that is still unknown.
Result checkLayoutsKnown(mlir::ModuleOp module, IsUnknown isUnknown);

} // namespace gluond::passes
