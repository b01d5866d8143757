// Names under which other libraries, languages and compilers know what Gluon has under its own.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

struct OtherName {
  llvm::StringLiteral name, gluon; // a member of gl
};

llvm::ArrayRef<OtherName> otherNames();
// Returns the member of gl that a name of another library stands for, or "".
llvm::StringRef gluonNameFor(llvm::StringRef name);

// Returns the member of a module of a chip's operations that a name of another chip's module stands
// for, of those that it has, or "".
llvm::StringRef siblingFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has);

// Returns the parameter that a keyword of another library or an older Triton stands for, of those
// that the function has, or "".
llvm::StringRef keywordFor(llvm::StringRef name, llvm::function_ref<bool(llvm::StringRef)> has);

} // namespace gluond::codegen
