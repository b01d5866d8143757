// What the values of a kernel take of the registers that its threads have. Registers and words have
// 32 bits.
#pragma once

#include "chips/Chip.h"

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Function.h>

namespace gluond::amdgpu {

// Whether the block has enough instructions to fill the registers.
bool isLarge(const llvm::BasicBlock& block);

// Whether computing the value again costs less than keeping it: arithmetic of integers.
bool isCheap(const llvm::Instruction& instruction);

// The words of vector registers that hold the value. Truth values of lanes are kept in scalar
// registers.
int64_t vectorWords(const llvm::Value& value, const llvm::UniformityInfo& uniformity);

// The registers that each thread of a program of this size can have.
unsigned registersOf(const llvm::Function& function, const chips::Chip& chip);

} // namespace gluond::amdgpu
