// Arguments for which a kernel is compiled, but which a launch cannot take.
#pragma once

#include "evaluate/launches/Launch.h"

#include <llvm/ADT/ArrayRef.h>

namespace gluond::evaluate {

// The owner of the cause NoSpecialization where the parameter is a constexpr.
inline constexpr llvm::StringLiteral unhashableConstant = "constexpr";

// Reports tensors that the GPU cannot access, and constants that cannot be hashed. The kernel is
// known all the same. Without a grid (Absent) it is only compiled, without a look-up.
void refuseArguments(Interpreter& in, const language::FunctionObject* kernel, Value grid,
                     llvm::ArrayRef<LaunchArgument> arguments);

} // namespace gluond::evaluate
