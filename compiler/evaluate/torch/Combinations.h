// torch's functions of several tensors, whose sizes must fit: cat, stack, where, einsum, linear.
#pragma once

#include "evaluate/torch/Torch.h"

namespace gluond::evaluate {

Value concatenate(Interpreter& in, const CallArguments& arguments);
Value stack(Interpreter& in, const CallArguments& arguments);
Value where(Interpreter& in, const CallArguments& arguments);
Value einsum(Interpreter& in, const CallArguments& arguments);
Value linear(Interpreter& in, const CallArguments& arguments);

} // namespace gluond::evaluate
