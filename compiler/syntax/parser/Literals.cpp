#include "syntax/parser/Literals.h"

#include <llvm/ADT/APInt.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>
#include <llvm/Support/Unicode.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>

namespace gluond::syntax {

StringFlags stringFlags(llvm::StringRef opening) {
  StringFlags flags;
  size_t quotes = 0;
  for (char c : opening) {
    switch (c) {
    case 'r':
    case 'R':
      flags.isRaw = true;
      break;
    case 'b':
    case 'B':
      flags.isBytes = true;
      break;
    case 'f':
    case 'F':
      flags.isFormat = true;
      break;
    case '\'':
    case '"':
      ++quotes;
      break;
    default:
      break;
    }
  }
  flags.isTriple = quotes == 3;
  return flags;
}

namespace {

// Surrogates included: \ud800 makes a str that cannot be encoded, but is a valid literal.
void appendCodePoint(std::string& out, uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
  } else if (code < 0x800) {
    out += static_cast<char>(0xC0 | (code >> 6));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    out += static_cast<char>(0xE0 | (code >> 12));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    out += static_cast<char>(0xF0 | (code >> 18));
    out += static_cast<char>(0x80 | ((code >> 12) & 0x3F));
    out += static_cast<char>(0x80 | ((code >> 6) & 0x3F));
    out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

// One simple escape: \n and the like.
std::optional<char> simpleEscape(char c) {
  switch (c) {
  case '\\':
  case '\'':
  case '"':
    return c;
  case 'a':
    return '\a';
  case 'b':
    return '\b';
  case 'f':
    return '\f';
  case 'n':
    return '\n';
  case 'r':
    return '\r';
  case 't':
    return '\t';
  case 'v':
    return '\v';
  default:
    return std::nullopt;
  }
}

// Reads \xHH, \uHHHH, \UHHHHHHHH with the escape's letter at text[at]; moves `at` after it.
bool hexEscape(llvm::StringRef text, size_t& at, StringFlags flags, std::string& out,
               LiteralProblem& problem) {
  char letter = text[at];
  unsigned wanted = letter == 'x' ? 2 : letter == 'u' ? 4 : 8, found = 0;
  uint32_t value = 0;
  while (found < wanted && at + 1 + found < text.size() && llvm::isHexDigit(text[at + 1 + found]))
    value = value * 16 + llvm::hexDigitValue(text[at + 1 + found++]);
  if (found == wanted && value <= 0x10FFFF) {
    if (flags.isBytes)
      out += static_cast<char>(value);
    else
      appendCodePoint(out, value);
    at += 1 + wanted;
    return true;
  }
  problem = {static_cast<uint32_t>(at - 1), 2 + found,
             flags.isBytes     ? "invalid \\x escape"
             : found == wanted ? "illegal Unicode character"
                               : std::string("truncated \\") + letter +
                                     std::string(std::min(wanted, 8u), 'X') + " escape"};
  return false;
}

} // namespace

bool appendStringValue(llvm::StringRef text, StringFlags flags, std::string& out,
                       LiteralProblem& problem) {
  bool ok = true;
  for (size_t at = 0; at < text.size();) {
    // Everything up to the next character of interest at once.
    size_t next = at;
    while (next < text.size()) {
      char c = text[next];
      if (c == '\r' || (c == '\\' && !flags.isRaw) || (flags.isFormat && (c == '{' || c == '}')))
        break;
      if (flags.isBytes && static_cast<unsigned char>(c) >= 0x80 && ok) {
        problem = {static_cast<uint32_t>(next), 1,
                   "bytes can only contain ASCII literal characters"};
        ok = false;
      }
      ++next;
    }
    out.append(text.data() + at, next - at);
    at = next;
    if (at == text.size()) break;
    char c = text[at];
    if (c == '\r') { // \r\n and \r are \n within strings
      out += '\n';
      at += at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
      continue;
    }
    if (c == '{' || c == '}') {
      out += c;
      at += at + 1 < text.size() && text[at + 1] == c ? 2 : 1;
      continue;
    }
    if (++at == text.size()) {
      out += '\\';
      break;
    }
    c = text[at];
    if (auto simple = simpleEscape(c)) {
      out += *simple;
      ++at;
    } else if (c == '\n') {
      ++at;
    } else if (c == '\r') {
      at += at + 1 < text.size() && text[at + 1] == '\n' ? 2 : 1;
    } else if (c >= '0' && c <= '7') {
      unsigned value = 0, length = 0;
      while (length < 3 && at < text.size() && text[at] >= '0' && text[at] <= '7')
        value = value * 8 + (text[at++] - '0'), ++length;
      if (flags.isBytes)
        out += static_cast<char>(value);
      else
        appendCodePoint(out, value);
    } else if (c == 'x' || (!flags.isBytes && (c == 'u' || c == 'U'))) {
      LiteralProblem found;
      if (!hexEscape(text, at, flags, out, found)) {
        if (ok) problem = std::move(found);
        ok = false;
        out += '\\';
      }
    } else if (c == 'N' && !flags.isBytes) {
      constexpr size_t longestName = 256; // Unicode's are below 100
      size_t length = text.slice(at + 1, at + 2) == "{" ? text.substr(at + 2, longestName).find('}')
                                                        : llvm::StringRef::npos;
      llvm::StringRef name = length == llvm::StringRef::npos ? "" : text.substr(at + 2, length);
      if (name.empty()) {
        if (ok) problem = {static_cast<uint32_t>(at - 1), 2, "malformed \\N character escape"};
        ok = false;
        out += '\\';
        continue;
      }
      // A name LLVM's table does not have may be one of a newer Unicode: a replacement character,
      // no error.
      if (auto code = llvm::sys::unicode::nameToCodepointStrict(name.upper()))
        appendCodePoint(out, *code);
      else
        appendCodePoint(out, 0xFFFD);
      at += 2 + length + 1;
    } else { // not an escape: the backslash stays
      out += '\\';
    }
  }
  return ok;
}

namespace {

double realValue(llvm::StringRef digits) {
  double value = 0;
  auto [end, error] = std::from_chars(digits.begin(), digits.end(), value);
  if (error != std::errc::result_out_of_range) return value;
  // Too large is infinity, too small is zero: the exponent's sign decides.
  size_t exponent = digits.find_first_of("eE");
  bool isSmall = exponent != llvm::StringRef::npos && digits.substr(exponent + 1).starts_with("-");
  return isSmall ? 0.0 : std::numeric_limits<double>::infinity();
}

} // namespace

NumberValue numberValue(llvm::StringRef text) {
  NumberValue result;
  llvm::SmallString<32> digits;
  bool isPrefixed = text.size() > 1 && text[0] == '0' && llvm::isAlpha(text[1]) &&
                    llvm::StringRef("xXoObB").contains(text[1]);
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '_') {
      digits += text[i];
      continue;
    }
    bool afterDigit =
        i > 0 && (isPrefixed ? i == 1 || text[i - 1] != '_' : llvm::isDigit(text[i - 1]));
    if (!afterDigit || i + 1 == text.size() || !llvm::isHexDigit(text[i + 1]) ||
        (!isPrefixed && !llvm::isDigit(text[i + 1])))
      result.problem = "invalid decimal literal";
  }
  llvm::StringRef body = digits;
  if (body.ends_with_insensitive("l")) {
    result.problem = "invalid decimal literal";
    body = body.drop_back();
  }
  if (isPrefixed) {
    unsigned radix = llvm::toLower(body[1]) == 'x' ? 16 : llvm::toLower(body[1]) == 'o' ? 8 : 2;
    body = body.drop_front(2);
    uint64_t value;
    if (!body.getAsInteger(radix, value) &&
        value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      result.integer = static_cast<int64_t>(value);
      return result;
    }
    // Conversion to decimal is quadratic; longer ones do not occur in practice.
    constexpr size_t longest = 8192;
    llvm::APInt big(64, 0);
    if (body.size() > longest || body.getAsInteger(radix, big)) {
      result.problem = "invalid number";
      return result;
    }
    llvm::SmallString<64> decimal;
    big.toStringUnsigned(decimal);
    result.kind = ConstantKind::BigInt;
    result.digits = std::string(decimal);
    return result;
  }
  if (body.ends_with_insensitive("j")) {
    result.kind = ConstantKind::Complex;
    result.real = realValue(body.drop_back());
    return result;
  }
  if (body.find_first_of(".eE") != llvm::StringRef::npos) {
    result.kind = ConstantKind::Float;
    result.real = realValue(body);
    return result;
  }
  llvm::StringRef significant = body.ltrim('0');
  if (significant.size() != body.size() && !significant.empty())
    result.problem = "leading zeros in decimal integer literals are not permitted; use an 0o "
                     "prefix for octal integers";
  if (significant.empty()) return result;
  if (!significant.getAsInteger(10, result.integer)) return result;
  if (significant.size() > 4300) // as CPython
    result.problem = "exceeds the limit (4300 digits) for integer string conversion";
  result.kind = ConstantKind::BigInt;
  result.digits = significant.str();
  return result;
}

std::string cleanDocstring(llvm::StringRef text) {
  // Tabs are expanded to columns of eight, the first line loses its indentation, the others their
  // common one, blank lines at both ends go.
  std::string expanded;
  size_t column = 0;
  for (char c : text) {
    if (c == '\t') {
      size_t spaces = 8 - column % 8;
      expanded.append(spaces, ' ');
      column += spaces;
    } else {
      expanded += c;
      column =
          c == '\n' || c == '\r' ? 0 : column + ((static_cast<unsigned char>(c) & 0xC0) != 0x80);
    }
  }
  llvm::SmallVector<llvm::StringRef, 16> lines;
  llvm::StringRef(expanded).split(lines, '\n');
  size_t margin = llvm::StringRef::npos;
  for (llvm::StringRef line : llvm::drop_begin(lines))
    if (size_t indent = line.find_first_not_of(" \t\v\f\r"); indent != llvm::StringRef::npos)
      margin = std::min(margin, indent);
  lines.front() = lines.front().ltrim();
  if (margin != llvm::StringRef::npos)
    for (llvm::StringRef& line : llvm::drop_begin(lines))
      line = line.substr(std::min(margin, line.size()));
  llvm::ArrayRef<llvm::StringRef> kept = lines;
  while (!kept.empty() && kept.back().empty())
    kept = kept.drop_back();
  while (!kept.empty() && kept.front().empty())
    kept = kept.drop_front();
  return llvm::join(kept, "\n");
}

} // namespace gluond::syntax
