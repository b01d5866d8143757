// & | ^ ~ << >>, not, logical and and or.
#include "codegen/builder/Operators.h"
#include "codegen/rules/common/Args.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::codegen {

namespace arith = mlir::arith;

Tensor bitwise(IrBuilder& emit, Bitwise op, const Operand& left, const Operand& right,
               const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at)) return {};
  if (!a.scalar()->isInt() || !b.scalar()->isInt()) {
    emit.error(Id::IncompatibleTypes, at, a.scalar(), b.scalar());
    return {};
  }
  switch (op) {
  case Bitwise::And:
    return {emit.create<arith::AndIOp>(a.handle, b.handle), a.type};
  case Bitwise::Or:
    return {emit.create<arith::OrIOp>(a.handle, b.handle), a.type};
  case Bitwise::Xor:
    return {emit.create<arith::XOrIOp>(a.handle, b.handle), a.type};
  case Bitwise::ShiftLeft:
    return {emit.create<arith::ShLIOp>(a.handle, b.handle), a.type};
  case Bitwise::ShiftRightLogical:
    return {emit.create<arith::ShRUIOp>(a.handle, b.handle), a.type};
  case Bitwise::ShiftRightArithmetic:
    return {emit.create<arith::ShRSIOp>(a.handle, b.handle), a.type};
  }
  return {};
}

Tensor invert(IrBuilder& emit, Tensor tensor, const Node* at) {
  const Type* scalar = tensor.scalar();
  if (!scalar->isInt()) {
    emit.error(Id::UnsupportedOperand, at, "~", tensor.type);
    return {};
  }
  Tensor ones{emit.constantInt(-1, scalar->bits()), scalar};
  return bitwise(emit, Bitwise::Xor, operand(tensor, at), operand(ones, at), at);
}

static Tensor asBool(IrBuilder& emit, Tensor tensor, const Node* at) {
  return tensor.scalar()->isBool() ? tensor
                                   : bitcast(emit, tensor, scalarType(ScalarKind::Int1), at);
}

Tensor logicalNot(IrBuilder& emit, Tensor tensor, const Node* at) {
  tensor = asBool(emit, tensor, at);
  return tensor ? invert(emit, tensor, at) : Tensor();
}

Value tensorLogical(IrBuilder& emit, bool isAnd, const Arguments& args) {
  Operand left, right;
  if (!asOperands(emit, args, isAnd ? "and" : "or", left, right)) return Value::unknown();
  Tensor b = toTensor(emit, right);
  Tensor a = toTensor(emit, left);
  if (!a || !b) return Value::unknown();
  a = asBool(emit, a, left.at);
  if (a) b = asBool(emit, b, right.at);
  if (!a || !b) return Value::unknown();
  return wrap(emit, bitwise(emit, isAnd ? Bitwise::And : Bitwise::Or, operand(a, left.at),
                            operand(b, right.at), args.call));
}

std::optional<Value> tensorUnary(IrBuilder& emit, syntax::UnaryOperator op, const Arguments& args) {
  Tensor tensor = asTensor(args[0]);
  if (!tensor) return std::nullopt;
  switch (op) {
  case syntax::UnaryOperator::USub:
    return wrap(emit, negate(emit, tensor, args.node(0)));
  case syntax::UnaryOperator::Invert:
    return wrap(emit, invert(emit, tensor, args.node(0)));
  case syntax::UnaryOperator::Not:
    return wrap(emit, logicalNot(emit, tensor, args.node(0)));
  case syntax::UnaryOperator::UAdd:
    break;
  }
  return std::nullopt;
}

namespace rules {

Value unaryMethod(IrBuilder& emit, const Arguments& args, syntax::UnaryOperator op) {
  return tensorUnary(emit, op, args).value_or(Value::unknown());
}

Value logical(IrBuilder& emit, const Arguments& args, bool isAnd) {
  return tensorLogical(emit, isAnd, args);
}

} // namespace rules

} // namespace gluond::codegen
