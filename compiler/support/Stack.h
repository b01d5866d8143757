// How much native stack is left. Everything that recurses as the user's input nests (trees, values,
// types, layouts) asks before it goes deeper, and gives up with a diagnostic instead of crashing.
#pragma once

#include <cstddef>
#include <cstdint>

namespace gluond {

// What must stay free for the code that is called from the deepest place: error paths, printing,
// libraries that do not ask.
inline constexpr size_t stackReserveBytes = 1u << 20;

// Where the stack of the calling thread ends, plus the reserve. Found once per thread.
uintptr_t lowestFrame();

// True when less than the reserve is left. Costs a comparison; any thread.
inline bool isStackLow() {
  return reinterpret_cast<uintptr_t>(__builtin_frame_address(0)) < lowestFrame();
}

} // namespace gluond
