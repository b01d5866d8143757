// The number of neighbouring elements that one atomic instruction handles.
#pragma once

#include "ir/tt/Dialect.h"

namespace gluond::passes {

// Fewer than `least` are updated by a loop: it loads a word, changes its part of it, and swaps the
// word if no other thread has changed it in between. If `least` is more than `most`, the chip has
// no instruction.
struct AtomicWidth {
  unsigned least = 1, most = 1;
  bool isLoop(int64_t elements) const { return elements < least; }
};

// `kind` is nullopt for a compare-and-swap. The target may be of any vendor.
AtomicWidth atomicWidth(std::optional<tt::RMWOp> kind, mlir::Type element, llvm::StringRef target);

} // namespace gluond::passes
