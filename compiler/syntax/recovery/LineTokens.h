// The classes of bytes and words by which the scanner of lines works.
#pragma once

#include "syntax/recovery/LineScanner.h"

#include <array>

namespace gluond::syntax {

enum class Byte : uint8_t {
  Plain,
  Word,
  Digit,
  Quote,
  Open,
  Close,
  Newline,
  Space,
  Comment,
  Backslash,
  Bad,
  Bang
};

constexpr std::array<Byte, 256> makeTable() {
  std::array<Byte, 256> table{};
  for (int c = 0; c < 256; ++c) {
    Byte kind = Byte::Plain;
    if (c < 0x20 || c == 0x7F) kind = Byte::Bad;
    if (c == ' ' || c == '\t' || c == '\f') kind = Byte::Space;
    if (c == '\n' || c == '\r') kind = Byte::Newline;
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80)
      kind = Byte::Word;
    if (c >= '0' && c <= '9') kind = Byte::Digit;
    if (c == '"' || c == '\'') kind = Byte::Quote;
    if (c == '(' || c == '[' || c == '{') kind = Byte::Open;
    if (c == ')' || c == ']' || c == '}') kind = Byte::Close;
    if (c == '#') kind = Byte::Comment;
    if (c == '\\') kind = Byte::Backslash;
    if (c == '$' || c == '?' || c == '`') kind = Byte::Bad;
    if (c == '!') kind = Byte::Bang;
    table[static_cast<size_t>(c)] = kind;
  }
  return table;
}
inline constexpr std::array<Byte, 256> byteTable = makeTable();

// The keyword that a statement begins with.
Lead leadOf(llvm::StringRef word);
// Whether a line begins with a statement for certain, because no expression continues like this.
bool beginsStatement(llvm::StringRef text, size_t first);
// A line that begins with @ could be a product; followed by a definition it is a decorator.
bool definitionFollows(llvm::StringRef text, size_t at);
// Words that begin statements and never occur at the start of a line within brackets.
bool startsStatementOnly(llvm::StringRef word);
bool isStringPrefix(llvm::StringRef word);
// Whether a `*` stands for the elements of what follows, which is no name: in a tuple without
// parentheses or in a subscript (`y = *(1, 2), 3`). `before` is its line up to the last token
// before it, `after` the text after it. tree-sitter's grammar knows `*` before a name only there.
bool isStarOfElement(llvm::StringRef before, llvm::StringRef after);
// Whether the colon or `>` at a place has a blank after it and then a type that tree-sitter's rules
// for types do not know, although it is an expression: `a[:, :]`, `a[b].c[d]`. `isOutside` says
// that no bracket is open.
bool isTypeBySubscript(Lead lead, bool isOutside, llvm::StringRef text, size_t at);
// Characters past ASCII that tree-sitter takes for white space and Python does not.
bool isForeignSpace(llvm::StringRef text, size_t at);

inline Byte kindOf(char c) {
  return byteTable[static_cast<unsigned char>(c)];
}
// The word at a place; empty if there is none.
inline llvm::StringRef wordAt(llvm::StringRef text, size_t at) {
  size_t end = at;
  while (end < text.size() &&
         (kindOf(text[end]) == Byte::Word || kindOf(text[end]) == Byte::Digit)) {
    // A non-ASCII space within something like a word.
    if (static_cast<unsigned char>(text[end]) >= 0xC0 && end > at && isForeignSpace(text, end))
      break;
    ++end;
  }
  return text.slice(at, end);
}
// The place after blanks.
inline size_t afterSpace(llvm::StringRef text, size_t at) {
  while (at < text.size() && kindOf(text[at]) == Byte::Space)
    ++at;
  return at;
}

} // namespace gluond::syntax
