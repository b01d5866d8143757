// Plans the conversion of a tensor from one distributed layout to another through shared memory: it
// finds an offset for each element, such that both sides have the widest accesses and no bank
// conflicts.
//
// THE CHOICE. Elements are numbered by tensor coordinates, vectors over F2. An offset's bits are,
// lowest first: the bits of one access (what both sides hold in registers, up to 16 bytes), the
// bits that choose a bank, the bits that choose a row of banks, and the repetitions. Lanes of one
// side collide exactly when some combination of them moves only within rows of banks. So the row
// bits are taken from a common complement of both sides' lanes: it exists as soon as the two are of
// one dimension (pair the vectors that only one of them has, a_i ^ b_i, and complete). The lowest
// bits may also be what one side alone accesses at once, or the row of a matrix.
//
// Repetitions are register bits of both sides. Each repetition reuses the same memory after a
// barrier.
#pragma once

#include "layout/access/SharedAccess.h"
#include "layout/tolinear/ToLinearLayout.h"

namespace gluond::layout {

struct SharedExchange {
  LinearLayout shared;         // offset -> tensor; one to one, for one CTA's part
  unsigned vectorBits = 0;     // log2 of the elements per access, on both sides
  unsigned repetitionBits = 0; // the highest bits of the offset
  // The bits that determine the repetition are all register bits: no lane or warp bit affects
  // them.
  int64_t elements() const { return shared.inSize(Dim::Offset) >> repetitionBits; }
};

// Both layouts must have no zero register bases, be for the same tensor, and agree in what a CTA
// holds. Uses as few repetitions as keep the memory within `mostBytes`, if possible. Returns
// nullopt if elements would have to cross CTAs.
std::optional<SharedExchange> sharedExchange(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits, int64_t mostBytes);

// The one of several such choices that takes the fewest wavefronts and instructions, among them
// those whose 16-byte rows suit ldmatrix or stmatrix if the chip has them. It uses as much memory
// as the above.
std::optional<SharedExchange> sharedExchange(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits, int64_t mostBytes,
                                             const BankModel& model);

// The same between the CTAs of a cluster: each CTA stores all its elements in its own memory at
// once, and loads from the CTA that has the needed ones.
struct ClusterExchange {
  LinearLayout stores; // register, lane, warp of the source -> offset
  LinearLayout loads;  // register, lane, warp, block of the result -> offset, in the memory of ...
  LinearLayout blocks; // ... -> this CTA
  uint64_t ownBlocks;  // bits of the CTA number in which the source CTA is the loader itself
  int64_t elements;    // per CTA
};
std::optional<ClusterExchange> clusterExchange(const LinearLayout& from, const LinearLayout& to,
                                               unsigned elementBits);

// The limit of memory for one conversion; larger ones are repeated instead.
constexpr int64_t mostExchangeBytes = 32 << 10;
// The same for the threads of a layout. A multiprocessor of NVIDIA divides one memory between the
// programs' shared memory and the cache in which loads wait for their data: one that is full of
// threads keeps half of it for the cache if each exchanges this much.
constexpr int64_t mostExchangeBytesOfThread = 64;
int64_t exchangeLimit(const LinearLayout& layout, const BankModel& model);

// The instructions that threads execute for a conversion in gluond's own code, counted per warp:
// each is one instruction of all its lanes.
struct ExchangeInstructions {
  int64_t swaps = 0;                  // alternative to the rest, see LaneSwaps.h
  int64_t shuffles = 0, selects = 0;  // alternative to the rest, see WarpExchange.h
  int64_t stores = 0, storeBytes = 0; // st.shared or stmatrix, and bytes per lane in each
  int64_t loads = 0, loadBytes = 0;   // ld.shared or ldmatrix
  int64_t barriers = 0;
};
ExchangeInstructions exchangeInstructions(const SharedExchange& exchange, const LinearLayout& from,
                                          const LinearLayout& to, unsigned elementBits,
                                          const BankModel& model);

} // namespace gluond::layout
