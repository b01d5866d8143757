// The values of Python's literals: numbers and the insides of strings.
#pragma once

#include "syntax/tree/Ast.h"

#include <string>

namespace gluond::syntax {

struct StringFlags {
  bool isRaw = false, isBytes = false, isFormat = false, isTriple = false;
};
// The flags of a string's opening, as in rb'''; quote length is 1 or 3.
StringFlags stringFlags(llvm::StringRef opening);

// A problem within a literal: where (offset into the text given) and what.
struct LiteralProblem {
  uint32_t offset, length;
  std::string message;
};

// Appends the value of `text`, the inside of a string: escapes resolved, line ends made \n, and for
// a format string doubled braces made single. Lone surrogates (\ud800) are kept as three bytes, as
// WTF-8 has them. Returns whether it is well formed; else `problem` says what is not (decoding goes
// on with the text as it stands).
bool appendStringValue(llvm::StringRef text, StringFlags flags, std::string& out,
                       LiteralProblem& problem);

struct NumberValue {
  ConstantKind kind = ConstantKind::Int;
  int64_t integer = 0;
  double real = 0;
  std::string digits;  // BigInt: decimal
  std::string problem; // empty when well formed
};
NumberValue numberValue(llvm::StringRef text);

// A docstring as inspect.cleandoc cleans it.
std::string cleanDocstring(llvm::StringRef text);

} // namespace gluond::syntax
