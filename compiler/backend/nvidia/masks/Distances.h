// Comparisons of a thread's neighbouring numbers with one bound become comparisons of their
// distances with what is left from the first number to the bound:
//
//   (c | 3) < n   becomes  3 < max(n, 0) - c      (c is not negative)
//
// All of them need one register then, and ptxas computes a mask anew where it is used, in place of
// keeping it. Only for more masks than there are predicates (seven).
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class Distances : public llvm::PassInfoMixin<Distances> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
