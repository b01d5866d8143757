// + - * / // %, minimum, maximum, clamp.
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"
#include "releases/Rules.h"
#include "syntax/tree/Unparse.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::codegen {

namespace arith = mlir::arith;

static mlir::Value emitInteger(IrBuilder& emit, ArithmeticKind kind, mlir::Value a, mlir::Value b) {
  switch (kind) {
  case ArithmeticKind::Add:
    return emit.create<arith::AddIOp>(a, b);
  case ArithmeticKind::Sub:
    return emit.create<arith::SubIOp>(a, b);
  case ArithmeticKind::Mul:
    return emit.create<arith::MulIOp>(a, b);
  }
  return {};
}

static mlir::Value emitFloat(IrBuilder& emit, ArithmeticKind kind, mlir::Value a, mlir::Value b) {
  switch (kind) {
  case ArithmeticKind::Add:
    return emit.create<arith::AddFOp>(a, b);
  case ArithmeticKind::Sub:
    return emit.create<arith::SubFOp>(a, b);
  case ArithmeticKind::Mul:
    return emit.create<arith::MulFOp>(a, b);
  }
  return {};
}

// Computes the result again in 64 bits and checks whether it fits. Only debug builds assert it, but
// the ops are always there.
static void checkOverflow(IrBuilder& emit, ArithmeticKind kind, Tensor a, Tensor b) {
  const Type* scalar = a.scalar();
  unsigned bits = scalar->bits();
  if (bits >= 64 || !emit.options().sanitizeOverflow) return;
  const Type* wide = emit.types().withElement(a.type, scalarType(ScalarKind::Int64));
  mlir::Type ir = emit.irType(wide);
  bool isSigned = scalar->isSignedInt();
  mlir::Value left = intCast(emit, a.handle, ir, isSigned),
              right = intCast(emit, b.handle, ir, isSigned);
  Tensor result{emitInteger(emit, kind, left, right), wide};
  const Type* i64 = scalarType(ScalarKind::Int64);
  int64_t largest = isSigned ? llvm::maxIntN(bits) : static_cast<int64_t>(llvm::maxUIntN(bits));
  int64_t smallest = isSigned ? llvm::minIntN(bits) : 0;
  Tensor top{emit.constantInt(largest, 64), i64};
  Tensor bottom{emit.constantInt(smallest, 64), i64};
  if (wide->isTensor()) top = splat(emit, top, wide);
  mlir::Value below =
      emit.create<arith::CmpIOp>(arith::CmpIPredicate::sle, result.handle, top.handle);
  if (wide->isTensor()) bottom = splat(emit, bottom, wide);
  mlir::Value above =
      emit.create<arith::CmpIOp>(arith::CmpIPredicate::sge, result.handle, bottom.handle);
  mlir::Value fits = emit.create<arith::AndIOp>(below, above);
  if (!emit.options().debug) return;
  static constexpr llvm::StringLiteral names[] = {"add", "sub", "mul"};
  emit.create<tt::AssertOp>(fits, ("int" + llvm::Twine(bits) + " overflow detected for operation " +
                                   names[static_cast<unsigned>(kind)])
                                      .str());
}

static Tensor arithmetic(IrBuilder& emit, ArithmeticKind kind, Tensor a, Tensor b, bool sanitize,
                         const Node* at) {
  const Type* scalar = a.scalar();
  if (scalar->isFloat()) return {emitFloat(emit, kind, a.handle, b.handle), a.type};
  if (scalar->isInt()) {
    if (sanitize) checkOverflow(emit, kind, a, b);
    return {emitInteger(emit, kind, a.handle, b.handle), a.type};
  }
  emit.error(Id::UnexpectedType, at, "arithmetic", a.type);
  return {};
}

static Tensor addPointer(IrBuilder& emit, Tensor pointer, Tensor offset, const Node* at) {
  if (!offset.scalar()->isInt()) {
    auto reported = emit.error(Id::IncompatibleTypes, at, pointer.scalar(), offset.scalar());
    if (offset.scalar()->isFloat()) offerFloorDivision(emit, reported, at);
    return {};
  }
  mlir::Value handle = offset.handle;
  if (offset.scalar()->isUnsignedInt() && offset.scalar()->bits() < 64)
    handle = intCast(
        emit, handle,
        emit.irType(emit.types().withElement(offset.type, scalarType(ScalarKind::Int64))), false);
  return {emit.create<tt::AddPtrOp>(pointer.handle.getType(), pointer.handle, handle),
          pointer.type};
}

Tensor add(IrBuilder& emit, const Operand& left, const Operand& right, bool sanitize,
           const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at, {.leftPointer = true, .rightPointer = true})) return {};
  if (a.scalar()->isPointer() && b.scalar()->isPointer()) {
    emit.error(Id::IncompatibleTypes, at, a.scalar(), b.scalar());
    return {};
  }
  if (a.scalar()->isPointer()) return addPointer(emit, a, b, at);
  if (b.scalar()->isPointer()) return addPointer(emit, b, a, at);
  return arithmetic(emit, ArithmeticKind::Add, a, b, sanitize, at);
}

Tensor sub(IrBuilder& emit, const Operand& left, const Operand& right, bool sanitize,
           const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at, {.leftPointer = true})) return {};
  if (a.scalar()->isPointer()) {
    Tensor negative = negate(emit, b, at);
    return negative ? add(emit, operand(a, left.at), operand(negative, right.at), false, at)
                    : Tensor();
  }
  return arithmetic(emit, ArithmeticKind::Sub, a, b, sanitize, at);
}

Tensor mul(IrBuilder& emit, const Operand& left, const Operand& right, bool sanitize,
           const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at)) return {};
  return arithmetic(emit, ArithmeticKind::Mul, a, b, sanitize, at);
}

Tensor negate(IrBuilder& emit, Tensor tensor, const Node* at) {
  const Type* scalar = tensor.scalar();
  if (scalar->isFloat()) return {emit.create<arith::NegFOp>(tensor.handle), tensor.type};
  if (!scalar->isInt()) {
    emit.error(Id::UnsupportedOperand, at, "-", tensor.type);
    return {};
  }
  Tensor zero{emit.constantInt(0, scalar->bits()), scalar};
  return sub(emit, operand(zero, at), operand(tensor, at), true, at);
}

static Tensor divide(IrBuilder& emit, const Operand& left, const Operand& right, const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at, {.divOrMod = true})) return {};
  if (a.scalar()->isInt() && b.scalar()->isInt()) {
    a = cast(emit, a, scalarType(ScalarKind::Fp32), at);
    b = cast(emit, b, scalarType(ScalarKind::Fp32), at);
  }
  if (!a.scalar()->isFloat()) {
    emit.error(Id::UnexpectedType, at, "/", a.type);
    return {};
  }
  return {emit.create<arith::DivFOp>(a.handle, b.handle), a.type};
}

static Tensor floorDivide(IrBuilder& emit, const Operand& left, const Operand& right,
                          const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at, {.divOrMod = true})) return {};
  if (!a.scalar()->isInt() || !b.scalar()->isInt()) {
    const Type* scalar = a.scalar();
    for (const Operand& operand : {left, right})
      if (operand.tensor && !operand.tensor.scalar()->isInt()) scalar = operand.tensor.scalar();
    auto reported = emit.error(Id::UnexpectedType, at, "//",
                               emit.text(scalar) + ": only integers have a floor division");
    auto* written = llvm::dyn_cast_if_present<syntax::BinOp>(at);
    if (written && !emit.languageName().empty()) {
      std::string floor = emit.languageName() + ".floor(" + emit.sourceText(written->left).str() +
                          " / " + emit.sourceText(written->right).str() + ")";
      reported.fix(diagnostics::FixId::TryText, {{at->range, floor}}, floor);
    }
    return {};
  }
  if (a.scalar()->isSignedInt()) return {emit.create<arith::DivSIOp>(a.handle, b.handle), a.type};
  return {emit.create<arith::DivUIOp>(a.handle, b.handle), a.type};
}

Tensor mod(IrBuilder& emit, const Operand& left, const Operand& right, const Node* at) {
  Tensor a, b;
  if (!unify(emit, left, right, a, b, at, {.divOrMod = true})) return {};
  const Type* scalar = a.scalar();
  if (scalar->isFloat()) return {emit.create<arith::RemFOp>(a.handle, b.handle), a.type};
  if (scalar->isSignedInt()) return {emit.create<arith::RemSIOp>(a.handle, b.handle), a.type};
  if (scalar->isInt()) return {emit.create<arith::RemUIOp>(a.handle, b.handle), a.type};
  emit.error(Id::UnexpectedType, at, "%", a.type);
  return {};
}

Tensor minMax(IrBuilder& emit, const Operand& left, const Operand& right, bool isMax,
              llvm::function_ref<std::optional<bool>()> propagatesNan, const Node* at) {
  Operand operands[] = {left, right};
  Tensor a, b;
  if (!takeTensors(emit, operands) || !widenBfloat16(emit, operands) ||
      !unify(emit, operands[0], operands[1], a, b, at))
    return {};
  auto with = [&](auto maxOp, auto minOp) -> Tensor {
    if (isMax) return {emit.create<decltype(maxOp)>(a.handle, b.handle), a.type};
    return {emit.create<decltype(minOp)>(a.handle, b.handle), a.type};
  };
  const Type* scalar = a.scalar();
  if (scalar->isFloat()) {
    std::optional<bool> propagates = propagatesNan();
    if (!propagates) return {};
    return *propagates ? with(arith::MaximumFOp(), arith::MinimumFOp())
                       : with(arith::MaxNumFOp(), arith::MinNumFOp());
  }
  if (scalar->isSignedInt()) return with(arith::MaxSIOp(), arith::MinSIOp());
  if (scalar->isInt()) return with(arith::MaxUIOp(), arith::MinUIOp());
  emit.error(Id::UnexpectedType, at, isMax ? "maximum" : "minimum", a.type);
  return {};
}

// ---------------------------------------------------------------- operators

// Warns of a shift by a constant that is no less than the number of bits.
static void checkShift(IrBuilder& emit, const Operand& value, const Operand& count,
                       const Node* at) {
  if (!value.tensor || !count.isNumber() || !count.number.isIntegral()) return;
  const Type* scalar = value.tensor.scalar();
  if (!scalar->isInt() || count.number.asInt() < scalar->bits()) return;
  emit.warning(Id::ShiftTooFar, at, count.number.asInt(), emit.text(scalar), scalar->bits());
}

std::optional<Value> tensorBinary(IrBuilder& emit, syntax::BinaryOp op, const Arguments& args,
                                  bool reflected) {
  using syntax::BinaryOp;
  if (op == BinaryOp::MatMult || op == BinaryOp::Pow) return std::nullopt;
  llvm::StringRef symbol = syntax::symbolOf(op);
  Operand a, b;
  if (!asOperands(emit, args, symbol, a, b)) return Value::unknown();
  const Node* at = args.call;
  if (op != BinaryOp::Add && op != BinaryOp::Sub)
    for (const Operand& operand : {a, b})
      if (operand.tensor && operand.tensor.scalar()->isPointer())
        return emit.error(Id::UnexpectedType, at, symbol,
                          emit.text(operand.tensor.scalar()) +
                              ": a pointer can only be added to, subtracted from and compared");
  switch (op) {
  case BinaryOp::Add:
    return wrap(emit, add(emit, a, b, true, at));
  case BinaryOp::Sub:
    return wrap(emit, sub(emit, a, b, true, at));
  case BinaryOp::Mult:
    return wrap(emit, mul(emit, a, b, true, at));
  case BinaryOp::Div:
    return wrap(emit, divide(emit, a, b, at));
  case BinaryOp::FloorDiv:
    return wrap(emit, floorDivide(emit, a, b, at));
  case BinaryOp::Mod:
    return wrap(emit, mod(emit, a, b, at));
  case BinaryOp::LShift:
    if (!reflected) checkShift(emit, a, b, at);
    return wrap(emit, bitwise(emit, Bitwise::ShiftLeft, a, b, at));
  case BinaryOp::RShift: {
    if (!reflected) checkShift(emit, a, b, at);
    // The signedness is that of the operand whose method is called, even the shift count's.
    const Operand& owner = reflected ? b : a;
    bool isSigned = owner.tensor && owner.tensor.scalar()->isSignedInt();
    return wrap(emit,
                bitwise(emit, isSigned ? Bitwise::ShiftRightArithmetic : Bitwise::ShiftRightLogical,
                        a, b, at));
  }
  case BinaryOp::BitOr:
    return wrap(emit, bitwise(emit, Bitwise::Or, a, b, at));
  case BinaryOp::BitXor:
    return wrap(emit, bitwise(emit, Bitwise::Xor, a, b, at));
  case BinaryOp::BitAnd:
    return wrap(emit, bitwise(emit, Bitwise::And, a, b, at));
  case BinaryOp::MatMult:
  case BinaryOp::Pow:
    break;
  }
  return std::nullopt;
}

// ---------------------------------------------------------------- builtins

static std::optional<bool> readNan(const Arguments& args, size_t i) {
  if (language::is(args[i], BuiltinId::PropagateNan_ALL)) return true;
  if (language::is(args[i], BuiltinId::PropagateNan_NONE)) return false;
  return std::nullopt;
}
static constexpr llvm::StringLiteral nanChoices =
    "propagate_nan must be tl.PropagateNan.ALL or tl.PropagateNan.NONE";

// Reads a propagate_nan argument; returns nullopt after reporting.
std::optional<bool> propagatesNan(IrBuilder& emit, const Arguments& args, size_t i) {
  std::optional<bool> propagates = readNan(args, i);
  if (!propagates) emit.error(Id::BadArgument, args.node(i), nanChoices);
  return propagates;
}

// Integers have no NaN, and Triton does not look at the argument: maximum(i, j, k) ignores k.
static Value withoutNan(IrBuilder& emit, Tensor result, const Arguments& args, size_t i) {
  if (result && !result.scalar()->isFloat() && !readNan(args, i))
    emit.warning(Id::BadArgument, args.node(i),
                 "this argument has no effect on integers: " + nanChoices.str());
  return wrap(emit, result);
}

namespace rules {

Value binaryMethod(IrBuilder& emit, const Arguments& args, syntax::BinaryOp op) {
  return tensorBinary(emit, op, args, false).value_or(Value::unknown());
}

Value reflectedBinaryMethod(IrBuilder& emit, const Arguments& args, syntax::BinaryOp op) {
  Value values[] = {args[1], args[0]};
  const syntax::Expr* nodes[] = {args.nodes[1], args.nodes[0]};
  return tensorBinary(emit, op, {args.call, values, nodes}, true).value_or(Value::unknown());
}

Value arithmetic(IrBuilder& emit, const Arguments& args, ArithmeticKind kind) {
  Operand a, b;
  static constexpr llvm::StringLiteral symbols[] = {"+", "-", "*"};
  if (!asOperands(emit, args, symbols[static_cast<unsigned>(kind)], a, b)) return Value::unknown();
  auto sanitize = boolArgument(emit, args, 2, "sanitize_overflow");
  if (!sanitize) return Value::unknown();
  switch (kind) {
  case ArithmeticKind::Add:
    return wrap(emit, add(emit, a, b, *sanitize, args.call));
  case ArithmeticKind::Sub:
    return wrap(emit, sub(emit, a, b, *sanitize, args.call));
  case ArithmeticKind::Mul:
    return wrap(emit, mul(emit, a, b, *sanitize, args.call));
  }
  return Value::unknown();
}

Value minMax(IrBuilder& emit, const Arguments& args, bool isMax) {
  Operand a, b;
  if (!asOperands(emit, args, isMax ? "maximum" : "minimum", a, b)) return Value::unknown();
  auto propagates = [&] { return propagatesNan(emit, args, 2); };
  return withoutNan(emit, codegen::minMax(emit, a, b, isMax, propagates, args.call), args, 2);
}

// Earlier releases look at the three operands in pairs.
static bool unifyForClamp(IrBuilder& emit, Operand (&operands)[3], Tensor (&out)[3],
                          const Node* at) {
  if (!emit.follows(releases::Rule::FunctionsTakeTensors)) return unify(emit, operands, out, at);
  return takeTensors(emit, operands) && widenBfloat16(emit, operands) &&
         unifyInPairs(emit, operands, out, {{1, 2}, {0, 1}, {0, 2}}, at);
}

Value clamp(IrBuilder& emit, const Arguments& args) {
  Operand operands[3];
  if (!asOperands(emit, args, operands)) return Value::unknown();
  Tensor t[3];
  if (!unifyForClamp(emit, operands, t, args.call)) return Value::unknown();
  auto propagates = [&] { return propagatesNan(emit, args, 3); };
  if (t[0].scalar()->isFloat()) {
    auto propagate = propagates();
    if (!propagate) return Value::unknown();
    auto nan = *propagate ? tt::PropagateNan::ALL : tt::PropagateNan::NONE;
    return emit.value(emit.create<tt::ClampFOp>(t[0].handle.getType(), t[0].handle, t[1].handle,
                                                t[2].handle, nan),
                      t[0].type);
  }
  if (emit.follows(releases::Rule::OnlyFloatsClamp))
    return emit.error(Id::UnexpectedType, args.call, "clamp", t[0].type);
  Tensor atLeast = codegen::minMax(emit, operand(t[0], operands[0].at),
                                   operand(t[1], operands[1].at), true, propagates, args.call);
  if (!atLeast) return Value::unknown();
  Tensor between = codegen::minMax(emit, operand(atLeast, operands[0].at),
                                   operand(t[2], operands[2].at), false, propagates, args.call);
  return withoutNan(emit, between, args, 3);
}

Value fdiv(IrBuilder& emit, const Arguments& args) {
  Operand left, right;
  if (!asOperands(emit, args, "fdiv", left, right)) return Value::unknown();
  auto ieee = truthArgument(emit, args, 2, "ieee_rounding"),
       approx = truthArgument(emit, args, 3, "approx");
  if (!ieee || !approx) return Value::unknown();
  if (*ieee && *approx)
    return emit.error(Id::BadArgument, args.call, "approx and ieee_rounding cannot both be true");
  Operand operands[] = {left, right};
  if (!takeTensors(emit, operands)) return Value::unknown();
  bool promotes = !emit.follows(releases::Rule::FdivTakesFloats);
  for (const Operand& operand : operands)
    if (!promotes && !operand.tensor.scalar()->isFloat())
      return emit.error(Id::UnexpectedType, operand.at, "fdiv", operand.tensor.type);
  Tensor a, b;
  if (!unify(emit, operands[0], operands[1], a, b, args.call,
             {.arithmetic = promotes, .divOrMod = true}))
    return Value::unknown();
  if (!a.scalar()->isFloat()) return emit.error(Id::UnexpectedType, args.call, "fdiv", a.type);
  if (*approx && !a.scalar()->isScalar(ScalarKind::Fp32))
    return emit.error(Id::DtypeMismatch, args.call, "approximate division", "float32", a.scalar());
  mlir::Value result;
  if (*approx)
    result = emit.create<tt::ApproxDivFOp>(a.handle.getType(), a.handle, b.handle);
  else if (*ieee)
    result = emit.create<tt::PreciseDivFOp>(a.handle.getType(), a.handle, b.handle);
  else
    result = emit.create<arith::DivFOp>(a.handle, b.handle);
  return emit.value(result, a.type);
}

} // namespace rules

} // namespace gluond::codegen
