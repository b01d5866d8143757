// Takes the constants that can be added out of exclusive ors.
//
// A swizzled offset in shared memory, or the partner in an exchange, is `x ^ 20`. Where the lowest
// bits of x are known to be zero this is `(x ^ 16) + 4`: neighbours share the first part, and the
// instruction, or a wider one for all of them, adds the 4.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class SwizzledOffsetsPass : public llvm::PassInfoMixin<SwizzledOffsetsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
