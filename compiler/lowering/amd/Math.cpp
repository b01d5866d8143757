// Functions of floats: the hardware's approximations, LLVM's expansions, and AMD's device library.
#include "lowering/Elementwise.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

template <unsigned id> llvm::Value* intrinsicOf(FunctionEmitter& e, Registers v) {
  return e.intrinsic(id, {v[0]->getType()}, v);
}

// 2^(x log2 e), denormal numbers included.
llvm::Value* exponential(FunctionEmitter& e, Registers v) {
  constexpr double log2E = 1.4426950408889634;
  return e.intrinsic(In::exp2, {v[0]->getType()},
                     {e.b.CreateFMul(v[0], llvm::ConstantFP::get(v[0]->getType(), log2E))});
}
llvm::Value* divide(FunctionEmitter& e, Registers v) {
  return e.b.CreateFDiv(v[0], v[1]);
}
llvm::Value* divideFast(FunctionEmitter& e, Registers v) {
  return e.b.CreateFMul(v[0], e.intrinsic(In::amdgcn_rcp, {v[1]->getType()}, {v[1]}));
}
llvm::Value* remainder(FunctionEmitter& e, Registers v) {
  return e.b.CreateFRem(v[0], v[1]);
}

// For doubles and for narrower floats: instructions, or else a function of the library. Narrow
// floats go through float.
struct Function {
  using Maker = llvm::Value* (*)(FunctionEmitter & e, Registers v);
  llvm::StringLiteral op, library; // "__ocml_" library "_f32"
  Maker makeDoubles = nullptr, makeFloats = nullptr;
};
constexpr Function functions[] = {
    {"arith.divf", "", divide, divide},
    {"arith.remf", "", remainder, remainder},
    {"math.cos", "cos"},
    {"math.erf", "erf"},
    {"math.exp", "exp", nullptr, exponential},
    {"math.exp2", "exp2", nullptr, intrinsicOf<In::amdgcn_exp2>},
    {"math.expm1", "expm1"},
    {"math.log", "log", nullptr, intrinsicOf<In::log>},
    {"math.log1p", "log1p"},
    {"math.log2", "log2", nullptr, intrinsicOf<In::log2>},
    {"math.rsqrt", "rsqrt", nullptr, intrinsicOf<In::amdgcn_rsq>},
    {"math.sin", "sin"},
    {"math.sqrt", "", intrinsicOf<In::sqrt>, intrinsicOf<In::amdgcn_sqrt>},
    {"math.tan", "tan"},
    {"math.tanh", "tanh"},
    {"tt.approx_divf", "", divide, divideFast},
    {"tt.precise_divf", "", divide, divide},
    {"tt.precise_sqrt", "", intrinsicOf<In::sqrt>, intrinsicOf<In::sqrt>},
};

} // namespace

llvm::Value* AmdTarget::math(FunctionEmitter& e, llvm::StringRef op, Registers operands) const {
  const auto* function = llvm::find_if(functions, [&](const Function& f) { return f.op == op; });
  assert(function != std::end(functions) && "a shared handler asks for a function without a row");
  llvm::Type *type = operands.front()->getType(), *f32 = e.b.getFloatTy();
  auto call = [&](llvm::StringRef suffix, llvm::Type* of, Registers values) {
    return callLibrary(e, ("__ocml_" + function->library + suffix).str(), of, values);
  };
  if (type->isDoubleTy())
    return function->makeDoubles ? function->makeDoubles(e, operands)
                                 : call("_f64", type, operands);
  RegisterList wide;
  for (llvm::Value* operand : operands)
    wide.push_back(e.b.CreateFPExt(operand, f32));
  llvm::Value* value =
      function->makeFloats ? function->makeFloats(e, wide) : call("_f32", f32, wide);
  return e.b.CreateFPTrunc(value, type);
}

} // namespace gluond::lowering::amd
