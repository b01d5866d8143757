#include "simulate/values/Formats.h"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace gluond::simulate {

namespace {

struct SmallKind {
  unsigned mantissaBits;
  int bias;
  bool hasInfinity;    // and NaNs above it, as IEEE has them
  bool isUnsignedZero; // the code of negative zero is the only NaN
};

constexpr SmallKind kindOf(Element element) {
  switch (element) {
  case Element::E4M3:
    return {3, 7, false, false};
  case Element::E5M2:
    return {2, 15, true, false};
  case Element::E4M3Z:
    return {3, 8, false, true};
  default:
    return {2, 16, false, true};
  }
}

float decode(Element element, unsigned code) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  if (element == Element::E8M0) return code == 255 ? nan : std::ldexp(1.0f, int(code) - 127);
  SmallKind kind = kindOf(element);
  unsigned magnitude = code & 0x7f, mantissa = magnitude & ((1u << kind.mantissaBits) - 1);
  int exponent = static_cast<int>(magnitude >> kind.mantissaBits);
  if (kind.isUnsignedZero && code == 0x80) return nan;
  if (!kind.isUnsignedZero && !kind.hasInfinity && magnitude == 0x7f) return nan;
  float value;
  if (kind.hasInfinity && exponent == 0x7f >> kind.mantissaBits)
    value = mantissa ? nan : std::numeric_limits<float>::infinity();
  else if (exponent == 0)
    value = std::ldexp(static_cast<float>(mantissa), 1 - kind.bias - int(kind.mantissaBits));
  else
    value = std::ldexp(static_cast<float>(mantissa | 1u << kind.mantissaBits),
                       exponent - kind.bias - int(kind.mantissaBits));
  return code & 0x80 ? -value : value;
}

template <Element element> const std::array<float, 256>& table() {
  static const auto values = [] {
    std::array<float, 256> all;
    for (unsigned code = 0; code < 256; ++code)
      all[code] = decode(element, code);
    return all;
  }();
  return values;
}

constexpr float fp4Values[] = {0, 0.5f, 1, 1.5f, 2, 3, 4, 6};

// The nearest of ascending values, ties to the even place.
template <class Value> unsigned nearest(unsigned count, float value, Value valueOf) {
  unsigned low = 0, high = count - 1;
  while (low < high) { // the first that is not smaller
    unsigned middle = (low + high) / 2;
    if (valueOf(middle) < value)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || valueOf(low) == value) return low;
  float below = value - valueOf(low - 1), above = valueOf(low) - value;
  if (below == above) return low & 1 ? low - 1 : low;
  return below < above ? low - 1 : low;
}

} // namespace

const std::array<float, 256>& smallFloats(Element element) {
  switch (element) {
  case Element::E4M3:
    return table<Element::E4M3>();
  case Element::E5M2:
    return table<Element::E5M2>();
  case Element::E4M3Z:
    return table<Element::E4M3Z>();
  case Element::E5M2Z:
    return table<Element::E5M2Z>();
  default:
    return table<Element::E8M0>();
  }
}

uint8_t toSmallFloat(Element element, float value, bool saturates) {
  const std::array<float, 256>& values = smallFloats(element);
  if (element == Element::E8M0) {
    if (std::isnan(value)) return 255;
    return static_cast<uint8_t>(nearest(255, value, [&](unsigned code) { return values[code]; }));
  }
  SmallKind kind = kindOf(element);
  uint8_t nan = kind.isUnsignedZero ? 0x80 : 0x7f;
  if (std::isnan(value)) return nan;
  unsigned finite = kind.hasInfinity ? 0x7c : kind.isUnsignedZero ? 0x80 : 0x7f; // codes
  float magnitude = std::fabs(value), largest = values[finite - 1];
  uint8_t sign = std::signbit(value) ? 0x80 : 0;
  if (magnitude > largest) {
    // Half a step above the largest number rounds to what would come next.
    float step = largest - values[finite - 2];
    bool rounds = std::isinf(value) || magnitude >= largest + step / 2;
    if (rounds && !saturates) return kind.hasInfinity ? static_cast<uint8_t>(0x7c | sign) : nan;
    return static_cast<uint8_t>((finite - 1) | sign);
  }
  auto code = nearest(finite, magnitude, [&](unsigned each) { return values[each]; });
  if (kind.isUnsignedZero && code == 0) sign = 0;
  return static_cast<uint8_t>(code | sign);
}

float fp4ToFloat(unsigned code) {
  float value = fp4Values[code & 7];
  return code & 8 ? -value : value;
}

unsigned floatToFp4(float value) {
  if (std::isnan(value)) return 7;
  float magnitude = std::min(std::fabs(value), 6.0f);
  unsigned code = nearest(8, magnitude, [](unsigned each) { return fp4Values[each]; });
  return code | (std::signbit(value) ? 8u : 0u);
}

double numberAt(Element element, const void* at) {
  return visitElement(element, [&](auto is) -> double {
    using F = typename decltype(is)::Format;
    typename F::Stored stored;
    std::memcpy(&stored, at, sizeof stored);
    auto number = F::load(stored);
    if constexpr (std::is_floating_point_v<decltype(number)>)
      return static_cast<double>(number);
    else
      return static_cast<double>(integerAt(decltype(is)::value, at));
  });
}

int64_t integerAt(Element element, const void* at) {
  switch (bytesOf(element)) {
  case 1: {
    int8_t value;
    std::memcpy(&value, at, 1);
    return element == Element::I1 ? value & 1 : value;
  }
  case 2: {
    int16_t value;
    std::memcpy(&value, at, 2);
    return value;
  }
  case 4: {
    int32_t value;
    std::memcpy(&value, at, 4);
    return value;
  }
  default: {
    int64_t value;
    std::memcpy(&value, at, 8);
    return value;
  }
  }
}

// The value was rounded to the nearest: goes one code back where that went in another direction.
static void stepBack(Element element, double number, void* at, Rounding rounding) {
  double stored = numberAt(element, at);
  bool isAway = rounding == Rounding::TowardsZero ? std::fabs(stored) > std::fabs(number)
                : rounding == Rounding::Down      ? stored > number
                                                  : stored < number;
  if (!isAway) return;
  unsigned bytes = bytesOf(element);
  uint64_t code = 0, sign = element == Element::E8M0 ? 0 : uint64_t(1) << (bytes * 8 - 1);
  std::memcpy(&code, at, bytes);
  if (!(code & ~sign) && sign) // zero: the smallest number on the other side
    code = rounding == Rounding::Down ? sign | 1 : 1;
  else if (rounding == Rounding::TowardsZero || (rounding == Rounding::Down) == !(code & sign))
    --code;
  else
    ++code;
  std::memcpy(at, &code, bytes);
}

void storeNumber(Element element, double number, void* at, Rounding rounding) {
  visitElement(element, [&](auto is) {
    using F = typename decltype(is)::Format;
    using Number = typename F::Number;
    typename F::Stored stored;
    if constexpr (std::is_floating_point_v<Number>)
      stored = F::store(static_cast<Number>(number));
    else
      stored = F::store(static_cast<Number>(static_cast<int64_t>(number)));
    std::memcpy(at, &stored, sizeof stored);
  });
  if (rounding != Rounding::Nearest && isFloat(element)) stepBack(element, number, at, rounding);
}

} // namespace gluond::simulate
