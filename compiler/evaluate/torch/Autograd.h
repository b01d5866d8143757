// torch.autograd, as far as launches need it: `apply` of a Function runs its `forward`, and
// `backward` of a tensor runs the `backward` of all Functions that the tensor was computed with,
// the last one first, with the context that `forward` filled.
//
// A tensor knows what computed it (TensorObject::origin). A gradient is dense and has the shape and
// the dtype of the output, unless the program gives one, or sums the output up.
#pragma once

#include "evaluate/interpreter/NativeTables.h"

namespace gluond::evaluate {

Value autogradModule(Interpreter& in, llvm::StringRef name);
// tensor.backward(gradient)
Value tensorBackward(Interpreter& in, const CallArguments& arguments);
// A method bound to a tensor that has an origin: what it returns has the same one.
Value withOrigin(Interpreter& in, Value tensor, Value method);
// Gives the result of an operation the origins of its operands.
Value withOrigins(Interpreter& in, Values operands, Value result);

} // namespace gluond::evaluate
