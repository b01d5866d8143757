// Words that are put together from bytes of other words, by v_perm_b32: one instruction takes any
// four bytes of two words, where LLVM would shift and combine them one by one.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class BytePermutationPass : public llvm::PassInfoMixin<BytePermutationPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
