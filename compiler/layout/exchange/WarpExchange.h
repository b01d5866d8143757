// Plans the shuffles by which the lanes of a warp exchange a tensor's elements: the register that
// each lane provides, the lane that it reads from, and the values that it selects before and after.
//
// THE SCHEME. A conversion gives for each place (register r, lane l) of the result the place of its
// element: register A r ^ B l of lane C r ^ D l. A shuffle moves one register of every lane: a lane
// may read from any lane, but provides only one value to all readers. So there are three steps, all
// linear:
//
//     1. select before:  lane s takes register x ^ G s as its register x
//     2. shuffle k:      lane l reads register A' k from lane C k ^ D' l
//     3. select after:   result register r of lane l is what shuffle r ^ E l brought
//
// E is chosen such that D' = D ^ C E distinguishes all lanes that need different values; then G
// follows from what they need, and A' = A ^ G C. E and G are as small as possible: each is a sum of
// `Selection`s, "if an odd number of these lane bits is set, exchange registers that differ by
// this", and a selection costs one instruction per register. If the source holds copies in several
// lanes, a lane reads its own copy if it can, without a shuffle.
//
// NARROW ELEMENTS are packed several to a word: registers that move together for every lane (a
// space U with C U = 0 that no selection touches).
#pragma once

#include "layout/linear/LinearLayout.h"

namespace gluond::layout {

struct WarpExchange {
  struct Selection {
    uint64_t registers; // exchanged with registers whose number differs by this
    uint64_t lanes;     // in lanes with an odd number of these bits set
  };

  unsigned resultRegisterBits = 0;
  f2::ColumnVector packed, packedFrom; // U: bits of a word, as registers of the result and source
  f2::ColumnVector placeInWord;        // source register bit -> index of the element in its word
  llvm::SmallVector<Selection> before, after;
  f2::ColumnVector takes;     // A': result register bit -> source register
  f2::ColumnVector fromLanes; // C: result register bit -> lanes that it comes from
  f2::ColumnVector lanes;     // D': lane bit -> lane
  bool isOwnLane = false;     // D' is the identity

  // Returns the first element in a register's word, and the index of the register's element.
  uint64_t sourceWord(uint64_t source) const;
  uint64_t elementOf(uint64_t source) const { return f2::multiply(placeInWord, source); }
  uint64_t resultWord(uint64_t result) const;

  // Returns each thread's 32-bit shuffle instructions for elements of this width.
  int64_t shuffles(unsigned elementBits) const;
  int64_t selects(unsigned elementBits) const;
};

// Both layouts must have no zero register bases. Returns nullopt if elements leave their warp.
// `exchangedLanes` are bits of a lane's number that the chip exchanges by an instruction cheaper
// than a read of any lane: lanes that differ in them never read one lane together, where a
// selection can give both what they need.
std::optional<WarpExchange> warpExchange(const LinearLayout& from, const LinearLayout& to,
                                         unsigned elementBits, uint64_t exchangedLanes = 0);

// Whether shuffles are faster than shared memory and two barriers of the warp.
bool isFasterThanSharedMemory(const WarpExchange& exchange, const LinearLayout& from,
                              const LinearLayout& to, unsigned elementBits,
                              uint64_t exchangedLanes = 0);

} // namespace gluond::layout
