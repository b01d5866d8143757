// Functions of one and more numbers, and of device libraries. Those that chips compute in ways of
// their own are TargetEmitter::math().
#include "ir/tt/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

namespace gluond::lowering {

llvm::Value* callLibrary(FunctionEmitter& e, llvm::StringRef name, llvm::Type* result,
                         Registers arguments) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  llvm::FunctionCallee callee =
      e.state().module.getOrInsertFunction(name, llvm::FunctionType::get(result, types, false));
  llvm::CallInst* call = e.b.CreateCall(callee, arguments);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  call->setDoesNotAccessMemory();
  return call;
}

namespace {

using Maker = llvm::Value* (*)(FunctionEmitter & e, Registers v);
template <Maker make> bool each(FunctionEmitter& e, mlir::Operation* op) {
  return elementwise(e, op, make);
}

template <llvm::Intrinsic::ID id> llvm::Value* unary(FunctionEmitter& e, Registers v) {
  return e.b.CreateUnaryIntrinsic(id, v[0]);
}

// For functions that each target computes in its own way.
bool ofTarget(FunctionEmitter& e, mlir::Operation* op) {
  llvm::StringRef name = op->getName().getStringRef();
  return elementwise(e, op,
                     [&](FunctionEmitter& e, Registers v) { return e.target().math(e, name, v); });
}

llvm::Value* fusedMultiplyAdd(FunctionEmitter& e, Registers v) {
  return e.b.CreateIntrinsic(llvm::Intrinsic::fma, {v[0]->getType()}, {v[0], v[1], v[2]});
}
// Of 8-bit floats too, which are integers here: all have their sign in the highest bit.
llvm::Value* absoluteFloat(FunctionEmitter& e, Registers v) {
  if (v[0]->getType()->isIntegerTy(8)) return e.b.CreateAnd(v[0], e.b.getInt8(0x7f));
  return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::fabs, v[0]);
}
llvm::Value* absoluteInteger(FunctionEmitter& e, Registers v) {
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, v[0], e.i1(false));
}

bool external(FunctionEmitter& e, mlir::Operation* op) {
  auto call = mlir::cast<tt::ExternElementwiseOp>(op);
  llvm::Type* result = e.elementType(call.getType());
  if (call.getSymbol().empty()) return e.fail(op, "the device function has no name");
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) {
    return callLibrary(e, call.getSymbol(), result, v);
  });
}

} // namespace

llvm::ArrayRef<OpRow> mathOps() {
  namespace In = llvm::Intrinsic;
  static constexpr OpRow rows[] = {
      {"arith.divf", ofTarget}, // within two units in the last place
      {"arith.remf", ofTarget},
      {"tt.approx_divf", ofTarget},
      {"math.cos", ofTarget},
      {"math.erf", ofTarget},
      {"math.exp", ofTarget},
      {"math.exp2", ofTarget},
      {"math.expm1", ofTarget},
      {"math.log", ofTarget},
      {"math.log1p", ofTarget},
      {"math.log2", ofTarget},
      {"math.rsqrt", ofTarget},
      {"math.sin", ofTarget},
      {"math.sqrt", ofTarget},
      {"math.tan", ofTarget},
      {"math.tanh", ofTarget},
      {"tt.precise_divf", ofTarget},
      {"tt.precise_sqrt", ofTarget},
      {"math.absf", each<absoluteFloat>},
      {"math.absi", each<absoluteInteger>},
      {"math.floor", each<unary<In::floor>>},
      {"math.ceil", each<unary<In::ceil>>},
      {"math.fma", each<fusedMultiplyAdd>},
      {"tt.extern_elementwise", external},
  };
  return rows;
}

} // namespace gluond::lowering
