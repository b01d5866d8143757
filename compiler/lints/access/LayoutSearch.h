// Better layouts for an access: what a lint suggests as a fix. Candidates are tried and counted,
// never guessed.
#pragma once

#include "lints/access/Access.h"

namespace gluond::lints {

// Whether an access under this layout touches about as few sectors as it can.
bool isCoalesced(const layout::Layout& layout, const GlobalAccess& access, const Strides& strides);

// A blocked layout under which the access touches no more sectors than it must: the layout with its
// dimensions swapped if that does, else one made for the strides. Nothing where no layout does
// better (the block is too narrow along the contiguous dimension).
std::optional<layout::Layout> coalescedLayout(const layout::Layout& now, const GlobalAccess& access,
                                              const Strides& strides);

// A blocked layout with as many threads that holds each element of the shape once: what does not
// fit along one dimension goes to the others. Nothing where there are more threads than elements.
std::optional<layout::Layout> fittedLayout(const layout::Layout& now,
                                           llvm::ArrayRef<int64_t> shape);

// The swizzle with the fewest conflicts over all accesses to a buffer; nothing where none is better
// than `now`.
std::optional<layout::Layout> conflictFreeLayout(const layout::Layout& now,
                                                 llvm::ArrayRef<SharedMemoryAccess> accesses,
                                                 llvm::StringRef target);

} // namespace gluond::lints
