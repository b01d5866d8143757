// Takes the constants that can be added out of exclusive ors and out of bits that are set.
//
// A swizzled offset in shared memory, or the partner in an exchange, is `x ^ 20`. Where the lowest
// bits of x are known to be zero this is `(x ^ 16) + 4`: neighbours share the first part, and the
// instruction, or a wider one for all of them, adds the 4.
//
// Four rows of a thread are at `x & 3`, and 4, 8 and 12 more: of the last one, where x is less than
// 16, LLVM makes `x | 12`, which shares nothing with the others. It becomes `(x & 3) + 12` again.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class SwizzledOffsetsPass : public llvm::PassInfoMixin<SwizzledOffsetsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
