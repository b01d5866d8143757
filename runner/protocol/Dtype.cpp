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

// Converts floats of at most 16 bits. It has no branches, so that loops over it vectorize.
class SmallFloat {
public:
  explicit SmallFloat(const Dtype& type)
      : sign_(1u << (type.exponentBits + type.mantissaBits)), normal_(1u << type.mantissaBits),
        shift_(23 - type.mantissaBits), bias_(static_cast<uint32_t>(127 - type.bias) << 23),
        step_(std::ldexp(1.0f, 1 - type.bias - static_cast<int>(type.mantissaBits))) {
    if (type.special == Special::Ieee) infinity_ = sign_ - normal_;
    if (type.special == Special::Ieee) firstNan_ = infinity_ + 1;
    if (type.special == Special::FiniteNan) firstNan_ = sign_ - 1;
    if (type.special == Special::NegativeZeroNan) nan_ = sign_;
  }
  float operator()(uint32_t bits) const {
    uint32_t magnitude = bits & (sign_ - 1);
    float value = magnitude < normal_ ? static_cast<float>(static_cast<int32_t>(magnitude)) * step_
                                      : std::bit_cast<float>((magnitude << shift_) + bias_);
    value = magnitude == infinity_ ? std::numeric_limits<float>::infinity() : value;
    value =
        magnitude >= firstNan_ || bits == nan_ ? std::numeric_limits<float>::quiet_NaN() : value;
    return bits & sign_ ? -value : value;
  }

private:
  static constexpr uint32_t none = ~0u;
  uint32_t sign_, normal_; // the sign's bit, the smallest normal number
  uint32_t shift_, bias_;
  float step_; // between subnormal numbers
  uint32_t infinity_ = none, firstNan_ = none, nan_ = none;
};

template <typename Stored, typename Convert>
void convert(const char* bytes, size_t count, double* values, Convert number) {
  for (size_t i = 0; i < count; ++i) {
    Stored stored;
    std::memcpy(&stored, bytes + i * sizeof stored, sizeof stored);
    values[i] = static_cast<double>(number(stored));
  }
}

template <typename Stored> void convert(const char* bytes, size_t count, double* values) {
  convert<Stored>(bytes, count, values, [](Stored stored) { return stored; });
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
  double value;
  readElements(type, static_cast<const char*>(bytes), 1, &value);
  return value;
}

void readElements(const Dtype& type, const char* bytes, size_t count, double* values) {
  bool isSigned = type.kind == Kind::Signed;
  if (type.kind == Kind::Bool)
    return convert<uint8_t>(bytes, count, values, [](uint8_t bits) { return bits != 0; });
  if (type.kind != Kind::Float) {
    if (type.bytes == 1)
      return isSigned ? convert<int8_t>(bytes, count, values)
                      : convert<uint8_t>(bytes, count, values);
    if (type.bytes == 2)
      return isSigned ? convert<int16_t>(bytes, count, values)
                      : convert<uint16_t>(bytes, count, values);
    if (type.bytes == 4)
      return isSigned ? convert<int32_t>(bytes, count, values)
                      : convert<uint32_t>(bytes, count, values);
    return isSigned ? convert<int64_t>(bytes, count, values)
                    : convert<uint64_t>(bytes, count, values);
  }
  if (type.bytes == 8) return convert<double>(bytes, count, values);
  if (type.bytes == 4) return convert<float>(bytes, count, values);
  if (type.bytes == 2) return convert<uint16_t>(bytes, count, values, SmallFloat(type));
  return convert<uint8_t>(bytes, count, values, SmallFloat(type));
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
