// The words by which the driver knows that host code calls a function of Gluon that emits code.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::evaluate {

// The exception's message has them between the function and what Triton says.
inline constexpr llvm::StringLiteral worksInKernelsOnly = " works in kernels only: ";

} // namespace gluond::evaluate
