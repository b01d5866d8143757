// Pairs of floats and small integers by instructions that compute two at once: LLVM's vectorizer of
// straight lines. It is the slowest of all passes and looks at every store and reduction, therefore
// only at functions with arithmetic that the chip has packed.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class PackedArithmeticPass : public llvm::PassInfoMixin<PackedArithmeticPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
