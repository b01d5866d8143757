// Names that earlier versions of Gluon had and Triton 3.9.0 has no more, not even to say so (those
// that it still knows and refuses are rows REMOVED of the table of builtins). Kept apart from the
// builtins: for `hasattr` they do not exist.
#pragma once

#include <llvm/ADT/StringRef.h>

namespace gluond::codegen {

struct DroppedName {
  llvm::StringLiteral where; // the end of the module's dotted name, or the class
  llvm::StringLiteral name;
  llvm::StringLiteral
      replacement; // a name of the same module or class that takes its place; empty: see advice
  llvm::StringLiteral advice;
};

// Null: never heard of it. `where`: a module's dotted name or a class's name.
const DroppedName* findDropped(llvm::StringRef where, llvm::StringRef name);

} // namespace gluond::codegen
