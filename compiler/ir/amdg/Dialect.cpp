#include "ir/amdg/Dialect.h"

#include "ir/amdg/Ops.h"

#include <mlir/Transforms/InliningUtils.h>

#include "ir/amdg/Dialect.cpp.inc"

using namespace mlir;

namespace gluond::amdg {

namespace {

struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Operation*, bool) const final { return true; }
  bool isLegalToInline(Region*, Region*, bool, IRMapping&) const final { return true; }
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }
};

} // namespace

void AMDGDialect::initialize() {
  registerAMDGDialectOperations(this);
  addInterfaces<Inliner>();
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
