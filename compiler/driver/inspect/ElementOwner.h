// Which program, warp, lane and register writes an element of a tensor: where to look when a result
// is wrong there.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/launches/HostLaunch.h"
#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>

namespace gluond::driver {

struct ElementOwner {
  std::array<int64_t, 3> program = {};
  unsigned warp = 0, lane = 0, registerIndex = 0, block = 0; // block: CTA of the cluster
  std::string layout;                                        // of the tensor that is stored
  unsigned line = 0;                                         // 1-based, of the store; 0: not known
};
// "program (3, 0, 0), warp 1, lane 5, register 2 of gl.BlockedLayout(...), line 35"
std::string describe(const ElementOwner& owner);

// Of the argument's element, under the launch's numbers. Nothing where it does not follow from them
// (the address depends on memory, or on a later iteration of a loop), where it is written by TMA or
// not at all, or where finding it would take long. `launch` must have no unknowns.
std::optional<ElementOwner> ownerOf(const Snapshot& snapshot, const Variant& variant,
                                    const HostLaunch& launch, llvm::StringRef argument,
                                    llvm::ArrayRef<int64_t> index, Worker& worker,
                                    CancellationToken token = {});

} // namespace gluond::driver
