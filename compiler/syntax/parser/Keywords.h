// Python's reserved words and the form of identifiers.
#pragma once

#include <llvm/ADT/StringExtras.h>

namespace gluond::syntax {

// Hard keywords, True, False and None among them; `match`, `case`, `type` and `_` are names.
bool isKeyword(llvm::StringRef text);

// Starts with a letter or underscore and goes on with letters, digits, underscores; any byte past
// ASCII passes.
bool isIdentifier(llvm::StringRef text);
inline bool isIdentifierStart(char c) {
  return c == '_' || llvm::isAlpha(c) || static_cast<unsigned char>(c) >= 0x80;
}
inline bool isIdentifierPart(char c) {
  return isIdentifierStart(c) || llvm::isDigit(c);
}

} // namespace gluond::syntax
