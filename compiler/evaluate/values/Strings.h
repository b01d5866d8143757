// Text: format specifications, % formatting, and the methods of str.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

constexpr int64_t widestField = 1 << 16;  // in characters
constexpr uint64_t charactersPerStep = 8; // of padding and of printed digits

// The part after the colon: [[fill]align][sign][z][#][0][width][,_][.precision][type]
struct FormatSpec {
  std::string fill = " ";
  char align = 0, sign = '-', grouping = 0, type = 0;
  bool alternate = false, zero = false;
  int64_t width = 0, precision = -1;
  bool isTooWide = false; // a number in it exceeds gluond's limit, and the rest was not read
};
std::optional<FormatSpec> parseFormatSpec(llvm::StringRef spec);

std::string reprBytes(llvm::StringRef text);

// Returns "" after raising because there are more digits than str() prints.
std::string formatInteger(Interpreter& in, Value integer, const FormatSpec& spec);
std::string formatDouble(double value, const FormatSpec& spec);
std::string formatText(llvm::StringRef text, const FormatSpec& spec);
// text % arguments
Value percentFormat(Interpreter& in, llvm::StringRef text, Value arguments);
// text.format(...); `depth` counts specifications nested in fields.
Value formatMethod(Interpreter& in, llvm::StringRef text, const CallArguments& arguments,
                   unsigned depth = 0);

// Returns the first and last index of `what`, or npos, in time linear in the text.
size_t findText(llvm::StringRef text, llvm::StringRef what);
size_t findLastText(llvm::StringRef text, llvm::StringRef what);

// Characters (code points) of UTF-8 text.
int64_t textLength(llvm::StringRef text);
// The byte offset of character `index`, 0 <= index <= textLength(text).
size_t byteOffset(llvm::StringRef text, int64_t index);

// Whether str.strip() and int() drop the character.
inline bool isWhitespace(char c) {
  return c == ' ' || (c >= '\t' && c <= '\r') || (c >= 0x1c && c <= 0x1f);
}

// The rows of str's methods; `self` is argument 0.
llvm::ArrayRef<NativeRow> stringMethods();
llvm::ArrayRef<NativeRow> bytesMethods();

} // namespace gluond::evaluate
