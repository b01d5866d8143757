// Messages to the host, by the device library's functions for it.
#include "lowering/Elementwise.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"

namespace gluond::lowering::amd {

namespace {

llvm::Value* text(FunctionEmitter& e, llvm::StringRef content) {
  llvm::Constant* data = llvm::ConstantDataArray::getString(e.b.getContext(), content);
  auto* global = new llvm::GlobalVariable(e.state().module, data->getType(), true,
                                          llvm::GlobalValue::InternalLinkage, data, "text", nullptr,
                                          llvm::GlobalValue::NotThreadLocal, constantSpace);
  global->setUnnamedAddr(llvm::GlobalValue::UnnamedAddr::Global);
  return e.b.CreateAddrSpaceCast(global, e.b.getPtrTy());
}

llvm::Value* call(FunctionEmitter& e, llvm::StringRef name, Registers arguments) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* argument : arguments)
    types.push_back(argument->getType());
  llvm::Type* message = e.b.getInt64Ty(); // a handle
  return e.b.CreateCall(
      e.state().module.getOrInsertFunction(name, llvm::FunctionType::get(message, types, false)),
      arguments);
}

// An argument as the library has it: 64 bits, floats as doubles.
llvm::Value* as64Bits(FunctionEmitter& e, llvm::Value* value) {
  llvm::Type *type = value->getType(), *i64 = e.b.getInt64Ty();
  if (type->isPointerTy()) return e.b.CreatePtrToInt(value, i64);
  if (type->isFloatingPointTy())
    return e.b.CreateBitCast(e.b.CreateFPExt(value, e.b.getDoubleTy()), i64);
  return e.b.CreateSExt(value, i64);
}

} // namespace

void AmdTarget::print(FunctionEmitter& e, llvm::StringRef format, Registers values) const {
  constexpr size_t mostOfOneCall = 7;
  llvm::Value* message = call(e, "__ockl_printf_begin", {e.i64(0)});
  message = call(e, "__ockl_printf_append_string_n",
                 {message, text(e, format), e.i64(static_cast<int64_t>(format.size()) + 1),
                  e.i32(values.empty())});
  for (size_t i = 0; i < values.size(); i += mostOfOneCall) {
    Registers some = values.slice(i, std::min(mostOfOneCall, values.size() - i));
    RegisterList arguments{message, e.i32(static_cast<int64_t>(some.size()))};
    for (llvm::Value* value : some)
      arguments.push_back(as64Bits(e, value));
    arguments.append(mostOfOneCall - some.size(), e.i64(0));
    arguments.push_back(e.i32(i + mostOfOneCall >= values.size()));
    message = call(e, "__ockl_printf_append_args", arguments);
  }
}

void AmdTarget::assertionFailed(FunctionEmitter& e, llvm::StringRef message,
                                const SourcePlace& place) const {
  print(e,
        (place.file + ":" + llvm::Twine(place.line) + ": " + place.function +
         ": device-side assertion failed: " + message + "\n")
            .str(),
        {});
  e.intrinsic(llvm::Intrinsic::trap, {}, {});
}

} // namespace gluond::lowering::amd
