#include "ir/tti/FloatRing.h"

#include <llvm/ADT/APFloat.h>
#include <llvm/ADT/bit.h>

namespace gluond::tti {

// The inverse modulo 2^64, of which the ring keeps the low bits.
static uint64_t inverseOf(uint64_t odd) {
  uint64_t x = odd; // right in the lowest bits; every step doubles the bits that are
  for (int i = 0; i < 6; ++i)
    x *= 2 - odd * x;
  return x;
}

FloatRing::FloatRing(mlir::FloatType type) : bits(type.getWidth()) {
  llvm::APFloat number(1.0);
  bool inexact = false;
  number.convert(type.getFloatSemantics(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  uint64_t one = number.bitcastToAPInt().getZExtValue();
  sign = uint64_t{1} << (bits - 1);
  magnitude = sign - 1;
  shift = static_cast<unsigned>(llvm::countr_zero(one));
  spread = 14940041 & magnitude;
  uint64_t mixed = (one * spread) & magnitude;
  mixed ^= mixed >> shift;
  positive = inverse(mixed);
  negative = (positive * magnitude) & magnitude;
}

uint64_t FloatRing::inverse(uint64_t factor) const {
  return inverseOf(factor) & magnitude;
}

uint64_t FloatRing::embed(uint64_t u) const {
  uint64_t folded = u * spread & magnitude;
  folded ^= folded >> shift;
  return (folded * (u & sign ? negative : positive) & magnitude) ^ (u & sign);
}

uint64_t FloatRing::unembed(uint64_t v) const {
  uint64_t folded = v * inverse(v & sign ? negative : positive) & magnitude;
  for (unsigned by = shift; by < bits; by *= 2)
    folded ^= folded >> by;
  return (folded * inverse(spread) & magnitude) ^ (v & sign);
}

} // namespace gluond::tti
