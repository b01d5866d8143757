#include "simulate/operations/assembly/PtxTypes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/bit.h>

#include <algorithm>
#include <cmath>

namespace gluond::simulate::assembly {

std::optional<Type> typeOf(llvm::StringRef text) {
  Type type;
  llvm::StringRef base = text;
  if (base.consume_back("x4"))
    type.lanes = 4;
  else if (base.consume_back("x2"))
    type.lanes = 2;
  struct Named {
    llvm::StringLiteral name;
    char kind;
    unsigned bits;
    Element element = Type().element;
  };
  static constexpr Named rows[] = {{"f16", 'f', 16, Element::F16},
                                   {"bf16", 'f', 16, Element::BF16},
                                   {"f32", 'f', 32, Element::F32},
                                   {"f64", 'f', 64, Element::F64},
                                   {"e4m3", 'f', 8, Element::E4M3},
                                   {"e5m2", 'f', 8, Element::E5M2},
                                   {"ue8m0", 'f', 8, Element::E8M0},
                                   {"e2m1", '4', 4},
                                   {"tf32", 't', 32},
                                   {"pred", 'b', 1}};
  for (const Named& row : rows)
    if (base == row.name) {
      type.kind = row.kind;
      type.bits = row.bits;
      type.element = row.element;
      return type;
    }
  char kind = base.empty() ? 0 : base[0];
  if (kind != 'u' && kind != 's' && kind != 'b') return std::nullopt;
  unsigned bits = 0;
  if (base.drop_front().getAsInteger(10, bits)) return std::nullopt;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64 && bits != 128) return std::nullopt;
  type.kind = kind;
  type.bits = bits;
  type.element = bits == 8    ? Element::I8
                 : bits == 16 ? Element::I16
                 : bits == 32 ? Element::I32
                              : Element::I64;
  return type;
}

double realAt(const Type& type, uint64_t bits) {
  if (type.kind == '4') return static_cast<double>(fp4ToFloat(bits & 15));
  return numberAt(type.element, &bits);
}

uint64_t bitsOfReal(const Type& type, double number, Rounding rounding) {
  if (type.kind == '4') return floatToFp4(static_cast<float>(number));
  uint64_t bits = 0;
  storeNumber(type.element, number, &bits, rounding);
  return bits;
}

uint64_t read(const Thread& thread, const Operand& operand, const Type& type) {
  if (operand.kind == Operand::Kind::Immediate && operand.isReal)
    return bitsOfReal(type, std::bit_cast<double>(operand.immediate));
  uint64_t value = thread.read(operand) & maskOf(type.all());
  if (!operand.isNegated) return value;
  if (type.bits == 1) return ~value & 1;
  return type.isFloat() ? value ^ uint64_t(1) << (type.bits - 1)
                        : (uint64_t(0) - value) & maskOf(type.bits);
}

Modifiers takeModifiers(Parts& parts) {
  struct Flag {
    llvm::StringLiteral name;
    bool Modifiers::* member;
  };
  static constexpr Flag flags[] = {
      {"ftz", &Modifiers::flushes},      {"sat", &Modifiers::saturates},
      {"relu", &Modifiers::isRectified}, {"satfinite", &Modifiers::isFinite},
      {"approx", &Modifiers::isApprox},  {"full", &Modifiers::isApprox}};
  struct RoundingName {
    llvm::StringLiteral name;
    Rounding rounding;
    bool isToInteger = false;
  };
  static constexpr RoundingName roundings[] = {{"rn", Rounding::Nearest},
                                               {"rna", Rounding::Nearest},
                                               {"rz", Rounding::TowardsZero},
                                               {"rm", Rounding::Down},
                                               {"rp", Rounding::Up},
                                               {"rni", Rounding::Nearest, true},
                                               {"rzi", Rounding::TowardsZero, true},
                                               {"rmi", Rounding::Down, true},
                                               {"rpi", Rounding::Up, true}};
  Modifiers found;
  llvm::erase_if(parts, [&](llvm::StringRef part) {
    for (const Flag& row : flags)
      if (part == row.name) return found.*row.member = true;
    for (const RoundingName& row : roundings)
      if (part == row.name) {
        if (row.isToInteger)
          found.toInteger = row.rounding;
        else
          found.rounding = row.rounding;
        return true;
      }
    return part == "uni" || part == "aligned";
  });
  return found;
}

double finished(double number, const Type& type, const Modifiers& modifiers) {
  if (modifiers.saturates) number = number == number ? std::clamp(number, 0.0, 1.0) : 0.0;
  if (modifiers.isRectified && number == number) number = std::fmax(number, 0.0);
  constexpr double least = 0x1p-126; // normal
  if (modifiers.flushes && type.element == Element::F32 && std::fabs(number) < least)
    number = std::copysign(0.0, number);
  return number;
}

} // namespace gluond::simulate::assembly
