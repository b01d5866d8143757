// Plans conversions within a warp by instructions that swap lanes between two registers: the lanes
// of one whose number has a bit set, and those of the other that have it not, change places. That
// is, a bit of the lane's number and a bit of the register's number change their meaning.
#pragma once

#include "layout/linear/LinearLayout.h"

namespace gluond::layout {

struct LaneSwaps {
  // Registers whose numbers differ in this bit, and the bit of the lane that they swap.
  struct Swap {
    uint64_t registers, lanes;
  };
  llvm::SmallVector<Swap> swaps; // one after the other
  // Elements of a word: bits of the number of a register, of the source and of the result.
  llvm::SmallVector<uint64_t> sourceWordBits, resultWordBits;
  // Of a register of the result: the register of the source's numbering that has it in the end.
  f2::ColumnVector takes;
};

// Returns the fewest swaps of lane bits among `swappable` for elements of this width, packed into
// words of 32 bits. Returns nullopt if other lanes change, if places are not permuted bit by bit,
// or if elements leave their warp. Both layouts must have no zero register bases.
std::optional<LaneSwaps> laneSwaps(const LinearLayout& from, const LinearLayout& to,
                                   unsigned elementBits, uint64_t swappable);

} // namespace gluond::layout
