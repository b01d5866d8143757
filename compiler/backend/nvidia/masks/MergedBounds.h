// Comparisons of one number with several bounds become one, where the same bounds serve several
// numbers of a thread:
//
//   c <= r & c < n   becomes  c < min(r + 1, n)      (the causal mask of a row)
//   0 <= c & c < n   becomes  c <u max(n, 0)         (the border of an image)
//
// The bound is computed once for all of them: half the comparisons, and no value that ptxas has to
// keep in one of the few predicates, or elsewhere where these do not suffice.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class MergedBounds : public llvm::PassInfoMixin<MergedBounds> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
