#include "runner/protocol/Dtype.h"

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace gluond::runner {

namespace {

using Kind = Dtype::Kind;
using Special = Dtype::Special;

constexpr Dtype rows[] = {
    {"fp16", Kind::Float, 2, 5, 10, 15, Special::Ieee, 1e-3, 1e-3},
    {"bf16", Kind::Float, 2, 8, 7, 127, Special::Ieee, 1.6e-2, 1e-2},
    {"fp32", Kind::Float, 4, 8, 23, 127, Special::Ieee, 1.3e-6, 1e-5},
    {"fp64", Kind::Float, 8, 11, 52, 1023, Special::Ieee, 1e-7, 1e-7},
    {"fp8e4nv", Kind::Float, 1, 4, 3, 7, Special::FiniteNan, 0.125, 0.02},
    {"fp8e5", Kind::Float, 1, 5, 2, 15, Special::Ieee, 0.25, 0.02},
    {"fp8e4b8", Kind::Float, 1, 4, 3, 8, Special::NegativeZeroNan, 0.125, 0.02},
    {"fp8e5b16", Kind::Float, 1, 5, 2, 16, Special::NegativeZeroNan, 0.25, 0.02},
    {"u1", Kind::Bool, 1, 0, 0, 0, Special::Ieee, 0, 0},
    {"i8", Kind::Signed, 1, 0, 0, 0, Special::Ieee, 0, 0},
    {"i16", Kind::Signed, 2, 0, 0, 0, Special::Ieee, 0, 0},
    {"i32", Kind::Signed, 4, 0, 0, 0, Special::Ieee, 0, 0},
    {"i64", Kind::Signed, 8, 0, 0, 0, Special::Ieee, 0, 0},
    {"u8", Kind::Unsigned, 1, 0, 0, 0, Special::Ieee, 0, 0},
    {"u16", Kind::Unsigned, 2, 0, 0, 0, Special::Ieee, 0, 0},
    {"u32", Kind::Unsigned, 4, 0, 0, 0, Special::Ieee, 0, 0},
    {"u64", Kind::Unsigned, 8, 0, 0, 0, Special::Ieee, 0, 0},
};
constexpr struct {
  const char *alias, *name;
} aliases[] = {
    {"f16", "fp16"},
    {"float16", "fp16"},
    {"half", "fp16"},
    {"bfloat16", "bf16"},
    {"f32", "fp32"},
    {"float32", "fp32"},
    {"float", "fp32"},
    {"f64", "fp64"},
    {"float64", "fp64"},
    {"i1", "u1"},
    {"int1", "u1"},
    {"bool", "u1"},
    {"int8", "i8"},
    {"int16", "i16"},
    {"int32", "i32"},
    {"int64", "i64"},
    {"uint8", "u8"},
    {"uint16", "u16"},
    {"uint32", "u32"},
    {"uint64", "u64"},
    {"f8e4m3", "fp8e4nv"},
    {"f8e5m2", "fp8e5"},
    {"e4m3", "fp8e4nv"},
    {"e5m2", "fp8e5"},
    {"float8e4nv", "fp8e4nv"},
    {"float8e5", "fp8e5"},
    {"float8_e4m3fn", "fp8e4nv"},
    {"float8_e5m2", "fp8e5"},
};

uint64_t bitsOf(const void* bytes, unsigned size) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, size);
  return bits;
}

double readSmallFloat(const Dtype& type, uint64_t bits) {
  unsigned total = 1 + type.exponentBits + type.mantissaBits;
  uint64_t exponentMask = (uint64_t{1} << type.exponentBits) - 1,
           mantissaMask = (uint64_t{1} << type.mantissaBits) - 1;
  bool negative = bits >> (total - 1) & 1;
  uint64_t exponent = bits >> type.mantissaBits & exponentMask, mantissa = bits & mantissaMask;
  double nan = std::numeric_limits<double>::quiet_NaN();
  if (type.special == Special::NegativeZeroNan && bits == uint64_t{1} << (total - 1)) return nan;
  if (type.special == Special::FiniteNan && exponent == exponentMask && mantissa == mantissaMask)
    return nan;
  if (type.special == Special::Ieee && exponent == exponentMask)
    return mantissa   ? nan
           : negative ? -std::numeric_limits<double>::infinity()
                      : std::numeric_limits<double>::infinity();
  double value =
      exponent
          ? std::ldexp(static_cast<double>(mantissa + mantissaMask + 1),
                       static_cast<int>(exponent) - type.bias - static_cast<int>(type.mantissaBits))
          : std::ldexp(static_cast<double>(mantissa),
                       1 - type.bias - static_cast<int>(type.mantissaBits));
  return negative ? -value : value;
}

uint64_t writeSmallFloat(const Dtype& type, double value) {
  unsigned total = 1 + type.exponentBits + type.mantissaBits;
  uint64_t sign = uint64_t{std::signbit(value)} << (total - 1);
  uint64_t exponentMask = (uint64_t{1} << type.exponentBits) - 1,
           mantissaMask = (uint64_t{1} << type.mantissaBits) - 1;
  uint64_t nan = type.special == Special::NegativeZeroNan ? uint64_t{1} << (total - 1)
                 : type.special == Special::FiniteNan
                     ? exponentMask << type.mantissaBits | mantissaMask
                     : exponentMask << type.mantissaBits | (mantissaMask / 2 + 1);
  if (std::isnan(value)) return nan;
  // The largest number's bits, and the bits beyond it.
  uint64_t largest =
      type.special == Special::Ieee        ? (exponentMask - 1) << type.mantissaBits | mantissaMask
      : type.special == Special::FiniteNan ? exponentMask << type.mantissaBits | (mantissaMask - 1)
                                           : exponentMask << type.mantissaBits | mantissaMask;
  uint64_t beyond = type.special == Special::Ieee ? exponentMask << type.mantissaBits : largest;
  double magnitude = std::fabs(value);
  if (std::isinf(value)) return sign | beyond;
  if (magnitude == 0) return type.special == Special::NegativeZeroNan ? 0 : sign;
  int exponent = std::max(std::ilogb(magnitude), 1 - type.bias);
  // In units of the last place; rint rounds to even.
  double units = std::rint(std::ldexp(magnitude, static_cast<int>(type.mantissaBits) - exponent));
  auto count = static_cast<uint64_t>(units);
  // A carry into the exponent, and out of the subnormals, is handled by the addition.
  uint64_t bits = count + (static_cast<uint64_t>(exponent + type.bias - 1) << type.mantissaBits);
  if (bits > largest) bits = beyond;
  if (type.special == Special::NegativeZeroNan && bits == 0) return 0;
  return sign | bits;
}

// Values beyond float's range become infinite, as in the hardware's conversion; C++ leaves it open.
float toFloat(double value) {
  constexpr double beyond = 0x1.ffffffp127; // halfway between the largest float and 2^128
  constexpr float infinite = std::numeric_limits<float>::infinity();
  if (std::fabs(value) >= beyond) return std::signbit(value) ? -infinite : infinite;
  return static_cast<float>(value);
}

} // namespace

const Dtype* findDtype(std::string_view name) {
  for (const auto& row : aliases)
    if (name == row.alias) name = row.name;
  for (const Dtype& row : rows)
    if (name == row.name) return &row;
  return nullptr;
}

double readElement(const Dtype& type, const void* bytes) {
  if (type.kind != Kind::Float) {
    int64_t value = readInteger(type, bytes);
    return type.kind == Kind::Unsigned && type.bytes == 8
               ? static_cast<double>(static_cast<uint64_t>(value))
               : static_cast<double>(value);
  }
  uint64_t bits = bitsOf(bytes, type.bytes);
  if (type.bytes == 4) return std::bit_cast<float>(static_cast<uint32_t>(bits));
  if (type.bytes == 8) return std::bit_cast<double>(bits);
  if (type.exponentBits == 8)
    return std::bit_cast<float>(static_cast<uint32_t>(bits << 16)); // bf16
  return readSmallFloat(type, bits);
}

void writeElement(const Dtype& type, double value, void* bytes) {
  if (type.kind != Kind::Float) {
    bool fits = value >= -0x1p63 && value < 0x1p63;
    writeInteger(type,
                 type.kind == Kind::Bool ? value != 0
                 : fits                  ? static_cast<int64_t>(value)
                                         : 0,
                 bytes);
    return;
  }
  uint64_t bits;
  if (type.bytes == 4)
    bits = std::bit_cast<uint32_t>(toFloat(value));
  else if (type.bytes == 8)
    bits = std::bit_cast<uint64_t>(value);
  else
    bits = writeSmallFloat(type, value);
  std::memcpy(bytes, &bits, type.bytes);
}

int64_t readInteger(const Dtype& type, const void* bytes) {
  uint64_t bits = bitsOf(bytes, type.bytes);
  if (type.kind == Kind::Bool) return bits != 0;
  if (type.kind == Kind::Unsigned || type.bytes == 8) return static_cast<int64_t>(bits);
  unsigned shift = 64 - 8 * type.bytes;
  return static_cast<int64_t>(bits << shift) >> shift;
}

void writeInteger(const Dtype& type, int64_t value, void* bytes) {
  if (type.kind == Kind::Bool) value = value != 0;
  std::memcpy(bytes, &value, type.bytes);
}

} // namespace gluond::runner
