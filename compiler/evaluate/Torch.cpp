#include "evaluate/Torch.h"

namespace gluond::evaluate {

llvm::ArrayRef<NativeModule> torchModules() {
  static const NativeModule rows[] = {{"torch"}};
  return rows;
}
Value tensorDescriptorModule(Interpreter&, llvm::StringRef) {
  return Value::unknown();
}
Value hostType(Interpreter&, Value) {
  return Value::unknown();
}
std::optional<bool> hostIsInstance(Interpreter&, Value, Value) {
  return std::nullopt;
}
Value makeTensorDescriptor(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
Value makeIm2ColDescriptor(Interpreter&, const CallArguments&) {
  return Value::unknown();
}
Value descriptorFromTensor(Interpreter&, const CallArguments&) {
  return Value::unknown();
}

} // namespace gluond::evaluate
