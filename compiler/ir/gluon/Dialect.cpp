#include "ir/gluon/Dialect.h"

#include "ir/tt/Inlining.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/GPU/IR/GPUDialect.h>
#include <mlir/IR/DialectImplementation.h>

#include "ir/gluon/Dialect.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/gluon/Attributes.cpp.inc"
#define GET_OP_CLASSES
#include "ir/gluon/Ops.cpp.inc"

using namespace mlir;

namespace gluond::gluon {

namespace {

// A layout to be inferred stays one through every op.
struct InferLayout : tt::InferLayoutInterface {
  using InferLayoutInterface::InferLayoutInterface;
  static Encoding same(Attribute encoding) {
    if (!isa_and_nonnull<AutoEncodingAttr, CoalescedEncodingAttr>(encoding)) return failure();
    return encoding;
  }
  Encoding trans(Attribute operand, Shape, ArrayRef<int32_t>, Loc) const final {
    return same(operand);
  }
  Encoding reduce(Attribute operand, unsigned, Loc) const final { return same(operand); }
  Encoding expandDims(Attribute operand, unsigned, Loc) const final { return same(operand); }
  Encoding reshape(Shape, Attribute encoding, Shape, Attribute, bool, Loc) const final {
    return same(encoding);
  }
  Encoding join(Attribute operand, Shape, Loc) const final { return same(operand); }
  Encoding split(Attribute operand, Shape, Loc) const final { return same(operand); }
  Encoding fp4ToFp(Shape, unsigned, Attribute encoding, bool, Loc) const final {
    return same(encoding);
  }
  LogicalResult verifyDotOperand(Attribute operand, unsigned, Attribute, Loc) const final {
    return same(operand);
  }
  LogicalResult verifyDotOperands(Operation*, Attribute, Attribute) const final {
    return success();
  }
  LogicalResult verifyCat(Operation*) const final { return success(); }
  LogicalResult verifyEqual(Shape, Attribute expected, Attribute got, Loc, bool) const final {
    return success(expected == got);
  }
  bool isBroadcast(RankedTensorType from, RankedTensorType to) const final {
    return from.getEncoding() == to.getEncoding();
  }
};

} // namespace

void GluonDialect::initialize() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/gluon/Attributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "ir/gluon/Ops.cpp.inc"
      >();
  addInterfaces<tt::InlinesAnything, InferLayout>();
}

void SetAutoLayoutOp::build(OpBuilder& builder, OperationState& state, Attribute encoding,
                            Value value) {
  build(builder, state, cast<RankedTensorType>(value.getType()).cloneWithEncoding(encoding), value);
}

LogicalResult SetAutoLayoutOp::verify() {
  if (!isa_and_nonnull<AutoEncodingAttr>(getSrc().getType().getEncoding()))
    return emitOpError("input tensor must have an auto layout type");
  if (!getType().getEncoding()) return emitOpError("result tensor must have an encoding");
  if (isa<AutoEncodingAttr>(getType().getEncoding()))
    return emitOpError("result type must not be auto layout");
  return success();
}

} // namespace gluond::gluon
