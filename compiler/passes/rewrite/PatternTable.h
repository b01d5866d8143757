// A set of rewrite patterns arranged for the greedy rewriter: the patterns to try for each op, best
// first.
//
// Built once per MLIRContext and set (a pattern set holds names that belong to a context);
// immutable afterwards.
#pragma once

#include <llvm/ADT/DenseMap.h>
#include <mlir/IR/PatternMatch.h>

namespace gluond::passes {

class PatternTable {
public:
  PatternTable() = default;
  explicit PatternTable(mlir::RewritePatternSet&& patterns);
  // In descending order of benefit; equal ones are in the order in which they were added.
  llvm::ArrayRef<const mlir::RewritePattern*> patternsFor(mlir::OperationName name) const {
    auto found = byOp_.find(name);
    return found == byOp_.end() ? llvm::ArrayRef<const mlir::RewritePattern*>() : found->second;
  }

private:
  std::vector<std::unique_ptr<mlir::RewritePattern>> patterns_;
  llvm::DenseMap<mlir::OperationName, llvm::SmallVector<const mlir::RewritePattern*, 4>> byOp_;
};

} // namespace gluond::passes
