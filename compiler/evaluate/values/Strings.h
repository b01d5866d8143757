// Text: format specifications, % formatting, and the methods of str.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// What stands behind the colon: [[fill]align][sign][z][#][0][width][,_][.precision][type]
struct FormatSpec {
  std::string fill = " ";
  char align = 0, sign = '-', grouping = 0, type = 0;
  bool alternate = false, zero = false;
  int64_t width = 0, precision = -1;
  bool isTooWide = false; // a number in it is beyond what gluond makes: the rest was not read
};
std::optional<FormatSpec> parseFormatSpec(llvm::StringRef spec);

// "" when it raised: more digits than str() gives.
std::string formatInteger(Interpreter& in, Value integer, const FormatSpec& spec);
std::string formatDouble(double value, const FormatSpec& spec);
std::string formatText(llvm::StringRef text, const FormatSpec& spec);
// text % arguments
Value percentFormat(Interpreter& in, llvm::StringRef text, Value arguments);
// text.format(...); `depth`: of specifications inside fields
Value formatMethod(Interpreter& in, llvm::StringRef text, const CallArguments& arguments,
                   unsigned depth = 0);

// Where `what` begins first and last; npos: nowhere. Linear in the text, whatever it repeats.
size_t findText(llvm::StringRef text, llvm::StringRef what);
size_t findLastText(llvm::StringRef text, llvm::StringRef what);

// Characters (code points) of UTF-8 text.
int64_t textLength(llvm::StringRef text);
// The byte offset of character `index`, 0 <= index <= textLength(text).
size_t byteOffset(llvm::StringRef text, int64_t index);

// int(text, base), float(text); nullopt: not a literal.
std::optional<Value> parseInteger(Interpreter& in, llvm::StringRef text, int base);
std::optional<double> parseDouble(llvm::StringRef text);

// The rows of str's methods; `self` is argument 0.
llvm::ArrayRef<NativeRow> stringMethods();
llvm::ArrayRef<NativeRow> bytesMethods();

} // namespace gluond::evaluate
