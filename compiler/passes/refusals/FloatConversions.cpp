#include "passes/refusals/FloatConversions.h"

#include "ir/tt/ElementTypes.h"
#include "passes/failure/TypeNames.h"

namespace gluond::passes {
using namespace mlir;

namespace {

// Towards zero, an 8-bit float is the upper byte of a float16: only formats with its exponent can
// be made so.
bool canRoundTowardsZero(Type from, Type to, bool isAmd) {
  if (isa<Float8E5M2Type>(to)) return from.isF32() || (isAmd && from.isF16());
  return isAmd && isa<Float8E5M2FNUZType>(to) && from.isF16();
}

} // namespace

std::string whyNoConversion(tt::FpToFpOp op, bool isAmd) {
  Type from = getElementTypeOrSelf(op.getSrc().getType()), to = getElementTypeOrSelf(op.getType());
  std::string conversion =
      "there is no conversion from " + gluonName(from) + " to " + gluonName(to);
  if (tt::isFloat8(from) && tt::isFloat8(to))
    return from == to ? "" : conversion + ": convert the value to float16 or float32 first";
  if ((tt::isFloat8(from) && to.isF64()) || (from.isF64() && tt::isFloat8(to)))
    return conversion + ": convert the value to float32 first";
  bool towardsZero = op.getRounding() == tt::RoundingMode::RTZ;
  if (towardsZero && from.isF64())
    return conversion + " that rounds towards zero: convert the value to float32 first";
  if (towardsZero && tt::isFloat8(to) && !canRoundTowardsZero(from, to, isAmd))
    return conversion + " that rounds towards zero: use fp_downcast_rounding=\"rtne\"";
  return {};
}

} // namespace gluond::passes
