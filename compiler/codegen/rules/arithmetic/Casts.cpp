// Conversions between scalar types.
#include "codegen/builder/OperandFixes.h"
#include "codegen/builder/Operators.h"
#include "codegen/rules/arithmetic/Float8e4b15.h"
#include "codegen/rules/common/Args.h"
#include "ir/tt/Ops.h"
#include "releases/Rules.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::codegen {

namespace arith = mlir::arith;

mlir::Value intCast(IrBuilder& emit, mlir::Value value, mlir::Type to, bool isSigned) {
  unsigned from = tt::bitWidth(mlir::getElementTypeOrSelf(value.getType()));
  unsigned target = tt::bitWidth(mlir::getElementTypeOrSelf(to));
  if (from == target) return emit.create<arith::BitcastOp>(to, value);
  if (from > target) return emit.create<arith::TruncIOp>(to, value);
  if (isSigned) return emit.create<arith::ExtSIOp>(to, value);
  return emit.create<arith::ExtUIOp>(to, value);
}

Tensor bitcast(IrBuilder& emit, Tensor tensor, const Type* scalar, const Node* at) {
  const Type* to = emit.types().withElement(tensor.type, scalar->scalar());
  if (same(tensor.type, to)) return tensor;
  const Type* from = tensor.scalar();
  if (from->isPointer() || to->scalar()->isPointer()) return cast(emit, tensor, to->scalar(), at);
  if (from->bits() != to->scalar()->bits()) {
    emit.error(Id::InvalidCast, at, from, to->scalar());
    return {};
  }
  mlir::Type ir = emit.irType(to);
  if (!ir) return {};
  return {emit.create<tt::BitcastOp>(ir, tensor.handle), to};
}

// Emits x != 0, the meaning of a conversion to bool.
static Tensor isNotZero(IrBuilder& emit, Tensor tensor, const Node* at) {
  mlir::Type type = emit.irType(tensor.scalar());
  mlir::Value zero = tensor.scalar()->isFloat() ? emit.constantFloat(0, type)
                                                : emit.constantInt(0, tensor.scalar()->bits());
  return compare(emit, syntax::CompareOp::NotEq, operand(tensor, at),
                 operand({zero, tensor.scalar()}, at), at);
}

// Returns the value of a keyword of the call at or around a node.
static const Node* keywordOf(const IrBuilder& emit, const Node* at, llvm::StringRef keyword) {
  for (const Node* each : {at, emit.node()})
    if (auto* call = llvm::dyn_cast_if_present<syntax::Call>(each))
      for (const syntax::Keyword& written : call->keywords)
        if (emit.names().text(written.name.name) == keyword) return written.value;
  return nullptr;
}

Tensor cast(IrBuilder& emit, Tensor tensor, const Type* scalar, const Node* at,
            std::optional<llvm::StringRef> rounding) {
  const Type *from = tensor.scalar(), *to = scalar->scalar();
  if (from == to || same(from, to)) return tensor;
  const Type* type = emit.types().withElement(tensor.type, to);
  std::optional<tt::RoundingMode> mode;
  if (rounding) {
    if (*rounding == "rtne")
      mode = tt::RoundingMode::RTNE;
    else if (*rounding == "rtz")
      mode = tt::RoundingMode::RTZ;
    else {
      auto reported =
          emit.error(Id::InvalidRounding, at,
                     "rounding mode '" + rounding->str() + "' is neither 'rtne' nor 'rtz'");
      if (const Node* argument = keywordOf(emit, at, "fp_downcast_rounding"))
        offerChoices(emit, reported, argument, *rounding, {"rtne", "rtz"});
      return {};
    }
  }
  bool custom = false;
  if (to->isFloat() && from->isFloat() && to->bits() < from->bits()) {
    if (!mode)
      mode = tt::RoundingMode::RTNE;
    else
      custom = *mode != tt::RoundingMode::RTNE;
  } else if (mode) {
    emit.error(Id::InvalidRounding, at,
               "a rounding mode needs a conversion from a wider to a narrower float, not from " +
                   emit.text(from) + " to " + emit.text(to));
    return {};
  }
  // The result has another type than `to` in places, which the target need not have.
  if (from->isScalar(ScalarKind::Fp8e4b15) || to->isScalar(ScalarKind::Fp8e4b15))
    return castFloat8e4b15(emit, tensor, to, at);
  mlir::Type ir = emit.irType(type);
  if (!ir) return {};
  auto toFloat = [&](std::optional<tt::RoundingMode> chosen) -> Tensor {
    tt::RoundingModeAttr attribute =
        chosen ? tt::RoundingModeAttr::get(emit.context(), *chosen) : tt::RoundingModeAttr();
    return {emit.create<tt::FpToFpOp>(ir, tensor.handle, attribute), type};
  };
  auto is = [](const Type* type, ScalarKind kind) { return type->isScalar(kind); };
  if (((is(from, ScalarKind::Bf16) && is(to, ScalarKind::Fp16)) ||
       (is(from, ScalarKind::Fp16) && is(to, ScalarKind::Bf16))) &&
      !emit.follows(releases::Rule::HalvesConvertThroughFloat32))
    return toFloat(tt::RoundingMode::RTNE);
  if ((from->isFp8() && to->isFloat()) || (from->isFloat() && to->isFp8()) || custom)
    return toFloat(mode);
  // Converts through float32 if there is no direct conversion.
  if ((is(from, ScalarKind::Fp16) || is(from, ScalarKind::Bf16)) && !is(to, ScalarKind::Fp32)) {
    Tensor wide = cast(emit, tensor, scalarType(ScalarKind::Fp32), at);
    return wide ? cast(emit, wide, to, at) : Tensor();
  }
  if (from->isFloat() && to->isFloat()) {
    if (from->bits() > to->bits()) return {emit.create<arith::TruncFOp>(ir, tensor.handle), type};
    if (from->bits() < to->bits()) return {emit.create<arith::ExtFOp>(ir, tensor.handle), type};
  }
  if (from->isInt() && to->isInt()) {
    if (to->isBool()) return isNotZero(emit, tensor, at);
    return {intCast(emit, tensor.handle, ir, from->isSignedInt() && !from->isBool()), type};
  }
  if (from->isStandardFloat() && to->isInt()) {
    if (to->isBool()) return isNotZero(emit, tensor, at);
    if (to->isSignedInt()) return {emit.create<arith::FPToSIOp>(ir, tensor.handle), type};
    return {emit.create<arith::FPToUIOp>(ir, tensor.handle), type};
  }
  if (from->isInt() && to->isStandardFloat()) {
    if (from->isSignedInt()) return {emit.create<arith::SIToFPOp>(ir, tensor.handle), type};
    return {emit.create<arith::UIToFPOp>(ir, tensor.handle), type};
  }
  if (from->isPointer() && to->isInt()) {
    if (to->bits() == 64) return {emit.create<tt::PtrToIntOp>(ir, tensor.handle), type};
    if (to->bits() == 1) {
      Tensor address = cast(emit, tensor, scalarType(ScalarKind::Int64), at);
      Tensor zero{emit.constantInt(0, 64), scalarType(ScalarKind::Int64)};
      return compare(emit, syntax::CompareOp::NotEq, operand(address, at), operand(zero, at), at);
    }
  }
  if (from->isInt() && to->isPointer())
    return {emit.create<tt::IntToPtrOp>(ir, tensor.handle), type};
  if (from->isPointer() && to->isPointer())
    return {emit.create<tt::BitcastOp>(ir, tensor.handle), type};
  emit.error(Id::InvalidCast, at, from, to);
  return {};
}

Value castTo(IrBuilder& emit, Value value, const Type* scalar, const Node* at) {
  Tensor tensor = asTensor(value);
  return tensor ? wrap(emit, cast(emit, tensor, scalar, at)) : Value::unknown();
}

namespace rules {

// cast(input, dtype, fp_downcast_rounding, bitcast)
Value castRule(IrBuilder& emit, const Arguments& args) {
  Tensor input = toTensorArgument(emit, args, 0);
  if (!input) return Value::unknown();
  const Type* type = dtypeArgument(emit, args, 1, "dtype");
  if (!type) return Value::unknown();
  auto asBits = boolArgument(emit, args, 3, "bitcast");
  if (!asBits) return Value::unknown();
  if (*asBits) return wrap(emit, bitcast(emit, input, type, args.call));
  std::optional<llvm::StringRef> rounding;
  if (!isNone(args, 2) && !same(input.scalar(), type->scalar())) { // not looked at otherwise
    rounding = stringArgument(emit, args, 2, "fp_downcast_rounding");
    if (!rounding) return Value::unknown();
  }
  return wrap(emit, cast(emit, input, type, args.call, rounding));
}

} // namespace rules

} // namespace gluond::codegen
