// The signatures of Python's own functions that kernels may call.
#pragma once

#include "lsp/features/completion/Signature.h"

namespace gluond::lsp {

// Returns nullopt if kernels cannot call it. `hasSeveral`: more than one argument is given, which
// decides what the first one of `range` is.
std::optional<Callable> pythonFunction(llvm::StringRef name, bool hasSeveral);

// The same of a function or class of Triton for host code that the table of builtins does not list,
// by its full name: triton.autotune.
std::optional<Callable> tritonFunction(llvm::StringRef name);

} // namespace gluond::lsp
