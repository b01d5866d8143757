// Moves the constant parts of indices to the end of address calculations:
//
//   p[(x | 16) << 6][y]  becomes  p[x << 6][y] + 1024 elements.
//
// The neighbouring addresses of a thread then share all but a constant, which an access takes for
// nothing, and a loop keeps one pointer for all of them instead of one for each. LLVM's
// StraightLineStrengthReduce finds that too, at many times the cost.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class ConstantOffsets : public llvm::PassInfoMixin<ConstantOffsets> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
