// Finds better layouts for an access, which lints suggest as fixes. Candidates are evaluated, not
// guessed.
#pragma once

#include "lints/access/Access.h"

namespace gluond::lints {

// Whether an access with this layout touches close to the smallest possible number of sectors.
bool isCoalesced(const layout::Layout& layout, const GlobalAccess& access, const Strides& strides);

// Returns a blocked layout with which the access touches no more sectors than necessary: the layout
// with its dimensions swapped if that works, else one made for the strides. Returns nullopt if no
// layout is better (the block is too narrow along the contiguous dimension).
std::optional<layout::Layout> coalescedLayout(const layout::Layout& now, const GlobalAccess& access,
                                              const Strides& strides);

// Returns a blocked layout with as many threads that holds each element of the shape once; other
// dimensions take surplus threads. Returns nullopt if there are more threads than elements.
std::optional<layout::Layout> fittedLayout(const layout::Layout& now,
                                           llvm::ArrayRef<int64_t> shape);

// Returns the swizzle with the fewest conflicts over all accesses to a buffer, or nullopt if none
// is better than `now`.
std::optional<layout::Layout> conflictFreeLayout(const layout::Layout& now,
                                                 llvm::ArrayRef<SharedMemoryAccess> accesses,
                                                 llvm::StringRef target);

} // namespace gluond::lints
