// Names under which other libraries, languages and compilers know what Gluon has under its own.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

struct OtherName {
  llvm::StringLiteral name, gluon; // a member of gl
};

llvm::ArrayRef<OtherName> otherNames();
// Returns the member of gl that a name of another library stands for, or "".
llvm::StringRef gluonNameFor(llvm::StringRef name);

} // namespace gluond::codegen
