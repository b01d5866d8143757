// A descriptor of a tensor in global memory, in 128 bytes: the fields that tensormap.replace sets,
// in this player's own order. Tests that describe a launch write the same bytes
// (tests/ptx/launches.py).
#pragma once

#include <cstdint>

namespace ptx {

struct TensorMap {
  uint64_t address;
  uint8_t rankLessOne, element, interleave, swizzle, fill, isIm2Col;
  uint16_t unused;
  uint32_t box[5], dims[5], elementStrides[5];
  uint32_t unused2;
  uint64_t strides[4]; // in bytes, of the second dimension and up
  int16_t lower[3], upper[3];
  uint16_t pixels, channels;
};
static_assert(sizeof(TensorMap) == 128);

// Where 16 bytes of shared memory lie that a swizzle of so many bytes moves.
constexpr uint64_t swizzled(uint64_t address, unsigned mode) { // 1: 32 bytes, 2: 64, 3: 128
  return address ^ ((address >> 7 & ((1u << mode) - 1)) << 4);
}

} // namespace ptx
