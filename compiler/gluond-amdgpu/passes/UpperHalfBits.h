// Takes the lowest bit of a word's upper half by one instruction, where halves of registers have
// names.
//
//     (x >> 16) & 1
//
// LLVM makes the shift a copy of half a register beside a half that is 0, and all the kernel's
// copies share that 0: what could be computed apart waits for one register, and the scheduler
// spreads it. Each rounding to bfloat16 asks for such a bit on chips without an instruction for it.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class UpperHalfBitsPass : public llvm::PassInfoMixin<UpperHalfBitsPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
