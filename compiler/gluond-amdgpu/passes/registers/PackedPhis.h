// Values narrower than a register that come from several blocks together stay together.
//
// A loop's tensor of halves is a value for each element, so that LLVM takes the register that two
// of them share apart before the loop, keeps two registers, and puts them together at each use.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class PackedPhisPass : public llvm::PassInfoMixin<PackedPhisPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
