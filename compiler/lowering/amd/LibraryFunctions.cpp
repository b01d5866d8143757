// Functions of Triton's module libdevice that AMD's device library does not have, or that the chip
// has an instruction for: Triton makes instructions of them itself.
#include "ir/tt/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// e^x, without denormal numbers.
llvm::Value* exponential(FunctionEmitter& e, llvm::Value* x) {
  constexpr double log2E = 1.4426950408889634;
  return e.intrinsic(In::amdgcn_exp2, {x->getType()},
                     {e.b.CreateFMul(x, llvm::ConstantFP::get(x->getType(), log2E))});
}

// sign(x) (1 - 2 / (e^(2|x|) + 1)).
llvm::Value* hyperbolicTangent(FunctionEmitter& e, llvm::Value* x) {
  auto number = [&](double value) { return llvm::ConstantFP::get(x->getType(), value); };
  llvm::Value* magnitude = e.b.CreateUnaryIntrinsic(In::fabs, x);
  llvm::Value* grown = exponential(e, e.b.CreateFMul(magnitude, number(2)));
  llvm::Value* value =
      e.b.CreateFSub(number(1), e.b.CreateFDiv(number(2), e.b.CreateFAdd(grown, number(1))));
  return e.b.CreateBinaryIntrinsic(In::copysign, value, x);
}

struct Function {
  llvm::StringLiteral symbol; // after "__triton_hip_"
  llvm::Value* (*make)(FunctionEmitter& e, Registers v, llvm::Type* result);
};
constexpr Function functions[] = {
    {"fabs",
     [](FunctionEmitter& e, Registers v, llvm::Type*) -> llvm::Value* {
       return e.b.CreateUnaryIntrinsic(In::fabs, v[0]);
     }},
    {"fast_expf",
     [](FunctionEmitter& e, Registers v, llvm::Type*) { return exponential(e, v[0]); }},
    {"fast_fdividef",
     [](FunctionEmitter& e, Registers v, llvm::Type*) {
       return e.b.CreateFMul(v[0], e.intrinsic(In::amdgcn_rcp, {v[1]->getType()}, {v[1]}));
     }},
    {"fast_tanhf",
     [](FunctionEmitter& e, Registers v, llvm::Type*) { return hyperbolicTangent(e, v[0]); }},
    {"iabs",
     [](FunctionEmitter& e, Registers v, llvm::Type*) -> llvm::Value* {
       return e.b.CreateBinaryIntrinsic(In::abs, v[0], e.i1(false));
     }},
    {"llrint",
     [](FunctionEmitter& e, Registers v, llvm::Type* result) {
       return e.b.CreateFPToSI(e.b.CreateUnaryIntrinsic(In::rint, v[0]), result);
     }},
    {"rint",
     [](FunctionEmitter& e, Registers v, llvm::Type*) -> llvm::Value* {
       return e.b.CreateUnaryIntrinsic(In::rint, v[0]);
     }},
};

bool external(FunctionEmitter& e, mlir::Operation* op) {
  auto call = mlir::cast<tt::ExternElementwiseOp>(op);
  llvm::StringRef symbol = call.getSymbol();
  const auto* found = std::end(functions);
  if (symbol == "__ocml_tanh_f32" && generationOf(e) == Generation::Cdna5)
    return elementwise(e, op, [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
      return e.intrinsic(In::amdgcn_tanh, {v[0]->getType()}, {v[0]});
    });
  if (symbol.consume_front("__triton_hip_"))
    found = llvm::find_if(functions, [&](const Function& each) { return each.symbol == symbol; });
  if (found == std::end(functions)) return lowerAsShared(e, op);
  llvm::Type* result = e.elementType(call.getType());
  return elementwise(e, op,
                     [&](FunctionEmitter& e, Registers v) { return found->make(e, v, result); });
}

} // namespace

llvm::ArrayRef<OpRow> libraryOps() {
  static constexpr OpRow rows[] = {{"tt.extern_elementwise", external}};
  return rows;
}

} // namespace gluond::lowering::amd
