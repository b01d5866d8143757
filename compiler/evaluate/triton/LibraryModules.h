// The modules of host programs that are modelled abstractly: torch, pytest, numpy, triton's host
// side.
#pragma once

#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

// The name of the class whose subclasses are tests, too.
inline constexpr llvm::StringLiteral unittestCase = "unittest.TestCase";

llvm::ArrayRef<NativeModule> hostModules();

llvm::ArrayRef<NativeRow> mxfpFunctions(); // of triton.tools.mxfp

// triton.runtime.driver.active.get_current_target()
Value targetObject(Interpreter& in);

// TensorDescriptor(...) and TensorDescriptor.from_tensor(...)
Value makeTensorDescriptor(Interpreter& in, const CallArguments& arguments);
Value makeTdmDescriptor(Interpreter& in, const CallArguments& arguments); // AMD's class
Value tdmDescriptorFromTensor(Interpreter& in, const CallArguments& arguments);
Value makeIm2ColDescriptor(Interpreter& in, const CallArguments& arguments);
Value descriptorFromTensor(Interpreter& in, const CallArguments& arguments);
Value im2ColDescriptorFromTensor(Interpreter& in, const CallArguments& arguments);

} // namespace gluond::evaluate
