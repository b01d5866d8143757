// torch, abstractly: tensors with a shape, strides, a dtype, an alignment and no values; dtypes;
// devices; factories.
#pragma once

#include "evaluate/HostModules.h"

namespace gluond::evaluate {

llvm::ArrayRef<NativeModule> torchModules();
Value tensorDescriptorModule(Interpreter& in,
                             llvm::StringRef name); // triton.tools.tensor_descriptor

} // namespace gluond::evaluate
