// Comparisons and gl.where.
#include "codegen/builder/Operators.h"
#include "codegen/rules/common/Args.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::codegen {

namespace arith = mlir::arith;
using arith::CmpFPredicate;
using arith::CmpIPredicate;
using syntax::CompareOp;

namespace {
struct Predicates {
  CmpFPredicate real;
  CmpIPredicate isSigned, isUnsigned;
};
} // namespace

// Eq, NotEq, Lt, LtE, Gt, GtE: the order of CompareOp.
static constexpr Predicates predicates[] = {
    {CmpFPredicate::OEQ, CmpIPredicate::eq, CmpIPredicate::eq},
    {CmpFPredicate::UNE, CmpIPredicate::ne, CmpIPredicate::ne},
    {CmpFPredicate::OLT, CmpIPredicate::slt, CmpIPredicate::ult},
    {CmpFPredicate::OLE, CmpIPredicate::sle, CmpIPredicate::ule},
    {CmpFPredicate::OGT, CmpIPredicate::sgt, CmpIPredicate::ugt},
    {CmpFPredicate::OGE, CmpIPredicate::sge, CmpIPredicate::uge},
};

Tensor compare(IrBuilder& emit, CompareOp op, const Operand& left, const Operand& right,
               const Node* at) {
  Operand operands[] = {left, right};
  Tensor a, b;
  if (!takeTensors(emit, operands) || !unify(emit, operands[0], operands[1], a, b, at)) return {};
  const Type* scalar = a.scalar();
  const Type* type = emit.types().withElement(a.type, scalarType(ScalarKind::Int1));
  const Predicates& row = predicates[static_cast<unsigned>(op)];
  if (scalar->isFloat()) return {emit.create<arith::CmpFOp>(row.real, a.handle, b.handle), type};
  if (scalar->isInt())
    return {emit.create<arith::CmpIOp>(scalar->isSignedInt() ? row.isSigned : row.isUnsigned,
                                       a.handle, b.handle),
            type};
  emit.error(Id::UnexpectedType, at, "a comparison", a.type);
  return {};
}

std::optional<Value> tensorCompare(IrBuilder& emit, CompareOp op, const Arguments& args) {
  static constexpr llvm::StringLiteral symbols[] = {"==", "!=", "<", "<=", ">", ">="};
  if (op > CompareOp::GtE) return std::nullopt;
  Operand a, b;
  if (!asOperands(emit, args, symbols[static_cast<unsigned>(op)], a, b)) return Value::unknown();
  return wrap(emit, compare(emit, op, a, b, args.call));
}

Tensor select(IrBuilder& emit, Tensor condition, const Operand& left, const Operand& right,
              const Node* at, const Node* atCondition) {
  condition = cast(emit, condition, scalarType(ScalarKind::Int1), at);
  Tensor a, b;
  if (!condition ||
      !unify(emit, left, right, a, b, at, {.leftPointer = true, .rightPointer = true}))
    return {};
  if (condition.isBlock()) {
    if (!broadcast(emit, condition, a, atCondition, left.at) ||
        !broadcast(emit, a, b, left.at, right.at))
      return {};
  } else {
    Tensor unused = a;
    if (!broadcast(emit, condition, unused, atCondition, left.at)) return {};
  }
  return {emit.create<arith::SelectOp>(condition.handle, a.handle, b.handle), a.type};
}

namespace rules {

Value compareMethod(IrBuilder& emit, const Arguments& args, CompareOp op) {
  return tensorCompare(emit, op, args).value_or(Value::unknown());
}

Value reflectedCompareMethod(IrBuilder& emit, const Arguments& args, CompareOp op) {
  Value values[] = {args[1], args[0]};
  const syntax::Expr* nodes[] = {args.nodes[1], args.nodes[0]};
  return tensorCompare(emit, op, {args.call, values, nodes}).value_or(Value::unknown());
}

Value where(IrBuilder& emit, const Arguments& args) {
  Tensor condition = toTensorArgument(emit, args, 0);
  if (!condition) return Value::unknown();
  auto a = asOperand(emit, args[1], args.node(1)), b = asOperand(emit, args[2], args.node(2));
  if (!a || !b) return Value::unknown();
  if (!condition.scalar()->isBool())
    emit.warning(Id::DeprecatedUse, args.node(0),
                 "a condition of type " + emit.text(condition.scalar()), "a comparison");
  return wrap(emit, select(emit, condition, *a, *b, args.call, args.node(0)));
}

Value expectZero(IrBuilder& emit, const Arguments& args) {
  Tensor mask = toTensorArgument(emit, args, 1);
  auto x = asOperand(emit, args[0], args.node(0));
  if (!mask || !x) return Value::unknown();
  if (emit.options().instruments("fpsan"))
    return wrap(emit, select(emit, mask, number(0), *x, args.call, args.node(1)));
  if (emit.options().debug) {
    Tensor isZero = compare(emit, CompareOp::Eq, *x, number(0), args.call);
    if (!isZero) return Value::unknown();
    Tensor unmasked = logicalNot(emit, mask, args.node(1));
    if (!unmasked) return Value::unknown();
    Tensor holds = bitwise(emit, Bitwise::Or, operand(isZero, args.call),
                           operand(unmasked, args.call), args.call);
    if (!holds) return Value::unknown();
    deviceAssertion(emit, holds, "expect_zero expected x == 0 where mask is true");
  }
  return args[0];
}

} // namespace rules

} // namespace gluond::codegen
