// & | ^ ~ << >>, not, logical and and or.
#include "codegen/builder/Operators.h"
#include "codegen/rules/common/Args.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::codegen {

namespace arith = mlir::arith;

// An operator on the bits of a value of another type than integers.
static void needsIntegers(IrBuilder& emit, llvm::StringRef symbol, const Type* scalar,
                          const Node* at) {
  emit.error(Id::UnexpectedType, at, symbol,
             emit.text(scalar) + ": convert to integers, for example with .to(gl.int32)");
}

Tensor bitwise(IrBuilder& emit, Bitwise op, const Operand& left, const Operand& right,
               const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at)) return {};
  for (const Type* scalar : {a.scalar(), b.scalar()})
    if (!scalar->isInt()) {
      static constexpr llvm::StringLiteral symbols[] = {"&", "|", "^", "<<", ">>", ">>"};
      needsIntegers(emit, symbols[static_cast<unsigned>(op)], scalar, at);
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
    needsIntegers(emit, "~", scalar, at);
    return {};
  }
  Tensor ones{emit.constantInt(-1, scalar->bits()), scalar};
  return bitwise(emit, Bitwise::Xor, operand(tensor, at), operand(ones, at), at);
}

// An operand of `not`, `and` or `or`.
static Tensor asBool(IrBuilder& emit, Tensor tensor, llvm::StringRef symbol, const Node* at) {
  const Type* scalar = tensor.scalar();
  if (scalar->isBool()) return tensor;
  if (scalar->isPointer() || scalar->bits() == 1)
    return bitcast(emit, tensor, scalarType(ScalarKind::Int1), at);
  auto reported =
      emit.error(Id::UnexpectedType, at, ("'" + symbol + "'").str(),
                 emit.text(scalar) + ": its operands must be int1, the results of comparisons");
  if (llvm::isa_and_present<syntax::Expr>(at)) {
    std::string compared = "(" + emit.sourceText(at).str() + " != 0)";
    reported.fix(diagnostics::FixId::TryText, {{at->range, compared}}, compared);
  }
  return {};
}

Tensor logicalNot(IrBuilder& emit, Tensor tensor, const Node* at) {
  tensor = asBool(emit, tensor, "not", at);
  return tensor ? invert(emit, tensor, at) : Tensor();
}

Value tensorLogical(IrBuilder& emit, bool isAnd, const Arguments& args) {
  llvm::StringRef symbol = isAnd ? "and" : "or";
  Operand left, right;
  if (!asOperands(emit, args, symbol, left, right)) return Value::unknown();
  Tensor b = toTensor(emit, right);
  Tensor a = toTensor(emit, left);
  if (!a || !b) return Value::unknown();
  a = asBool(emit, a, symbol, left.at);
  if (a) b = asBool(emit, b, symbol, right.at);
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
