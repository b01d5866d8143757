// AMD's transposing loads (ds_read_b64_tr_b16, ds_load_tr16_b128, ...): a warp reads a matrix from
// shared memory that lies there transposed, and when an access over linear layouts can use them.
//
// THE INSTRUCTION. Every lane names the address of a run of neighboring elements; lanes then
// exchange elements, so that a lane has one element of each of several runs. In bits: the lowest
// bits of a lane's number are the element within a run, and the bits of the lane that named the run
// are bits of the register and the other bits of the lane's number, in an order that is the
// instruction's own.
//
// WHEN. The lowest lane bits are offset bits within a run, and no other bit affects these. Which
// runs these are, and where, does not matter.
#pragma once

#include "chips/Chip.h"
#include "layout/access/MatrixAccess.h"

namespace gluond::layout {

struct TransposedLoad {
  llvm::StringLiteral name;      // "ds_read_b64_tr_b16"
  unsigned elementBits, runBits; // a run has 1 << runBits elements
  unsigned resultBits;           // a lane gets 1 << resultBits elements
  // For each bit of the number of the lane that names a run, lowest first: a bit of the register's
  // number, or, from `lane` on, a bit of the lane's number. Further bits are the lane's own.
  static constexpr unsigned lane = 16;
  unsigned sources[5];
};
// Returns null if the chip has none for elements of so many bits. Elements of 4 bits are pairs in
// bytes, one beside the other in memory and one beside the other in a lane: the loads repack them.
const TransposedLoad* transposedLoadOf(const chips::Chip& chip, unsigned elementBits);

// As a MatrixAccess with one matrix: `wordBits` are the register bits of an instruction's result.
std::optional<MatrixAccess> transposedAccess(const LinearLayout& toOffsets,
                                             const TransposedLoad& load,
                                             const Padding& padding = {});

} // namespace gluond::layout
