// Names that earlier versions of Gluon had and Triton 3.9.0 no longer knows at all (names that it
// still knows and refuses are rows REMOVED of the table of builtins). They are kept apart from the
// builtins because for `hasattr` they do not exist.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

struct FormerName {
  llvm::StringLiteral where; // the end of the module's dotted name, or the class
  llvm::StringLiteral name;
  llvm::StringLiteral
      replacement; // its successor in the same module or class; if empty, see advice
  llvm::StringLiteral advice;
};

// Returns null if the name is not known. `where` is a module's dotted name or a class's name.
const FormerName* findFormerName(llvm::StringRef where, llvm::StringRef name);

} // namespace gluond::codegen
