// The padding of a shared buffer, for access analysis.
#pragma once

#include "layout/named/Layout.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::layout {

// After every `intervals[i]` elements, `paddings[i]` elements are unused.
struct Padding {
  llvm::SmallVector<int64_t, 2> intervals, paddings;
  // Whether runs of this many elements, aligned to their length, stay contiguous and aligned.
  bool keeps(int64_t elements) const {
    auto isWhole = [&](int64_t each) { return each % elements == 0; };
    return llvm::all_of(intervals, isWhole) && llvm::all_of(paddings, isWhole);
  }
};
inline Padding paddingOf(const Layout& shared) {
  const auto* padded = shared.as<PaddedShared>();
  if (!padded) return {};
  return {llvm::to_vector<2>(llvm::map_range(padded->intervals, [](int64_t each) { return each; })),
          llvm::to_vector<2>(llvm::map_range(padded->paddings, [](int64_t each) { return each; }))};
}

} // namespace gluond::layout
