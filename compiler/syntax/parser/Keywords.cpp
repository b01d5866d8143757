#include "syntax/parser/Keywords.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSwitch.h>

namespace gluond::syntax {

bool isKeyword(llvm::StringRef text) {
  if (text.size() < 2 || text.size() > 8) return false;
  // The first letters that no keyword has turn away most names.
  static constexpr llvm::StringLiteral firsts = "FNTabcdefgilnoprtwy";
  if (!firsts.contains(text.front())) return false;
  return llvm::StringSwitch<bool>(text)
      .Cases({"False", "None", "True", "and", "as", "assert", "async", "await", "break", "class",
              "continue", "def"},
             true)
      .Cases({"del", "elif", "else", "except", "finally", "for", "from", "global", "if", "import",
              "in", "is"},
             true)
      .Cases({"lambda", "nonlocal", "not", "or", "pass", "raise", "return", "try", "while", "with",
              "yield"},
             true)
      .Default(false);
}

bool isIdentifier(llvm::StringRef text) {
  return !text.empty() && isIdentifierStart(text.front()) && llvm::all_of(text, isIdentifierPart);
}

} // namespace gluond::syntax
