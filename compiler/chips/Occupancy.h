// How many warps the registers of a chip are enough for, as CUDA's occupancy calculator and LLVM's
// AMDGPU back end count them: every part of a unit has registers of its own, and a warp's are
// handed out in steps. Registers are a thread's, of 32 bits. The chip must have limits.
#pragma once

#include "chips/Chip.h"

namespace gluond::chips {

// NVIDIA's warp groups: warps that issue a matrix product together and have the same number of
// registers, which the instruction setmaxnreg changes while they run, to these numbers.
constexpr unsigned warpsOfGroup = 4;
constexpr int32_t leastGroupRegisters = 24, mostGroupRegisters = 256, groupRegisterStep = 8;

// Returns the warps that one part of a unit (a sub-partition, a SIMD) can run at once.
int64_t warpsOfPart(const Chip& chip, int64_t registers);
// Returns those of a whole unit.
inline int64_t warpsOfUnit(const Chip& chip, int64_t registers) {
  return warpsOfPart(chip, registers) * partsOfUnit;
}
// Returns how many registers each thread of a program of `warps` warps can have.
int64_t registersOfProgram(const Chip& chip, int64_t warps);

} // namespace gluond::chips
