#include "syntax/recovery/LineTokens.h"

#include "syntax/parser/Keywords.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSwitch.h>

namespace gluond::syntax {

Lead leadOf(llvm::StringRef word) {
  switch (word.size()) {
  case 2:
    return word == "if" ? Lead::If : Lead::Other;
  case 3:
    return word == "def"   ? Lead::Def
           : word == "for" ? Lead::For
           : word == "try" ? Lead::Try
                           : Lead::Other;
  case 4:
    return llvm::StringSwitch<Lead>(word)
        .Case("elif", Lead::Elif)
        .Case("else", Lead::Else)
        .Case("with", Lead::With)
        .Case("case", Lead::Case)
        .Default(Lead::Other);
  case 5:
    return llvm::StringSwitch<Lead>(word)
        .Case("class", Lead::Class)
        .Case("while", Lead::While)
        .Case("async", Lead::Async)
        .Case("match", Lead::Match)
        .Default(Lead::Other);
  case 6:
    return word == "except" ? Lead::Except : Lead::Other;
  case 7:
    return word == "finally" ? Lead::Finally : Lead::Other;
  default:
    return Lead::Other;
  }
}

bool startsStatementOnly(llvm::StringRef word) {
  return llvm::StringSwitch<bool>(word)
      .Cases({"def", "class", "return", "import", "while", "with", "try", "except", "finally",
              "raise"},
             true)
      .Cases({"assert", "del", "pass", "break", "continue", "global", "nonlocal", "elif"}, true)
      .Default(false);
}

bool isStringPrefix(llvm::StringRef word) {
  return word.size() <= 2 &&
         llvm::all_of(word, [](char c) { return llvm::StringRef("rRbBfFuU").contains(c); });
}

std::string LineScan::seenText(llvm::StringRef text) const {
  if (masks.empty() && comments.empty()) return {};
  std::string seen = text.str();
  for (const Mask& mask : masks)
    seen[mask.at] = mask.with;
  for (text::Range comment : comments)
    std::fill(seen.begin() + comment.begin, seen.begin() + comment.end, ' ');
  return seen;
}

// Whether an element may begin after these tokens.
static bool elementMayBegin(llvm::StringRef before) {
  if (before.empty() || llvm::StringRef("=,[;").contains(before.back())) return true;
  constexpr size_t longest = llvm::StringLiteral("return").size();
  size_t begin = before.size();
  while (begin > 0 && before.size() - begin <= longest && isIdentifierPart(before[begin - 1]))
    --begin;
  llvm::StringRef word = before.drop_front(begin);
  return word == "return" || word == "yield" || word == "in";
}

bool isStarOfElement(llvm::StringRef before, llvm::StringRef after) {
  if (!elementMayBegin(before)) return false;
  after = after.ltrim(" \t\f\r\n");
  llvm::StringRef word = after.take_while(isIdentifierPart), rest = after.drop_front(word.size());
  if (word == "await") return true;
  bool isQuoted = rest.starts_with("'") || rest.starts_with("\"");
  if (word.empty())
    return isQuoted || (!rest.empty() && llvm::StringRef("([{+-~.").contains(rest[0]));
  return llvm::isDigit(word[0]) || (isQuoted && isStringPrefix(word));
}

bool isTypeBySubscript(Lead lead, bool isOutside, llvm::StringRef text, size_t at) {
  bool isDef = lead == Lead::Def, isArrow = text[at] == '>';
  if (!isArrow && text[at] != ':') return false;
  if (isArrow ? !isDef || !isOutside : isDef == isOutside) return false;
  if (!isDef && lead != Lead::Other) return false;
  text = text.drop_front(at + 1);
  llvm::StringRef type = text.ltrim(" ");
  if (type.size() == text.size()) return false; // no blank that could be replaced
  llvm::StringRef rest = type.drop_while([](char c) { return isIdentifierPart(c) || c == '.'; });
  if (rest.size() == type.size() || !rest.consume_front("[")) return false;
  constexpr size_t longest = 1000;
  bool hasSlice = false;
  size_t depth = 1, end = 0;
  for (; depth && end < std::min(rest.size(), longest); ++end) {
    char c = rest[end];
    if (c == '\n' || c == '\'' || c == '"' || c == '#') return false;
    if (c == '[' || c == '(' || c == '{') ++depth;
    if (c == ']' || c == ')' || c == '}') --depth;
    hasSlice |= c == ':' && depth == 1;
  }
  if (depth) return false;
  rest = rest.drop_front(end).ltrim(" ");
  return hasSlice || rest.starts_with("[") || rest.starts_with("(") ||
         (rest.starts_with(".") && !rest.starts_with(".."));
}

bool isForeignSpace(llvm::StringRef text, size_t at) {
  auto byte = [&](size_t i) {
    return at + i < text.size() ? static_cast<unsigned char>(text[at + i]) : 0u;
  };
  unsigned a = byte(0), b = byte(1), c = byte(2);
  if (a == 0xC2) return b == 0x85 || b == 0xA0;
  if (a == 0xE1) return b == 0x9A && c == 0x80;
  if (a == 0xE2)
    return (b == 0x80 && (c <= 0x8B || c == 0xA8 || c == 0xA9 || c == 0xAF)) ||
           (b == 0x81 && (c == 0x9F || c == 0xA0));
  if (a == 0xE3) return b == 0x80 && c == 0x80;
  if (a == 0xEF) return b == 0xBB && c == 0xBF;
  return false;
}

bool beginsStatement(llvm::StringRef text, size_t first) {
  if (text[first] == '@') return definitionFollows(text, first);
  if (kindOf(text[first]) != Byte::Word) return false;
  llvm::StringRef word = wordAt(text, first);
  char next = first + word.size() < text.size() ? text[first + word.size()] : '\n';
  if (kindOf(next) == Byte::Quote) return false;
  if (word == "async") return wordAt(text, afterSpace(text, first + 5)) == "def";
  if (word == "from") {
    size_t at = afterSpace(text, first + 4);
    while (at < text.size() &&
           (text[at] == '.' || kindOf(text[at]) == Byte::Word || kindOf(text[at]) == Byte::Digit))
      ++at;
    return wordAt(text, afterSpace(text, at)) == "import";
  }
  return startsStatementOnly(word);
}

bool definitionFollows(llvm::StringRef text, size_t at) {
  for (unsigned lines = 0; lines < 8 && at < text.size(); ++lines) {
    while (at < text.size() && text[at] != '\n')
      ++at;
    at = afterSpace(text, at + 1);
    if (at >= text.size()) return false;
    llvm::StringRef word = wordAt(text, at);
    if (word == "def" || word == "class" || word == "async") return true;
    if (text[at] != '@') return false;
  }
  return false;
}

} // namespace gluond::syntax
