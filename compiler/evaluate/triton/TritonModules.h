// The modules of Triton 3.9.0 by name, all of them: what is not here, no import finds.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <optional>

namespace gluond::evaluate {

// Dotted names, sorted.
llvm::ArrayRef<llvm::StringRef> tritonModules();
// Whether Triton has a module of that name; nullopt: it is none of Triton's, or inside its compiled
// part.
std::optional<bool> isTritonModule(llvm::StringRef dottedName);
// The names in a module; empty: they are not known.
llvm::ArrayRef<llvm::StringRef> tritonNames(llvm::StringRef dottedName);
// Whether a module has a name; nullopt: not known.
std::optional<bool> tritonHas(llvm::StringRef dottedName, llvm::StringRef name);

} // namespace gluond::evaluate
