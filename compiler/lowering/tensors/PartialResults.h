// Where the warps of a CTA leave their parts of results in shared memory, for reductions and scans
// along an axis that several warps share. A part has a number: its lowest bits say which warp along
// the axis it is of, the others of which result. The bits' order in memory decides how wide the
// accesses are and whether the lanes of a warp meet in banks.
#pragma once

#include "layout/linear/LinearLayout.h"

#include <mlir/IR/ValueRange.h>

namespace gluond::lowering {

struct PartialResults {
  unsigned bits = 0;                    // number of bits of a part's number
  unsigned warpBits = 0;                // the lowest ones, which say the warp along the axis
  unsigned accessBits = 0;              // an access has at most 2^accessBits parts
  llvm::ArrayRef<uint64_t> ofRegisters; // for each bit of a thread's result: its bits of the number
  llvm::ArrayRef<uint64_t> ofLanes;     // for each bit of the lane: its bits of the number
  bool inTurn = false;                  // a thread needs its results one after the other
};

// Returns `accessBits` for parts of these types: an access has 16 bytes.
unsigned accessBits(mlir::ValueRange operands);

// How many bits of a part's number (`ofRegisters`, the first) lie lowest in memory, so that a
// thread writes several results at once. It reads as many parts at once either way: of several
// results, or of several warps. Where results are needed in turn, those of warps, because a thread
// would keep the parts of all the results that it reads with the first; but not where the lanes,
// which then write one part each at the distance of a whole access, would meet in banks.
unsigned resultsTogether(const PartialResults& parts);

// The bits of a part's number in the order of their place in memory: those of one access, those in
// which the lanes of a warp differ (so that these use all banks), the rest.
llvm::SmallVector<unsigned> memoryOrder(const PartialResults& parts);

// The number with its bits in that order.
uint64_t inMemoryOrder(uint64_t number, llvm::ArrayRef<unsigned> order);

} // namespace gluond::lowering
