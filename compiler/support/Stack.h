// Measures the native stack that is left. Code that recurses with the nesting of user input (trees,
// values, types, layouts) checks this first, and stops with a diagnostic instead of crashing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gluond {

// The reserve for code called at the deepest place: error paths, printing, libraries that do not
// check.
inline constexpr size_t stackReserveBytes = 1u << 20;

// Returns the end of the calling thread's stack plus the reserve, computed once per thread.
uintptr_t lowestFrame();

// Returns true if less than the reserve is left. It costs one comparison. Thread-safe.
inline bool isStackLow() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < lowestFrame();
}

} // namespace gluond
