// What is computed between two blocks under the same mask is computed before both, so that LLVM
// makes them one: otherwise each access under the mask has branches of its own.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class HoistBetweenMasksPass : public llvm::PassInfoMixin<HoistBetweenMasksPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
