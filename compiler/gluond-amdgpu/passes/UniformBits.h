// Makes words of conditions that are the same in all lanes where scalar instructions read them.
//
//     zext i1 %condition to i32
//
// LLVM makes such a word a vector register, even if the condition is a scalar's, and with it all
// the words of a tensor copy's descriptor, which it then reads back one by one. A ballot of the
// lanes stays in scalar registers.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class UniformBitsPass : public llvm::PassInfoMixin<UniformBitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
