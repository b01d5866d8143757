// Folds of arith that Triton's MLIR (24) has and ours (22) has not.
//
// They are installed as the arith dialect's own fold hook, which MLIR asks after the op's: so every
// user of Operation::fold sees them. foldOperation asks them first where that makes a difference.
#pragma once

#include <mlir/IR/Operation.h>

namespace gluond::passes {

// Loads arith into `context` and installs the folds; once per context, before anything is folded.
void installArithmeticFolds(mlir::MLIRContext& context);

// Operation::fold as Triton's MLIR does it: some ops of two constants give back an operand, not a
// new constant.
mlir::LogicalResult foldOperation(mlir::Operation* op,
                                  mlir::SmallVectorImpl<mlir::OpFoldResult>& results);

} // namespace gluond::passes
