// Counters of loops that run a known number of times are as wide as addresses, where addresses
// follow from them. LLVM's LoopStrengthReduce keeps one counter for both, of 64 bits, and would
// compare its lower half with the end: ptxas does not see then how often the loop runs, and does
// not unroll it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class WideCounters : public llvm::PassInfoMixin<WideCounters> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
