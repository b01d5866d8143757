// Folds of arith that Triton's MLIR (24) has and ours (22) lacks.
//
// They are installed as the arith dialect's own fold hook, which MLIR calls after the op's, for all
// users of Operation::fold. foldOperation calls them first where that makes a difference.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// Loads arith into `context` and installs the folds; call it once per context, before folding.
void installArithmeticFolds(mlir::MLIRContext& context);

// Operation::fold as in Triton's MLIR: some ops of two constants fold to an operand, not to a new
// constant.
mlir::LogicalResult foldOperation(mlir::Operation* op,
                                  mlir::SmallVectorImpl<mlir::OpFoldResult>& results);

} // namespace gluond::passes
