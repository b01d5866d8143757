// The cost of a load or store between registers and global memory: how wide each lane's access can
// be, and how many 32-byte sectors and 128-byte lines a warp's instruction touches.
//
// The memory system moves whole sectors. An instruction in which 32 lanes access 4 consecutive
// bytes each touches 4 sectors and uses all of them; with a stride of 128 bytes it touches 32 and
// uses an eighth of each.
#pragma once

#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

// The address of element (i, j, ...) of the tensor is base + sum of coordinate * stride.
struct GlobalTensor {
  llvm::SmallVector<int64_t, 4> strides; // in elements
  unsigned elementBits = 32;
  int64_t alignment = 16; // in bytes, of the base address alone
};

struct GlobalAccessCost {
  int64_t elements = 1;     // of one lane in one instruction
  int64_t bytes = 0;        // of one lane in one instruction
  int64_t instructions = 0; // of a warp for its whole part of the tensor
  // Summed over these instructions.
  int64_t sectors = 0, lines = 0;
  int64_t leastSectors = 0; // if its elements were consecutive
  double efficiency() const {
    return sectors ? static_cast<double>(leastSectors) / static_cast<double>(sectors) : 1.0;
  }
};

// Returns the most consecutive elements, up to 128 bits, that a lane holds in order in its
// registers and that have aligned consecutive addresses.
int64_t widestGlobalAccess(const LinearLayout& registers, const GlobalTensor& tensor);

// Returns the most consecutive elements along one dimension that a lane holds, in any order of its
// registers and whatever the addresses are.
int64_t longestRun(const LinearLayout& registers);

// Returns the exact cost for warp `warp` of CTA 0, at one step for each register and lane (up to
// 2^16 of them; further instructions are assumed to be like the first). Fails if strides do not
// match the rank.
OrError<GlobalAccessCost> globalAccessCost(const LinearLayout& registers,
                                           const GlobalTensor& tensor, unsigned warp = 0);

} // namespace gluond::layout
