#include "syntax/recovery/LineEnd.h"

#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

namespace gluond::syntax {

// Whether the last word is a keyword that no line of correct Python ends with: "x = not", "a and".
static bool endsWithOpenKeyword(llvm::StringRef said) {
  size_t begin = said.size();
  while (begin > 0 && isIdentifierPart(said[begin - 1]))
    --begin;
  if (begin > 0 && (said[begin - 1] == '.' || said[begin - 1] == '\\')) return false;
  llvm::StringRef word = said.drop_front(begin);
  constexpr llvm::StringLiteral closing[] = {"None",     "True",   "False", "pass", "break",
                                             "continue", "return", "yield", "raise"};
  return isKeyword(word) && !llvm::is_contained(closing, word);
}

bool endsAmid(llvm::StringRef text, const LogicalLine& line) {
  llvm::StringRef said = text.slice(line.begin, line.end);
  if (said.empty()) return false;
  if (said.ends_with("*")) return !said.drop_back().rtrim().ends_with("import");
  if (llvm::StringRef("+-/%@&|^~<>=").contains(said.back())) return true;
  if (said.ends_with(":")) return line.lead == Lead::Other;
  if (isIdentifierPart(said.back())) return endsWithOpenKeyword(said);
  if (!said.consume_back(".")) return false;
  // Not the end of a number (1.) or of an ellipsis.
  llvm::StringRef word = said.take_back(
      said.size() -
      said.find_last_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") - 1);
  if (word.empty())
    return said.ends_with(")") || said.ends_with("]") || said.ends_with("}") ||
           said.ends_with("'") || said.ends_with("\"");
  return !llvm::isDigit(word.front());
}

} // namespace gluond::syntax
