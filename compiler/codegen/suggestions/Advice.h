// What a kernel uses instead of the operations of CUDA, torch, NumPy and Triton that Gluon lacks.
#pragma once

#include "chips/Target.h"

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::codegen {

// Returns the advice for a function or variable of another library, such as "use gl.barrier()" for
// `__syncthreads`; "" if none is known. The names of a vendor's matrix products depend on the
// target.
std::string adviceFor(llvm::StringRef name, const chips::Target& target);

// The same for a method or attribute of a tensor: "use shape" for `size`.
std::string adviceForTensorMember(llvm::StringRef name, const chips::Target& target);

// Whether a module under this name usually is a library whose functions cannot run in a kernel, or
// Triton's language: math, np, torch, F, tl.
bool isLibraryName(llvm::StringRef name);

} // namespace gluond::codegen
