#include "ir/tt/ElementTypes.h"

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

} // namespace gluond::tt
