// Addresses whose offsets from each other are constant are computed from one of them.
//
// The elements of a thread are at `x | 256`, `(x | 256) | (y | 16)` and so on, as 32-bit numbers,
// which LLVM extends, scales and adds to the pointer one by one: five instructions and two
// registers for each access. Added after the extension, to the address, the constant is part of the
// instruction that accesses memory, or one addition for several of them.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class ConstantOffsetsPass : public llvm::PassInfoMixin<ConstantOffsetsPass> {
public:
  explicit ConstantOffsetsPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

} // namespace gluond::amdgpu
