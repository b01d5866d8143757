// Python's reserved words and the form of identifiers.
#pragma once

#include <llvm/ADT/StringExtras.h>

namespace gluond::syntax {

// Hard keywords, including True, False and None; `match`, `case`, `type` and `_` are names.
bool isKeyword(llvm::StringRef text);

// Whether it starts with a letter or underscore and continues with letters, digits, underscores;
// all bytes beyond ASCII count as letters.
bool isIdentifier(llvm::StringRef text);
inline bool isIdentifierStart(char c) {
  return c == '_' || llvm::isAlpha(c) || static_cast<unsigned char>(c) >= 0x80;
}
inline bool isIdentifierPart(char c) {
  return isIdentifierStart(c) || llvm::isDigit(c);
}

} // namespace gluond::syntax
