// Functions of floats: the hardware's approximations, and NVIDIA's device library.
#include "ir/tt/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/IR/IntrinsicsNVPTX.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace gluond::lowering::nvidia {

namespace {

// 2^(x log2 e) with the hardware's 2^x. Unlike Triton's other functions it keeps denormal numbers.
// Intrinsics, as in Triton: LLVM orders the operands of sums by what it cannot move, such as
// assembly, and fuses the first of two products.
llvm::Value* exponential(FunctionEmitter& e, Registers v) {
  llvm::Type* type = v[0]->getType();
  llvm::Value* exponent = e.b.CreateFMul(v[0], llvm::ConstantFP::get(type, 1.4426950408889634));
  return e.intrinsic(llvm::Intrinsic::nvvm_ex2_approx, {type}, {exponent});
}
llvm::Value* exponentialOfTwo(FunctionEmitter& e, Registers v) {
  return e.intrinsic(llvm::Intrinsic::nvvm_ex2_approx_ftz, {v[0]->getType()}, {v[0]});
}
llvm::Value* squareRoot(FunctionEmitter& e, Registers v) {
  return e.intrinsic(llvm::Intrinsic::nvvm_sqrt_approx_ftz_f, {}, {v[0]});
}
llvm::Value* squareRootOfDouble(FunctionEmitter& e, Registers v) {
  return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, v[0]);
}
// As fast as torch's own: within two units in the last place.
llvm::Value* divide(FunctionEmitter& e, Registers v) {
  llvm::Type* f32 = e.b.getFloatTy();
  llvm::Value* quotient = e.intrinsic(llvm::Intrinsic::nvvm_div_full, {},
                                      {e.b.CreateFPExt(v[0], f32), e.b.CreateFPExt(v[1], f32)});
  return e.b.CreateFPTrunc(quotient, v[0]->getType());
}
llvm::Value* divideRoughly(FunctionEmitter& e, Registers v) {
  return e.intrinsic(llvm::Intrinsic::nvvm_div_approx_f, {}, {v[0], v[1]});
}
llvm::Value* divideDoubles(FunctionEmitter& e, Registers v) {
  return e.b.CreateFDiv(v[0], v[1]);
}
// Rounded to the nearest. LLVM's own division and root would be made of two in its vectorizer, and
// with them the products and sums around them, which are then fused in other places than in
// Triton's code.
llvm::Value* divideExactly(FunctionEmitter& e, Registers v) {
  return e.intrinsic(llvm::Intrinsic::nvvm_div_rn_f, {}, {v[0], v[1]});
}
llvm::Value* squareRootExactly(FunctionEmitter& e, Registers v) {
  return e.intrinsic(llvm::Intrinsic::nvvm_sqrt_rn_f, {}, {v[0]});
}
// x - trunc(x / y) y, which rounds the quotient: no library's remainder, but Triton's.
llvm::Value* remainder(FunctionEmitter& e, Registers v) {
  llvm::Type *type = v[0]->getType(), *f32 = e.b.getFloatTy();
  if (type->isDoubleTy()) return e.b.CreateFRem(v[0], v[1]);
  llvm::Value* wide = e.b.CreateFRem(e.b.CreateFPExt(v[0], f32), e.b.CreateFPExt(v[1], f32));
  return e.b.CreateFPTrunc(wide, type);
}

// For doubles and for narrower floats: instructions, or else a function of the library. The library
// has it for float, through which narrower ones go.
struct Function {
  using Maker = llvm::Value* (*)(FunctionEmitter & e, Registers v);
  llvm::StringLiteral op, doubles, floats;
  Maker makeDoubles = nullptr, makeFloats = nullptr;
};
constexpr Function functions[] = {
    {"arith.divf", "", "", divideDoubles, divide},
    {"arith.remf", "", "", remainder, remainder},
    {"math.cos", "__nv_cos", "__nv_cosf"},
    {"math.erf", "__nv_erf", "__nv_erff"},
    {"math.exp", "__nv_exp", "", nullptr, exponential},
    {"math.exp2", "__nv_exp2", "", nullptr, exponentialOfTwo},
    {"math.expm1", "__nv_expm1", "__nv_expm1f"},
    {"math.log", "__nv_log", "__nv_logf"},
    {"math.log1p", "__nv_log1p", "__nv_log1pf"},
    {"math.log2", "__nv_log2", "__nv_log2f"},
    {"math.rsqrt", "__nv_rsqrt", "__nv_rsqrtf"},
    {"math.sin", "__nv_sin", "__nv_sinf"},
    {"math.sqrt", "", "", squareRootOfDouble, squareRoot},
    {"math.tan", "__nv_tan", "__nv_tanf"},
    {"math.tanh", "__nv_tanh", "__nv_tanhf"},
    {"tt.approx_divf", "", "", divideDoubles, divideRoughly},
    {"tt.precise_divf", "", "", divideDoubles, divideExactly},
    {"tt.precise_sqrt", "", "", squareRootOfDouble, squareRootExactly},
};

std::optional<double> numberOf(mlir::Value value) {
  llvm::APFloat number(0.0);
  if (!mlir::matchPattern(value, mlir::m_ConstantFloat(&number))) return std::nullopt;
  bool inexact = false;
  number.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &inexact);
  return number.convertToDouble();
}

// Whether a clamp's limits are -x and x, in the forms in which Triton sees it.
bool limitsMagnitude(tt::ClampFOp op) {
  namespace arith = mlir::arith;
  mlir::Value least = op.getMin(), most = op.getMax();
  auto isNegative = [](mlir::Value negative, mlir::Value value) {
    auto negation = negative.getDefiningOp<arith::NegFOp>();
    return negation && negation.getOperand() == value;
  };
  if (isNegative(least, most)) return true;
  auto leastSplat = least.getDefiningOp<tt::SplatOp>(),
       mostSplat = most.getDefiningOp<tt::SplatOp>();
  if (leastSplat && mostSplat && isNegative(leastSplat.getSrc(), mostSplat.getSrc())) return true;
  if (auto difference = least.getDefiningOp<arith::SubFOp>();
      difference && difference.getRhs() == most)
    if (auto from = numberOf(difference.getLhs()); from && *from == 0.0) return true;
  auto low = numberOf(least), high = numberOf(most);
  return low && high && *low == -*high;
}

// min.xorsign.abs, the smaller magnitude with the signs of both: what Triton makes of such a clamp,
// and for a NaN another number than the maximum and the minimum would give.
struct MagnitudeLimit {
  llvm::Intrinsic::ID drops, propagates; // NaNs
};
MagnitudeLimit magnitudeLimit(const llvm::Type* type) {
  namespace In = llvm::Intrinsic;
  if (type->isFloatTy()) return {In::nvvm_fmin_xorsign_abs_f, In::nvvm_fmin_nan_xorsign_abs_f};
  if (type->isHalfTy()) return {In::nvvm_fmin_xorsign_abs_f16, In::nvvm_fmin_nan_xorsign_abs_f16};
  if (type->isBFloatTy())
    return {In::nvvm_fmin_xorsign_abs_bf16, In::nvvm_fmin_nan_xorsign_abs_bf16};
  return {In::not_intrinsic, In::not_intrinsic};
}

bool clamp(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::ClampFOp>(operation);
  MagnitudeLimit limit = magnitudeLimit(e.elementType(op.getType()));
  if (!has(e, smallerMagnitude) || limit.drops == llvm::Intrinsic::not_intrinsic ||
      !limitsMagnitude(op))
    return lowerAsShared(e, op);
  const bool propagates = op.getPropagateNan() == tt::PropagateNan::ALL;
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
    return e.intrinsic(propagates ? limit.propagates : limit.drops, {}, {v[0], v[2]});
  });
}

// As those of NVIDIA's library, which make zero of denormal numbers first: below zero, the largest
// integer of one of these is -0, not -1.
template <llvm::Intrinsic::ID ofFloats, llvm::Intrinsic::ID ofOthers>
bool toInteger(FunctionEmitter& e, mlir::Operation* op) {
  return elementwise(e, op, [](FunctionEmitter& e, Registers v) -> llvm::Value* {
    return v[0]->getType()->isFloatTy() ? e.intrinsic(ofFloats, {}, {v[0]})
                                        : e.b.CreateUnaryIntrinsic(ofOthers, v[0]);
  });
}

} // namespace

llvm::ArrayRef<OpRow> floatOps() {
  namespace In = llvm::Intrinsic;
  static constexpr OpRow rows[] = {{"tt.clampf", clamp},
                                   {"math.floor", toInteger<In::nvvm_floor_ftz_f, In::floor>},
                                   {"math.ceil", toInteger<In::nvvm_ceil_ftz_f, In::ceil>}};
  return rows;
}

llvm::Value* NvidiaTarget::math(FunctionEmitter& e, llvm::StringRef op, Registers operands) const {
  const auto* function = llvm::find_if(functions, [&](const Function& f) { return f.op == op; });
  assert(function != std::end(functions) && "a shared handler asks for a function without a row");
  llvm::Type *type = operands.front()->getType(), *f32 = e.b.getFloatTy();
  if (type->isDoubleTy())
    return function->makeDoubles ? function->makeDoubles(e, operands)
                                 : callLibrary(e, function->doubles, type, operands);
  if (function->makeFloats) return function->makeFloats(e, operands);
  RegisterList wide;
  for (llvm::Value* operand : operands)
    wide.push_back(e.b.CreateFPExt(operand, f32));
  return e.b.CreateFPTrunc(callLibrary(e, function->floats, f32, wide), type);
}

} // namespace gluond::lowering::nvidia
