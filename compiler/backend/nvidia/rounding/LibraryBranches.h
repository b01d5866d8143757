// Functions of NVIDIA's library ask by a branch whether denormal numbers become zero, which only
// Triton's back end answers: the passes before it see the function's result in a block of its own.
// What such passes choose decides how sums of products are rounded.
#pragma once

#include <llvm/IR/Instruction.h>

namespace gluond::backend::nvidia {

// Whether Triton's passes see a branch there.
bool isFoundByBranch(const llvm::Instruction& instruction);

} // namespace gluond::backend::nvidia
