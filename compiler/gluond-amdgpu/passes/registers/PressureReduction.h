// Where more values live than there are registers, computes an instruction that uses values up as
// soon as it can be computed.
//
// A kernel computes tensor by tensor: `x + y` loads all that a thread has of x, then all of y, and
// then adds. Added after the load of its second operand, a sum takes the place of one of the two,
// and half as many values live. LLVM's scheduler does not look that far, and its register allocator
// then searches for seconds, and spills.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class PressureReductionPass : public llvm::PassInfoMixin<PressureReductionPass> {
public:
  explicit PressureReductionPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

} // namespace gluond::amdgpu
