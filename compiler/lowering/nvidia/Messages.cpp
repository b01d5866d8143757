// Messages to the host, over CUDA's vprintf and __assertfail.
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

namespace gluond::lowering::nvidia {

namespace {

// A C string in global memory, as a generic pointer.
llvm::Value* text(FunctionEmitter& e, llvm::StringRef content) {
  llvm::Constant* data = llvm::ConstantDataArray::getString(e.b.getContext(), content);
  auto* global = new llvm::GlobalVariable(e.state().module, data->getType(), true,
                                          llvm::GlobalValue::InternalLinkage, data, "text", nullptr,
                                          llvm::GlobalValue::NotThreadLocal, 1);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return e.b.CreateAddrSpaceCast(global, e.b.getPtrTy());
}

} // namespace

void NvidiaTarget::print(FunctionEmitter& e, llvm::StringRef format, Registers values) const {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* value : values)
    types.push_back(value->getType());
  auto* tuple = llvm::StructType::get(e.b.getContext(), types);
  llvm::IRBuilder<> entry(&e.function()->getEntryBlock(), e.function()->getEntryBlock().begin());
  llvm::Value* buffer = entry.CreateAlloca(tuple);
  for (auto [i, value] : llvm::enumerate(values))
    e.b.CreateStore(value, e.b.CreateStructGEP(tuple, buffer, static_cast<unsigned>(i)));
  auto* type = llvm::FunctionType::get(e.b.getInt32Ty(), {e.b.getPtrTy(), e.b.getPtrTy()}, false);
  e.b.CreateCall(e.state().module.getOrInsertFunction("vprintf", type), {text(e, format), buffer});
}

void NvidiaTarget::assertionFailed(FunctionEmitter& e, llvm::StringRef message,
                                   const SourcePlace& place) const {
  llvm::Type* pointer = e.b.getPtrTy();
  auto* type = llvm::FunctionType::get(
      e.b.getVoidTy(), {pointer, pointer, e.b.getInt32Ty(), pointer, e.b.getInt64Ty()}, false);
  e.b.CreateCall(e.state().module.getOrInsertFunction("__assertfail", type),
                 {text(e, message), text(e, place.file), e.i32(place.line), text(e, place.function),
                  e.i64(1)});
}

} // namespace gluond::lowering::nvidia
