// Which program, warp, lane and register writes an element of a tensor, to find the cause of a
// wrong result.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/launches/HostLaunch.h"
#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>

namespace gluond::driver {

struct ElementOwner {
  std::array<int64_t, 3> program = {};
  unsigned warp = 0, lane = 0, registerIndex = 0, block = 0; // `block` is the CTA in the cluster
  std::string layout;                                        // of the tensor; empty: a scalar
  std::string store;                                         // its line, in words; may be unknown
};
// "program (3, 0, 0), warp 1, lane 5, register 2 of gl.BlockedLayout(...), line 35"
std::string describe(const ElementOwner& owner);

// Returns the owner of an element of the argument under the launch's numbers. Returns nullopt if it
// does not follow from them (the address depends on memory, or on a later iteration of a loop), if
// TMA or nothing writes the element, or if finding it would take long. `launch` must be complete.
std::optional<ElementOwner> ownerOf(const Snapshot& snapshot, const Variant& variant,
                                    const HostLaunch& launch, llvm::StringRef argument,
                                    llvm::ArrayRef<int64_t> index, Worker& worker,
                                    CancellationToken token = {});

} // namespace gluond::driver
