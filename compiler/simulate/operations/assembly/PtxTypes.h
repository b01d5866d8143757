// The types of PTX instructions, their modifiers, and operands as values of these types.
#pragma once

#include "simulate/operations/assembly/Assembly.h"
#include "simulate/values/Formats.h"

#include <llvm/ADT/SmallVector.h>

#include <optional>

namespace gluond::simulate::assembly {

// The words of a name between its points: "add", "rn", "f32".
using Parts = llvm::SmallVector<llvm::StringRef, 8>;

// "u32", "f16x2". Narrow floats have an Element; fp4 has none.
struct Type {
  char kind = 0; // f, s, u, b; 4: fp4; t: tf32
  unsigned bits = 0, lanes = 1;
  Element element = Element::I32;
  bool isFloat() const { return kind == 'f'; }
  unsigned all() const { return bits * lanes; }
};

std::optional<Type> typeOf(llvm::StringRef text);

inline uint64_t maskOf(unsigned bits) {
  return bits >= 64 ? ~uint64_t(0) : (uint64_t(1) << bits) - 1;
}
inline int64_t extended(uint64_t value, unsigned bits) {
  return bits >= 64 ? static_cast<int64_t>(value)
                    : static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}
inline uint64_t laneOf(uint64_t value, unsigned bits, unsigned lane) {
  return value >> (bits * lane) & maskOf(bits);
}

double realAt(const Type& type, uint64_t bits);
uint64_t bitsOfReal(const Type& type, double number, Rounding rounding = Rounding::Nearest);

// An operand of an instruction of this type: an immediate takes the type's form.
uint64_t read(const Thread& thread, const Operand& operand, const Type& type);

struct Modifiers {
  Rounding rounding = Rounding::Nearest;
  bool flushes = false, saturates = false, isRectified = false, isFinite = false, isApprox = false;
  std::optional<Rounding> toInteger;
};

// Takes off what is known; what is left is the operation and its types.
Modifiers takeModifiers(Parts& parts);

// Returns the result of an instruction after these modifiers.
double finished(double number, const Type& type, const Modifiers& modifiers);

} // namespace gluond::simulate::assembly
