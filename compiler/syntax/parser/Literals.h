// The values of Python's literals: numbers and the insides of strings.
#pragma once

#include "syntax/tree/Ast.h"

#include <string>

namespace gluond::syntax {

struct StringFlags {
  bool isRaw = false, isBytes = false, isFormat = false, isTriple = false;
};
// Returns the flags of a string's opening, as in rb'''; the quote length is 1 or 3.
StringFlags stringFlags(llvm::StringRef opening);

// A problem within a literal: its offset in the given text, and its description.
struct LiteralProblem {
  uint32_t offset, length;
  std::string message;
};

// Appends the value of `text`, the inside of a string: escapes are resolved, line ends become \n,
// and in a format string doubled braces become single. Lone surrogates (\ud800) are kept as three
// bytes, as in WTF-8. Returns whether it is well formed; otherwise `problem` says why not (decoding
// continues with the text unchanged).
bool appendStringValue(llvm::StringRef text, StringFlags flags, std::string& out,
                       LiteralProblem& problem);

struct NumberValue {
  ConstantKind kind = ConstantKind::Int;
  int64_t integer = 0;
  double real = 0;
  std::string digits;  // for BigInt: decimal
  std::string problem; // empty if well formed
};
NumberValue numberValue(llvm::StringRef text);

// Cleans a docstring like inspect.cleandoc.
std::string cleanDocstring(llvm::StringRef text);

} // namespace gluond::syntax
