// gl.fpsan: the sanitizer's one-to-one map between the bits of floats and a ring of integers, under
// which 1.0 is 1 and -x is the negative of x.
//
// With M the mask of all bits but the sign, a magnitude u becomes (u * a mod M+1), is folded by a
// shift, and is multiplied by the number that takes 1.0 to 1; for negative ones by that number's
// negative. Odd factors have inverses, so all of it can be undone.
#pragma once

#include <mlir/IR/BuiltinTypes.h>

namespace gluond::tti {

struct FloatRing {
  unsigned bits, shift;
  uint64_t sign, magnitude, spread, positive, negative;

  explicit FloatRing(mlir::FloatType type);
  uint64_t embed(uint64_t u) const;
  uint64_t unembed(uint64_t v) const;
  // Returns the number that undoes a multiplication by an odd factor of the ring.
  uint64_t inverse(uint64_t factor) const;
};

} // namespace gluond::tti
