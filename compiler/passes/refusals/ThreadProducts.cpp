#include "passes/refusals/ThreadProducts.h"

#include "ir/ttg/Attributes.h"
#include "passes/refusals/TypeNames.h"

namespace gluond::passes {
using namespace mlir;

namespace {

// NVIDIA's threads add up in the type of the operands; AMD's also have instructions that widen.
bool canAddUp(Type operand, Type sum, bool isAmd) {
  if (operand.isF16() || operand.isF32() || operand.isF64())
    if (operand == sum) return true;
  if (!isAmd) return false;
  if (operand.isF16() || operand.isBF16()) return sum.isF32();
  return operand.isInteger(8) && sum.isInteger(32);
}

std::string whatCanBe(Type operand, bool isAmd) {
  if (operand.isF16()) return isAmd ? "float16 or float32" : "float16";
  if (operand.isF32() || operand.isF64()) return gluonName(operand);
  if (isAmd && operand.isBF16()) return "float32";
  if (isAmd && operand.isInteger(8)) return "int32";
  return {};
}

} // namespace

std::string whyNoThreadProduct(tt::DotOp op, bool isAmd) {
  if (!isa<ttg::BlockedEncodingAttr>(op.getType().getEncoding())) return {};
  Type a = op.getA().getType().getElementType(), b = op.getB().getType().getElementType(),
       sum = op.getType().getElementType();
  if (a == b && canAddUp(a, sum, isAmd)) return {};
  if (a != b)
    return "dot_fma does not multiply " + gluonName(a) + " by " + gluonName(b) +
           ": convert the operands to the same type";
  std::string possible = whatCanBe(a, isAmd);
  if (possible.empty())
    return "dot_fma does not multiply " + gluonName(a) +
           " values: convert the operands to float32 first";
  return "dot_fma adds up products of " + gluonName(a) + " in " + possible +
         ", but the accumulator is " + gluonName(sum) + ": " +
         (canAddUp(sum, sum, isAmd) ? "convert the operands to " + gluonName(sum) + " first, or "
                                    : "") +
         "use an accumulator of " + possible;
}

} // namespace gluond::passes
