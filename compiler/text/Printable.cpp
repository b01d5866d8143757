#include "text/Printable.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

#include <algorithm>

namespace gluond::text {

namespace {

struct Span {
  uint32_t first, last;
};
// Beyond ASCII: control characters, invisible ones, those that change the direction, Unicode line
// ends, tags, and non-characters.
constexpr Span hidden[] = {
    {0x80, 0x9F},     {0xAD, 0xAD},       {0x61C, 0x61C},    {0x180E, 0x180E}, {0x200B, 0x200F},
    {0x2028, 0x202E}, {0x2060, 0x206F},   {0xFE00, 0xFE0E},  {0xFEFF, 0xFEFF}, {0xFFF9, 0xFFFB},
    {0xFFFE, 0xFFFF}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};

bool isHidden(uint32_t character) {
  return std::any_of(std::begin(hidden), std::end(hidden), [&](const Span& span) {
    return span.first <= character && character <= span.last;
  });
}

bool isPlain(char c, Lines lines) {
  return (c >= 0x20 && c < 0x7F) || ((lines == Lines::Kept || lines == Lines::Json) && c == '\n') ||
         (lines != Lines::Escaped && c == '\t');
}

std::string digits(uint32_t number, unsigned width) {
  return llvm::utohexstr(number, /*LowerCase=*/true, width);
}

std::string jsonEscape(uint32_t character) {
  if (character <= 0xFFFF) return "\\u" + digits(character, 4);
  character -= 0x10000; // two halves of UTF-16
  return "\\u" + digits(0xD800 + (character >> 10), 4) + "\\u" +
         digits(0xDC00 + (character & 0x3FF), 4);
}

// Whether a CI service takes a line that begins so, after blanks, as a command to itself: GitHub's
// `::error ...`, Azure's `##vso[...]`.
bool isCommand(llvm::StringRef line) {
  line = line.ltrim(" \t\r");
  return line.starts_with("::") || line.starts_with("##");
}

} // namespace

std::string printable(llvm::StringRef text, Lines lines) {
  bool isNameOfCommand = lines == Lines::Escaped && isCommand(text);
  if (!isNameOfCommand && llvm::all_of(text, [&](char c) { return isPlain(c, lines); }))
    return text.str();
  std::string out;
  if (isNameOfCommand) out += '\\';
  out.reserve(text.size() + 16);
  const auto *at = reinterpret_cast<const llvm::UTF8*>(text.begin()), *first = at,
             *end = reinterpret_cast<const llvm::UTF8*>(text.end());
  while (at != end) {
    if (*at < 0x80) {
      char c = static_cast<char>(*at++);
      if (isPlain(c, lines))
        out += c;
      else if (c == '\n' && lines == Lines::Indented)
        out += isCommand(text.substr(static_cast<size_t>(at - first))) ? "\n    \\"
               : at != end && *at != ' '                               ? "\n    "
                                                                       : "\n";
      else if (c == '\n')
        out += "\\n";
      else if (c == '\t')
        out += "\\t";
      else if (lines == Lines::Json)
        out += jsonEscape(static_cast<unsigned char>(c));
      else
        out += "\\x" + digits(static_cast<unsigned char>(c), 2);
      continue;
    }
    const llvm::UTF8* begin = at;
    llvm::UTF32 character = 0, *to = &character;
    if (llvm::ConvertUTF8toUTF32(&at, std::min(end, begin + 4), &to, &character + 1,
                                 llvm::strictConversion),
        to != &character) {
      if (!isHidden(character))
        out.append(reinterpret_cast<const char*>(begin), static_cast<size_t>(at - begin));
      else if (lines == Lines::Json)
        out += jsonEscape(character);
      else
        out += character > 0xFFFF ? "\\U" + digits(character, 8) : "\\u" + digits(character, 4);
      continue;
    }
    at = begin + 1;
    out += lines == Lines::Json ? "\xEF\xBF\xBD" : "\\x" + digits(*begin, 2);
  }
  return out;
}

} // namespace gluond::text
