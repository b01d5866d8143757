#include "passes/refusals/products/MmaDot.h"

#include "passes/failure/TypeNames.h"

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned registerBits = 32;

unsigned leastKWidth(Type element) {
  return registerBits / std::max(tt::bitWidth(element), 1u);
}

// The operand that has too few neighbors, or null.
TypedValue<RankedTensorType> narrowOperand(tt::DotOp op) {
  auto mma = dyn_cast<ttg::NvidiaMmaEncodingAttr>(op.getType().getEncoding());
  if (!mma || mma.getVersionMajor() != 2) return {};
  for (Value operand : {Value(op.getA()), Value(op.getB())}) {
    auto tensor = cast<TypedValue<RankedTensorType>>(operand);
    auto layout = dyn_cast<ttg::DotOperandEncodingAttr>(tensor.getType().getEncoding());
    if (layout && layout.getKWidth() < leastKWidth(tensor.getType().getElementType()))
      return tensor;
  }
  return {};
}

} // namespace

std::string whyNoMmaOperands(tt::DotOp op) {
  auto operand = narrowOperand(op);
  if (!operand) return {};
  auto layout = cast<ttg::DotOperandEncodingAttr>(operand.getType().getEncoding());
  Type element = operand.getType().getElementType();
  return "a k_width of " + std::to_string(layout.getKWidth()) + " is too small for " +
         gluonName(element) + ": mma_v2 takes 32 bits along K from each thread, so use at least " +
         std::to_string(leastKWidth(element));
}

std::pair<ttg::DotOperandEncodingAttr, ttg::DotOperandEncodingAttr> mmaOperand(tt::DotOp op) {
  auto operand = narrowOperand(op);
  if (!operand) return {};
  auto layout = cast<ttg::DotOperandEncodingAttr>(operand.getType().getEncoding());
  unsigned least = leastKWidth(operand.getType().getElementType());
  return {layout, ttg::DotOperandEncodingAttr::get(op.getContext(), layout.getOpIdx(),
                                                   layout.getParent(), least)};
}

} // namespace gluond::passes
