// Functions of elements.
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"
#include "releases/Rules.h"

#include <mlir/Dialect/Math/IR/Math.h>

namespace gluond::codegen {

namespace math = mlir::math;

// An argument of a type that the function is not defined for: it may be converted to the first one
// that is allowed.
static void unexpected(IrBuilder& emit, const Arguments& args, size_t i, llvm::StringRef function,
                       const Type* scalar, llvm::ArrayRef<ScalarKind> allowed) {
  std::string takes;
  for (ScalarKind kind : allowed)
    takes += (takes.empty() ? "" : " or ") + emit.text(scalarType(kind));
  auto reported = emit.error(Id::UnexpectedType, args.node(i), function,
                             emit.text(scalar) + ": the argument must be " + takes);
  std::string language = emit.languageName();
  if (!args.given(i) || language.empty() || scalar->isPointer()) return;
  const syntax::Expr* node = args.nodes[i];
  std::string text = emit.sourceText(node).str();
  if (llvm::isa<syntax::Constant>(node))
    text += ".0";
  else {
    if (!llvm::isa<syntax::NameExpr, syntax::Call, syntax::Attribute, syntax::Subscript>(node))
      text = "(" + text + ")";
    text += ".to(" + language + "." + emit.text(scalarType(allowed.front())) + ")";
  }
  reported.fix(diagnostics::FixId::TryText, {{node->range, text}}, text);
}

// Triton looks at the dtypes of tensors only; numbers pass.
static bool checkDtype(IrBuilder& emit, const Arguments& args, llvm::StringRef function,
                       llvm::ArrayRef<ScalarKind> allowed) {
  for (size_t i = 0; i < args.size(); ++i)
    if (Tensor tensor = asTensor(args[i]))
      if (!llvm::any_of(allowed,
                        [&](ScalarKind kind) { return tensor.scalar()->isScalar(kind); })) {
        unexpected(emit, args, i, function, tensor.scalar(), allowed);
        return false;
      }
  return true;
}

namespace rules {

Value unaryMath(IrBuilder& emit, const Arguments& args, MathKind kind) {
  static constexpr llvm::StringLiteral names[] = {"exp", "exp2",  "log",  "log2",
                                                  "cos", "sin",   "sqrt", "rsqrt",
                                                  "erf", "floor", "ceil", "sqrt_rn"};
  static constexpr ScalarKind both[] = {ScalarKind::Fp32, ScalarKind::Fp64};
  llvm::ArrayRef<ScalarKind> allowed = both;
  if (kind == MathKind::sqrt_rn) allowed = allowed.take_front();
  if (!checkDtype(emit, args, names[static_cast<unsigned>(kind)], allowed)) return Value::unknown();
  Tensor x = toTensorArgument(emit, args, 0);
  if (!x) return Value::unknown();
  if (!x.scalar()->isFloat()) {
    unexpected(emit, args, 0, names[static_cast<unsigned>(kind)], x.scalar(), allowed);
    return Value::unknown();
  }
  auto with = [&]<typename Op>(Op*) { return emit.value(emit.create<Op>(x.handle), x.type); };
  switch (kind) {
  case MathKind::exp:
    return with(static_cast<math::ExpOp*>(nullptr));
  case MathKind::exp2:
    return with(static_cast<math::Exp2Op*>(nullptr));
  case MathKind::log:
    return with(static_cast<math::LogOp*>(nullptr));
  case MathKind::log2:
    return with(static_cast<math::Log2Op*>(nullptr));
  case MathKind::cos:
    return with(static_cast<math::CosOp*>(nullptr));
  case MathKind::sin:
    return with(static_cast<math::SinOp*>(nullptr));
  case MathKind::sqrt:
    return with(static_cast<math::SqrtOp*>(nullptr));
  case MathKind::rsqrt:
    return with(static_cast<math::RsqrtOp*>(nullptr));
  case MathKind::erf:
    return with(static_cast<math::ErfOp*>(nullptr));
  case MathKind::floor:
    return with(static_cast<math::FloorOp*>(nullptr));
  case MathKind::ceil:
    return with(static_cast<math::CeilOp*>(nullptr));
  case MathKind::sqrt_rn:
    return emit.value(emit.create<tt::PreciseSqrtOp>(x.handle.getType(), x.handle), x.type);
  }
  return Value::unknown();
}

Value absolute(IrBuilder& emit, const Arguments& args) {
  Tensor x = toTensorArgument(emit, args, 0);
  if (!x) return Value::unknown();
  if (x.scalar()->isFloat()) return emit.value(emit.create<math::AbsFOp>(x.handle), x.type);
  if (x.scalar()->isSignedInt()) return emit.value(emit.create<math::AbsIOp>(x.handle), x.type);
  if (x.scalar()->isInt()) return wrap(emit, x);
  return emit.error(Id::UnexpectedType, args.node(0), "abs", x.type);
}

Value divRn(IrBuilder& emit, const Arguments& args) {
  if (!checkDtype(emit, args, "div_rn", ScalarKind::Fp32)) return Value::unknown();
  Operand operands[2];
  Tensor a, b;
  if (!asOperands(emit, args, "div_rn", operands[0], operands[1]) || !takeTensors(emit, operands) ||
      !unify(emit, operands[0], operands[1], a, b, args.call))
    return Value::unknown();
  return emit.value(emit.create<tt::PreciseDivFOp>(a.handle.getType(), a.handle, b.handle), a.type);
}

Value umulhi(IrBuilder& emit, const Arguments& args) {
  static constexpr ScalarKind allowed[] = {ScalarKind::Int32, ScalarKind::Int64, ScalarKind::UInt32,
                                           ScalarKind::UInt64};
  if (!checkDtype(emit, args, "umulhi", allowed)) return Value::unknown();
  Operand operands[2];
  Tensor a, b;
  if (!asOperands(emit, args, "umulhi", operands[0], operands[1]) || !takeTensors(emit, operands) ||
      !unify(emit, operands[0], operands[1], a, b, args.call))
    return Value::unknown();
  return emit.value(emit.create<tt::MulhiUIOp>(a.handle.getType(), a.handle, b.handle), a.type);
}

Value fma(IrBuilder& emit, const Arguments& args) {
  Operand operands[3];
  if (!asOperands(emit, args, operands)) return Value::unknown();
  Tensor t[3];
  bool inPairs = emit.follows(releases::Rule::FunctionsTakeTensors);
  if (!takeTensors(emit, operands) ||
      !(inPairs ? unifyInPairs(emit, operands, t, {{0, 1}, {2, 0}, {2, 1}}, args.call)
                : unify(emit, operands, t, args.call)))
    return Value::unknown();
  if (!t[0].scalar()->isFloat()) return emit.error(Id::UnexpectedType, args.call, "fma", t[0].type);
  return emit.value(emit.create<math::FmaOp>(t[0].handle, t[1].handle, t[2].handle), t[0].type);
}

} // namespace rules

} // namespace gluond::codegen
