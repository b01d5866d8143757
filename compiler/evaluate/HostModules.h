// The modules of host programs that are modelled abstractly: torch, pytest, numpy, triton's host
// side.
#pragma once

#include "evaluate/Tables.h"

namespace gluond::evaluate {

llvm::ArrayRef<NativeModule> hostModules();

// The class of a host object (torch.Tensor, ...); Unknown when it has none that programs test for.
Value hostType(Interpreter& in, Value value);
std::optional<bool> hostIsInstance(Interpreter& in, Value value, Value cls);

// triton.runtime.driver.active.get_current_target()
Value targetObject(Interpreter& in);

// TensorDescriptor(...) and TensorDescriptor.from_tensor(...)
Value makeTensorDescriptor(Interpreter& in, const CallArguments& arguments);
Value makeIm2ColDescriptor(Interpreter& in, const CallArguments& arguments);
Value descriptorFromTensor(Interpreter& in, const CallArguments& arguments);

} // namespace gluond::evaluate
