#include "ir/tt/ElementTypes.h"

#include "chips/MatrixInstructions.h"

#include <mlir/IR/BuiltinTypes.h>
#include <mlir/IR/TypeUtilities.h>

namespace gluond::tt {
using namespace mlir;

bool isFloat8(Type type) {
  auto element = dyn_cast<FloatType>(getElementTypeOrSelf(type));
  return element && element.getWidth() == 8;
}

bool isNvidiaFloat8(Type type) {
  return isa<Float8E5M2Type, Float8E4M3FNType>(getElementTypeOrSelf(type));
}

bool isMmaElement(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isFloat8(element) || element.isF16() || element.isBF16() || element.isF32() ||
         element.isF64() || element.isInteger(8);
}

std::optional<chips::MfmaOperand> mfmaOperandOf(Type type) {
  using enum chips::MfmaOperand;
  Type element = getElementTypeOrSelf(type);
  if (element.isF64()) return Float64;
  if (element.isF32()) return Float32;
  if (element.isF16()) return Float16;
  if (element.isBF16()) return BFloat16;
  if (element.isInteger(8)) return Int8;
  if (isFloat8(element)) return Float8;
  return {};
}

} // namespace gluond::tt
