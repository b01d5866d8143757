#include "Numbers.h"

#include "Module.h"
#include "simulate/values/Formats.h"

#include <array>
#include <bit>
#include <cmath>

namespace ptx {

namespace formats = gluond::simulate;
using formats::Element;

Format formatOf(const std::string& name) {
  static const std::map<std::string, Format> table = {
      {"f16", Format::F16},   {"bf16", Format::BF16},   {"f32", Format::F32},
      {"f64", Format::F64},   {"tf32", Format::TF32},   {"e4m3", Format::E4M3},
      {"e5m2", Format::E5M2}, {"e2m3", Format::E2M3},   {"e3m2", Format::E3M2},
      {"e2m1", Format::E2M1}, {"ue8m0", Format::UE8M0}, {"ue4m3", Format::UE4M3},
      {"s8", Format::S8},     {"u8", Format::U8},       {"s32", Format::S32}};
  auto found = table.find(name);
  if (found == table.end()) refuse("a number format that is not known: " + name);
  return found->second;
}

unsigned bitsOf(Format format) {
  constexpr uint8_t bits[] = {16, 16, 32, 64, 32, 8, 8, 6, 6, 4, 8, 8, 8, 8, 32};
  return bits[unsigned(format)];
}

namespace {

// Formats of 6 bits have neither infinities nor NaN.
double smallNumber(uint64_t bits, unsigned exponentBits, unsigned mantissaBits) {
  int bias = (1 << (exponentBits - 1)) - 1,
      exponent = int(bits >> mantissaBits & ((1u << exponentBits) - 1));
  double mantissa = double(bits & ((1u << mantissaBits) - 1)) / (1 << mantissaBits);
  double magnitude =
      exponent ? std::ldexp(1 + mantissa, exponent - bias) : std::ldexp(mantissa, 1 - bias);
  return bits >> (exponentBits + mantissaBits) & 1 ? -magnitude : magnitude;
}

uint64_t smallBits(double number, unsigned exponentBits, unsigned mantissaBits) {
  uint64_t best = 0;
  double distance = INFINITY, magnitude = std::fabs(number);
  for (uint64_t code = 0; code < 1u << (exponentBits + mantissaBits); ++code) {
    double away = std::fabs(smallNumber(code, exponentBits, mantissaBits) - magnitude);
    if (away < distance || (away == distance && !(code & 1))) best = code, distance = away;
  }
  return best | uint64_t(std::signbit(number)) << (exponentBits + mantissaBits);
}

} // namespace

double numberOf(Format format, uint64_t bits) {
  switch (format) {
  case Format::F16:
    return formats::halfToFloat(uint16_t(bits));
  case Format::BF16:
    return formats::bfloatToFloat(uint16_t(bits));
  case Format::F32:
    return std::bit_cast<float>(uint32_t(bits));
  case Format::TF32:
    return formats::toTf32(std::bit_cast<float>(uint32_t(bits)));
  case Format::F64:
    return std::bit_cast<double>(bits);
  case Format::E4M3: {
    static const auto& table = formats::smallFloats(Element::E4M3);
    return table[bits & 0xff];
  }
  case Format::UE4M3:
    return numberOf(Format::E4M3, bits & 0x7f);
  case Format::E5M2: {
    static const auto& table = formats::smallFloats(Element::E5M2);
    return table[bits & 0xff];
  }
  case Format::UE8M0:
    return (bits & 0xff) == 0xff ? std::nan("") : std::ldexp(1.0, int(bits & 0xff) - 127);
  case Format::E2M3:
    return smallNumber(bits & 0x3f, 2, 3);
  case Format::E3M2:
    return smallNumber(bits & 0x3f, 3, 2);
  case Format::E2M1:
    return formats::fp4ToFloat(unsigned(bits & 0xf));
  case Format::S8:
    return int8_t(bits);
  case Format::U8:
    return uint8_t(bits);
  case Format::S32:
    return int32_t(bits);
  }
  return 0;
}

uint64_t bitsFor(Format format, double number, bool towardsZero, bool saturates) {
  // Towards zero: the nearest, and one code back where that is beyond.
  auto towards = [&](uint64_t bits) {
    if (towardsZero && std::fabs(numberOf(format, bits)) > std::fabs(number)) --bits;
    return bits;
  };
  auto narrow = float(number);
  switch (format) {
  case Format::F16: {
    uint64_t bits = towards(formats::floatToHalf(narrow));
    if (saturates && (bits & 0x7fff) == 0x7c00) bits = (bits & 0x8000) | 0x7bff;
    return bits;
  }
  case Format::BF16: {
    uint64_t bits = towards(formats::floatToBfloat(narrow));
    if (saturates && (bits & 0x7fff) == 0x7f80) bits = (bits & 0x8000) | 0x7f7f;
    return bits;
  }
  case Format::F32:
    return std::isnan(number) ? 0x7fffffff : towards(std::bit_cast<uint32_t>(narrow));
  case Format::F64:
    return std::bit_cast<uint64_t>(number);
  case Format::TF32: { // to the nearest, ties away from zero
    uint32_t bits = std::bit_cast<uint32_t>(narrow);
    if ((bits & 0x7f800000) != 0x7f800000 && !towardsZero) bits += 0x1000;
    return bits & 0xffffe000;
  }
  case Format::E4M3:
    return formats::toSmallFloat(Element::E4M3, narrow, saturates);
  case Format::E5M2:
    return formats::toSmallFloat(Element::E5M2, narrow, saturates);
  case Format::E2M1:
    return formats::floatToFp4(narrow);
  case Format::E2M3:
    return smallBits(number, 2, 3);
  case Format::E3M2:
    return smallBits(number, 3, 2);
  case Format::UE8M0: {
    if (std::isnan(number)) return 0xff;
    if (!(number > 0)) return 0;
    int exponent;
    double mantissa = std::frexp(number, &exponent); // in [0.5, 1)
    int code = exponent - 1 + 127 + (mantissa > 0.5 && !towardsZero ? 1 : 0);
    return uint64_t(code < 0 ? 0 : code > 254 ? 254 : code);
  }
  default:
    refuse("a format that nothing is converted to");
  }
}

} // namespace ptx
