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
  auto real = [&](Element element) -> std::optional<Type> {
    type.kind = 'f';
    type.bits = bytesOf(element) * 8;
    type.element = element;
    return type;
  };
  if (base == "f16") return real(Element::F16);
  if (base == "bf16") return real(Element::BF16);
  if (base == "f32") return real(Element::F32);
  if (base == "f64") return real(Element::F64);
  if (base == "e4m3") return real(Element::E4M3);
  if (base == "e5m2") return real(Element::E5M2);
  if (base == "ue8m0") return real(Element::E8M0);
  if (base == "e2m1") return type.kind = '4', type.bits = 4, type;
  if (base == "tf32") return type.kind = 't', type.bits = 32, type;
  if (base == "pred") return type.kind = 'b', type.bits = 1, type;
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
  Modifiers found;
  llvm::erase_if(parts, [&](llvm::StringRef part) {
    auto is = [&](bool& flag) { return flag = true; };
    auto rounds = [&](Rounding rounding) { return found.rounding = rounding, true; };
    auto integer = [&](Rounding rounding) { return found.toInteger = rounding, true; };
    if (part == "ftz") return is(found.flushes);
    if (part == "sat") return is(found.saturates);
    if (part == "relu") return is(found.isRectified);
    if (part == "satfinite") return is(found.isFinite);
    if (part == "approx" || part == "full") return is(found.isApprox);
    if (part == "rn" || part == "rna") return rounds(Rounding::Nearest);
    if (part == "rz") return rounds(Rounding::TowardsZero);
    if (part == "rm") return rounds(Rounding::Down);
    if (part == "rp") return rounds(Rounding::Up);
    if (part == "rni") return integer(Rounding::Nearest);
    if (part == "rzi") return integer(Rounding::TowardsZero);
    if (part == "rmi") return integer(Rounding::Down);
    if (part == "rpi") return integer(Rounding::Up);
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
