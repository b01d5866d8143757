// Names under which other libraries, languages and compilers know what Gluon has under its own, and
// what a kernel uses instead of operations that Gluon lacks.
#pragma once

#include "chips/Target.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::codegen {

struct OtherName {
  llvm::StringLiteral names;  // separated by spaces
  llvm::StringLiteral gluon;  // the member of gl that does the same; empty if there is none
  llvm::StringLiteral advice; // "use gl.program_id(0)", where the name alone does not say enough
};

llvm::ArrayRef<OtherName> otherNames();
// Returns the member of gl that a name of another library stands for, or "".
llvm::StringRef gluonNameFor(llvm::StringRef name);
// Returns the advice for a function or variable of another library, or "". The names of a vendor's
// matrix products depend on the target.
std::string adviceFor(llvm::StringRef name, const chips::Target& target);
// The same for a method or attribute of a tensor: "use shape" for `size`.
std::string adviceForTensorMember(llvm::StringRef name, const chips::Target& target);
// The same for a member of a pointer, of which the kernel knows the element type alone.
llvm::StringRef adviceForPointerMember(llvm::StringRef name);

// Whether a module under this name usually is a library whose functions cannot run in a kernel, or
// Triton's language: math, np, torch, F, tl.
bool isLibraryName(llvm::StringRef name);

// Returns the member of a module or class of Gluon that the name of another one's member, or of
// another library's, stands for, of those that it has, or "".
llvm::StringRef siblingFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has);

// Returns the parameter that a keyword of another library or an older Triton stands for, of those
// that the function has, or "".
llvm::StringRef keywordFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has);

// The keywords of one call that are reported at most if its function has no such parameters. Each
// is compared with all others of the call.
inline constexpr size_t mostKeywordsTold = 64;

} // namespace gluond::codegen
