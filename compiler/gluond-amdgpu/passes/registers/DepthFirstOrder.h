// Computes the values between two accesses one after the other, each with all that leads to it.
//
// A kernel computes tensor by tensor: all exponents that a thread has, then all exponentials, then
// all sums. Element by element, what leads to a result is used up before the next one begins.
// LLVM's scheduler keeps the order that it finds as long as the registers suffice, and counts only
// how many programs fit, not the registers.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class DepthFirstOrderPass : public llvm::PassInfoMixin<DepthFirstOrderPass> {
public:
  explicit DepthFirstOrderPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

} // namespace gluond::amdgpu
