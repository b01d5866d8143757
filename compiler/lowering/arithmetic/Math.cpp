// Functions of one and more numbers, and of device libraries.
#include "ir/tt/Ops.h"
#include "lowering/Elementwise.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering {

llvm::Value* deviceLibrary(Emitter& e, llvm::StringRef name, llvm::Type* result,
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

using Maker = llvm::Value* (*)(Emitter & e, Registers v);
template <Maker make> bool each(Emitter& e, mlir::Operation* op) {
  return elementwise(e, op, make);
}

template <llvm::Intrinsic::ID id> llvm::Value* unary(Emitter& e, Registers v) {
  return e.b.CreateUnaryIntrinsic(id, v[0]);
}

llvm::Value* approximate(Emitter& e, llvm::StringRef instruction, llvm::Value* x) {
  return e.assembly(e.b.getFloatTy(), (instruction + " $0, $1;").str(), "=f,f", {x}, false);
}

// 2^(x log2 e) with the hardware's 2^x.
llvm::Value* exponential(Emitter& e, Registers v) {
  if (v[0]->getType()->isDoubleTy()) return deviceLibrary(e, "__nv_exp", v[0]->getType(), v);
  return approximate(
      e, "ex2.approx.f32",
      e.b.CreateFMul(v[0], llvm::ConstantFP::get(v[0]->getType(), 1.4426950408889634)));
}
llvm::Value* exponentialOfTwo(Emitter& e, Registers v) {
  if (v[0]->getType()->isDoubleTy()) return deviceLibrary(e, "__nv_exp2", v[0]->getType(), v);
  return approximate(e, "ex2.approx.f32", v[0]);
}
llvm::Value* squareRoot(Emitter& e, Registers v) {
  if (v[0]->getType()->isDoubleTy()) return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, v[0]);
  return approximate(e, "sqrt.approx.f32", v[0]);
}
llvm::Value* preciseSquareRoot(Emitter& e, Registers v) {
  return e.b.CreateUnaryIntrinsic(llvm::Intrinsic::sqrt, v[0]);
}

// By name in NVIDIA's library, for float and double; narrower floats go through float.
struct LibraryFunction {
  llvm::StringLiteral op, forDouble, forFloat;
};
constexpr LibraryFunction libraryFunctions[] = {
    {"math.log", "__nv_log", "__nv_logf"},       {"math.log2", "__nv_log2", "__nv_log2f"},
    {"math.sin", "__nv_sin", "__nv_sinf"},       {"math.cos", "__nv_cos", "__nv_cosf"},
    {"math.erf", "__nv_erf", "__nv_erff"},       {"math.rsqrt", "__nv_rsqrt", "__nv_rsqrtf"},
    {"math.tanh", "__nv_tanh", "__nv_tanhf"},    {"math.tan", "__nv_tan", "__nv_tanf"},
    {"math.log1p", "__nv_log1p", "__nv_log1pf"}, {"math.expm1", "__nv_expm1", "__nv_expm1f"}};

bool library(Emitter& e, mlir::Operation* op) {
  const auto* function = llvm::find_if(libraryFunctions, [&](const LibraryFunction& f) {
    return op->getName().getStringRef() == f.op;
  });
  return elementwise(e, op, [&](Emitter& e, Registers v) -> llvm::Value* {
    llvm::Type* type = v[0]->getType();
    if (type->isDoubleTy()) return deviceLibrary(e, function->forDouble, type, v);
    llvm::Value* wide = e.b.CreateFPExt(v[0], e.b.getFloatTy());
    return e.b.CreateFPTrunc(deviceLibrary(e, function->forFloat, e.b.getFloatTy(), {wide}), type);
  });
}

llvm::Value* fusedMultiplyAdd(Emitter& e, Registers v) {
  return e.b.CreateIntrinsic(llvm::Intrinsic::fma, {v[0]->getType()}, {v[0], v[1], v[2]});
}
llvm::Value* absoluteInteger(Emitter& e, Registers v) {
  return e.b.CreateBinaryIntrinsic(llvm::Intrinsic::abs, v[0], e.i1(false));
}

bool external(Emitter& e, mlir::Operation* op) {
  auto call = mlir::cast<tt::ExternElementwiseOp>(op);
  llvm::Type* result = e.elementType(call.getType());
  if (call.getSymbol().empty()) return e.fail(op, "the device function has no name");
  return elementwise(e, op, [&](Emitter& e, Registers v) {
    return deviceLibrary(e, call.getSymbol(), result, v);
  });
}

} // namespace

void addMath(HandlerTable& table) {
  namespace In = llvm::Intrinsic;
  table["math.exp"] = each<exponential>;
  table["math.exp2"] = each<exponentialOfTwo>;
  table["math.sqrt"] = each<squareRoot>;
  table["tt.precise_sqrt"] = each<preciseSquareRoot>;
  table["math.absf"] = each<unary<In::fabs>>;
  table["math.absi"] = each<absoluteInteger>;
  table["math.floor"] = each<unary<In::floor>>;
  table["math.ceil"] = each<unary<In::ceil>>;
  table["math.fma"] = each<fusedMultiplyAdd>;
  for (const LibraryFunction& function : libraryFunctions)
    table[function.op] = library;
  table["tt.extern_elementwise"] = external;
}

} // namespace gluond::lowering
