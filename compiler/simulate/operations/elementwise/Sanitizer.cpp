// gl.fpsan (ir/tti/FloatRing.h).
#include "ir/tti/Dialect.h"
#include "ir/tti/FloatRing.h"
#include "simulate/operations/elementwise/Elementwise.h"

#include <mlir/IR/TypeUtilities.h>

namespace gluond::simulate {
using namespace mlir;

namespace {

using Ring = tti::FloatRing;

template <uint64_t (Ring::*map)(uint64_t) const> Made mapped(Operation* op, Translator&) {
  auto from = elementOf(op->getOperand(0).getType()), to = elementOf(op->getResult(0).getType());
  if (!from || !to || bytesOf(*from) != bytesOf(*to))
    return tl::unexpected<std::string>("the integers and the floats have different sizes");
  mlir::Type source = getElementTypeOrSelf(op->getOperand(0).getType());
  auto floats = dyn_cast<FloatType>(source);
  Ring ring(floats ? floats : cast<FloatType>(getElementTypeOrSelf(op->getResult(0).getType())));
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
