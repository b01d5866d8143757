// Sums and products of widened halves by v_fma_mix_f32, which widens its operands itself. LLVM
// knows that of fused multiplications and additions alone: a sum is x * 1 + y, and a product
// x * y + -0, which round alike and keep the signs of zeros.
//
// For chips that do not add two floats at once: RDNA 3 and 4.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class MixedPrecisionPass : public llvm::PassInfoMixin<MixedPrecisionPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
