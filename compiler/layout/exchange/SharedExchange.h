// How a tensor passes through shared memory from one distributed layout to another: which element
// lies at which offset, so that both sides access it as widely as they can and no banks collide.
//
// THE CHOICE. Elements are numbered by tensor coordinates, vectors over F2. An offset's bits are,
// lowest first: the bits of one access (what both sides hold in registers, up to 16 bytes), the
// bits that choose a bank, the bits that choose a row of banks, and the repetitions. Lanes of one
// side collide exactly when some combination of them moves only within rows of banks. So the row
// bits are taken from a common complement of both sides' lanes: it exists as soon as the two are of
// one dimension (pair the vectors that only one of them has, a_i ^ b_i, and complete).
//
// Repetitions are register bits of both sides. Each repetition uses the same memory, after a
// barrier.
#pragma once

#include "layout/access/SharedAccess.h"
#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

struct SharedExchange {
  LinearLayout shared;         // offset -> tensor; one to one, of one CTA's part
  unsigned vectorBits = 0;     // log2 of the elements of an access that both sides can make
  unsigned repetitionBits = 0; // the highest bits of the offset
  // Register bits that the repetition's bits follow from are all there are: no lane or warp moves
  // them.
  int64_t elements() const { return shared.inSize(Dim::Offset) >> repetitionBits; }
};

// Both layouts without register bases that are zero, of the same tensor, equal in what a CTA holds.
// As few repetitions as keep the memory within `mostBytes` where that is possible. Nothing where
// elements would have to cross CTAs.
std::optional<SharedExchange> sharedExchange(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits, int64_t mostBytes);

// The same between the CTAs of a cluster: each stores what it holds in its own memory, all of it at
// once, and loads from the CTA that has it.
struct ClusterExchange {
  LinearLayout stores; // register, lane, warp of the source -> offset
  LinearLayout loads;  // register, lane, warp, block of the result -> offset, in the memory of ...
  LinearLayout blocks; // ... -> this CTA
  uint64_t ownBlocks;  // bits of the CTA's number that are the loader's own: CTAs with the same
  int64_t elements;    // of a CTA
};
std::optional<ClusterExchange> clusterExchange(const LinearLayout& from, const LinearLayout& to,
                                               unsigned elementBits);

// More memory than this is not taken for one conversion: it is repeated instead.
constexpr int64_t mostExchangeBytes = 32 << 10;

// What the threads of a conversion execute: gluond's own code for it. Counted per warp: each is one
// instruction of all its lanes.
struct ExchangeInstructions {
  int64_t shuffles = 0, selects = 0;  // instead of what follows, see WarpExchange.h
  int64_t stores = 0, storeBytes = 0; // st.shared or stmatrix, and what a lane moves in each
  int64_t loads = 0, loadBytes = 0;   // ld.shared or ldmatrix
  int64_t barriers = 0;
};
ExchangeInstructions exchangeInstructions(const SharedExchange& exchange, const LinearLayout& from,
                                          const LinearLayout& to, unsigned elementBits,
                                          const BankModel& model);

} // namespace gluond::layout
