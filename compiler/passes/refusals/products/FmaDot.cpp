#include "passes/refusals/products/FmaDot.h"

#include "ir/ttg/Attributes.h"
#include "passes/failure/TypeNames.h"

#include <llvm/ADT/StringExtras.h>

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

// The types in which products of a type can be added up, "float16 or float32"; "" if there is none.
std::string sumsOf(Type operand, bool isAmd) {
  MLIRContext* context = operand.getContext();
  llvm::SmallVector<std::string> names;
  for (Type sum : {Type(Float16Type::get(context)), Type(Float32Type::get(context)),
                   Type(Float64Type::get(context)), Type(IntegerType::get(context, 32))})
    if (canAddUp(operand, sum, isAmd)) names.push_back(gluonName(sum));
  return llvm::join(names, " or ");
}

} // namespace

std::string whyNoFmaDot(tt::DotOp op, bool isAmd) {
  if (!isa<ttg::BlockedEncodingAttr>(op.getType().getEncoding())) return {};
  Type a = op.getA().getType().getElementType(), b = op.getB().getType().getElementType(),
       sum = op.getType().getElementType();
  if (a == b && canAddUp(a, sum, isAmd)) return {};
  if (a != b)
    return "dot_fma does not multiply " + gluonName(a) + " by " + gluonName(b) +
           ": convert the operands to the same type";
  std::string possible = sumsOf(a, isAmd);
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
