// Number formats by the names that PTX has for them.
#pragma once

#include <cstdint>
#include <string>

namespace ptx {

enum class Format : uint8_t {
  F16,
  BF16,
  F32,
  F64,
  TF32,
  E4M3,
  E5M2,
  E2M3,
  E3M2,
  E2M1,
  UE8M0,
  UE4M3,
  S8,
  U8,
  S32
};

Format formatOf(const std::string& name);
unsigned bitsOf(Format format);
double numberOf(Format format, uint64_t bits);
// To the nearest, or towards zero; what is too large becomes infinite, or the largest number.
uint64_t bitsFor(Format format, double number, bool towardsZero = false, bool saturates = false);

} // namespace ptx
