// The limits of an evaluation. No user program is trusted to end: every expression costs a step,
// every allocation counts, and the native stack is measured rather than guessed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gluond::evaluate {

struct Budget {
  uint64_t steps = 4'000'000;      // expressions and statements; about 50 ns each
  unsigned depth = 900;            // nested Python calls; beyond that RecursionError, as in Python
  size_t stackBytes = 4u << 20;    // native stack; beyond that RecursionError
  unsigned nesting = 400;          // nested values in native code; beyond that RecursionError
  size_t memoryBytes = 128u << 20; // objects and container growth
  unsigned integerBits = 1u << 16; // length of the longest int
  size_t nameBytes = 8u << 20;     // identifiers made while it runs (setattr, **kwargs)
  unsigned files = 1000;           // imported from the workspace
};

} // namespace gluond::evaluate
