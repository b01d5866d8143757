// gl.fpsan: the bits of floats as elements of a ring of integers, one to one, under which 1.0 is 1
// and -x is the negative of x; and back.
//
// With M the mask of all bits but the sign, a magnitude u becomes (u * a mod M+1), is folded by a
// shift, and is multiplied by the number that takes 1.0 to 1; for negative ones by that number's
// negative. Odd factors have inverses, so all of it can be undone.
#include "ir/tti/Dialect.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <llvm/ADT/bit.h>

namespace gluond::simulate {
using namespace mlir;

namespace {

// The inverse of an odd number modulo 2^64: every step doubles the bits that are right.
uint64_t inverse(uint64_t odd) {
  uint64_t x = odd;
  for (int i = 0; i < 6; ++i)
    x *= 2 - odd * x;
  return x;
}

struct Ring {
  unsigned bits, shift;
  uint64_t sign, magnitude, spread, positive, negative;

  explicit Ring(Element element) : bits(bytesOf(element) * 8) {
    uint64_t one = 0;
    storeNumber(element, 1.0, &one);
    sign = uint64_t(1) << (bits - 1);
    magnitude = sign - 1;
    shift = static_cast<unsigned>(llvm::countr_zero(one));
    spread = 14940041 & magnitude;
    uint64_t mixed = one * spread & magnitude;
    mixed ^= mixed >> shift;
    positive = inverse(mixed) & magnitude;
    negative = positive * magnitude & magnitude;
  }
  uint64_t factor(uint64_t x) const { return x & sign ? negative : positive; }
  uint64_t embed(uint64_t u) const {
    uint64_t folded = u * spread & magnitude;
    folded ^= folded >> shift;
    return (folded * factor(u) & magnitude) ^ (u & sign);
  }
  uint64_t unembed(uint64_t v) const {
    uint64_t folded = v * inverse(factor(v)) & magnitude;
    for (unsigned by = shift; by < bits; by *= 2)
      folded ^= folded >> by;
    return (folded * inverse(spread) & magnitude) ^ (v & sign);
  }
};

template <uint64_t (Ring::*map)(uint64_t) const> Made mapped(Operation* op, Translator&) {
  auto from = elementOf(op->getOperand(0).getType()), to = elementOf(op->getResult(0).getType());
  if (!from || !to || bytesOf(*from) != bytesOf(*to))
    return tl::unexpected<std::string>("the integers and the floats have different sizes");
  Ring ring(isFloat(*from) ? *from : *to);
  return Action([ring, to = *to](Execution& x) {
    unsigned bytes = bytesOf(to);
    auto forAll = [&](std::byte* out) {
      const std::byte* in = x.data(0);
      for (size_t i = 0; i < x.count(0); ++i) {
        uint64_t bits = 0;
        std::memcpy(&bits, in + i * bytes, bytes);
        bits = (ring.*map)(bits);
        std::memcpy(out + i * bytes, &bits, bytes);
      }
    };
    if (!x.isTensor(0)) {
      Scalar result{0, to};
      forAll(reinterpret_cast<std::byte*>(&result.bits));
      x.set(0, result);
      return Step::Next;
    }
    auto result = std::make_shared<Tensor>(to, x.tensor(0).shape());
    forAll(result->data());
    x.set(0, std::move(result));
    return Step::Next;
  });
}

} // namespace

void addSanitizer(OperationTable& table) {
  table["tti.experimental_fpsan_embed"] = mapped<&Ring::embed>;
  table["tti.experimental_fpsan_unembed"] = mapped<&Ring::unembed>;
}

} // namespace gluond::simulate
