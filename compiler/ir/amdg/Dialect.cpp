#include "ir/amdg/Dialect.h"

#include "ir/amdg/Ops.h"
#include "ir/tt/Inlining.h"

#include "ir/amdg/Dialect.cpp.inc"

using namespace mlir;

namespace gluond::amdg {

void AMDGDialect::initialize() {
  registerAMDGDialectOperations(this);
  addInterfaces<tt::InlinesAnything>();
}

Type pointerToElement(Type type) {
  return tt::pointerSameShape(getElementTypeOrSelf(type));
}

Type i32SameShape(Type type) {
  auto i32 = IntegerType::get(type.getContext(), 32);
  if (auto tensor = dyn_cast<RankedTensorType>(type)) return tensor.clone(i32);
  return i32;
}

} // namespace gluond::amdg
