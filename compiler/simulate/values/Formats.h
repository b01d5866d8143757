// Number formats, bit by bit as the hardware rounds them: to nearest, ties to even.
//
// Arithmetic on formats narrower than fp32 is done in fp32 and rounded once. For +, -, *, / and
// square roots that gives the correctly rounded result, because fp32 has more than twice their
// digits.
#pragma once

#include "simulate/values/Element.h"

#include <array>
#include <bit>
#include <cmath>
#include <cstring>

namespace gluond::simulate {

inline float halfToFloat(uint16_t half) {
  uint32_t magnitude = uint32_t(half & 0x7fff) << 13;
  // The exponent of fp32 is 112 larger; multiplying is right for subnormal numbers, too.
  uint32_t bits = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) * 0x1p112f);
  bits |= (half & 0x7c00) == 0x7c00 ? 0x7f800000u : 0u;
  return std::bit_cast<float>(bits | uint32_t(half & 0x8000) << 16);
}

inline uint16_t floatToHalf(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value), magnitude = bits & 0x7fffffff;
  // Normal numbers: round away 13 bits. Smaller ones: let the addition of 0.5 round.
  uint32_t normal = (magnitude + 0xfff + (magnitude >> 13 & 1) - (112u << 23)) >> 13;
  uint32_t subnormal = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3f000000;
  uint32_t half = magnitude < 0x38800000 ? subnormal : normal;
  half = magnitude >= 0x477ff000 ? 0x7c00 : half; // 65520 and more
  half = magnitude > 0x7f800000 ? 0x7fff : half;  // NaN
  return static_cast<uint16_t>(half | (bits >> 16 & 0x8000));
}

inline float bfloatToFloat(uint16_t bits) {
  return std::bit_cast<float>(uint32_t(bits) << 16);
}

inline uint16_t floatToBfloat(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  uint32_t rounded = (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
  return static_cast<uint16_t>((bits & 0x7fffffff) > 0x7f800000 ? 0x7fff : rounded);
}

// Returns the float without its lower 13 bits, which is what a matrix unit reads of an fp32 operand
// as tf32.
inline float toTf32(float value) {
  return std::bit_cast<float>(std::bit_cast<uint32_t>(value) & 0xffffe000);
}

// Rounds the float to tf32, to nearest, ties to even, as copies by a descriptor may do. Infinities
// and NaN stay.
inline float roundedToTf32(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if ((bits & 0x7f800000) == 0x7f800000) return toTf32(value);
  return toTf32(std::bit_cast<float>(bits + 0xfff + (bits >> 13 & 1)));
}

// The values of the 256 codes of an 8-bit format.
const std::array<float, 256>& smallFloats(Element element);
// The nearest code. What is too large becomes the largest finite number where `saturates`, as in
// the cvt.satfinite of NVIDIA's GPUs, else infinity (or NaN where there is none).
uint8_t toSmallFloat(Element element, float value, bool saturates = true);
// The value of a code of fp4 (e2m1), and the nearest code, saturated.
float fp4ToFloat(unsigned code);
unsigned floatToFp4(float value);

// Converts between the stored elements of a type and the numbers to calculate with.
template <Element element> struct Format;
template <typename T> struct PlainFormat {
  using Stored = T;
  using Number = T;
  static Number load(Stored stored) { return stored; }
  static Stored store(Number number) { return number; }
};
template <> struct Format<Element::I1> {
  using Stored = uint8_t;
  using Number = uint8_t;
  static Number load(Stored stored) { return stored & 1; }
  static Stored store(Number number) { return number & 1; }
};
template <> struct Format<Element::I8> : PlainFormat<uint8_t> {};
template <> struct Format<Element::I16> : PlainFormat<uint16_t> {};
template <> struct Format<Element::I32> : PlainFormat<uint32_t> {};
template <> struct Format<Element::I64> : PlainFormat<uint64_t> {};
template <> struct Format<Element::F32> : PlainFormat<float> {};
template <> struct Format<Element::F64> : PlainFormat<double> {};
template <> struct Format<Element::F16> {
  using Stored = uint16_t;
  using Number = float;
  static float load(uint16_t stored) { return halfToFloat(stored); }
  static uint16_t store(float number) { return floatToHalf(number); }
};
template <> struct Format<Element::BF16> {
  using Stored = uint16_t;
  using Number = float;
  static float load(uint16_t stored) { return bfloatToFloat(stored); }
  static uint16_t store(float number) { return floatToBfloat(number); }
};
template <Element element> struct SmallFormat {
  using Stored = uint8_t;
  using Number = float;
  static float load(uint8_t stored) { return smallFloats(element)[stored]; }
  static uint8_t store(float number) { return toSmallFloat(element, number); }
};
template <> struct Format<Element::E4M3> : SmallFormat<Element::E4M3> {};
template <> struct Format<Element::E5M2> : SmallFormat<Element::E5M2> {};
template <> struct Format<Element::E4M3Z> : SmallFormat<Element::E4M3Z> {};
template <> struct Format<Element::E5M2Z> : SmallFormat<Element::E5M2Z> {};
template <> struct Format<Element::E8M0> : SmallFormat<Element::E8M0> {};

template <Element element> struct Is {
  static constexpr Element value = element;
  using Format = simulate::Format<element>;
};
// Calls `visit` with Is<element>.
template <class Visit> auto visitElement(Element element, Visit visit) {
  switch (element) {
  case Element::I1:
    return visit(Is<Element::I1>());
  case Element::I8:
    return visit(Is<Element::I8>());
  case Element::I16:
    return visit(Is<Element::I16>());
  case Element::I32:
    return visit(Is<Element::I32>());
  case Element::I64:
    return visit(Is<Element::I64>());
  case Element::F16:
    return visit(Is<Element::F16>());
  case Element::BF16:
    return visit(Is<Element::BF16>());
  case Element::F32:
    return visit(Is<Element::F32>());
  case Element::F64:
    return visit(Is<Element::F64>());
  case Element::E4M3:
    return visit(Is<Element::E4M3>());
  case Element::E5M2:
    return visit(Is<Element::E5M2>());
  case Element::E4M3Z:
    return visit(Is<Element::E4M3Z>());
  case Element::E5M2Z:
    return visit(Is<Element::E5M2Z>());
  case Element::E8M0:
    break;
  }
  return visit(Is<Element::E8M0>());
}

// Returns one element as a number, whatever its type; integers are read as signed.
double numberAt(Element element, const void* at);
// Returns one element as an integer, extended by its sign (an i1 is 0 or 1).
int64_t integerAt(Element element, const void* at);
enum class Rounding : uint8_t { Nearest, TowardsZero, Down, Up };
void storeNumber(Element element, double number, void* at, Rounding rounding = Rounding::Nearest);

} // namespace gluond::simulate
