#include "driver/ProjectReader.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/ConvertUTF.h>

namespace gluond::driver {

namespace {

bool isBare(char c) {
  return llvm::isAlnum(c) || c == '_' || c == '-';
}

// What stands below tool.gluond in a dotted name; nothing: it is not ours.
std::optional<std::string> below(llvm::StringRef name) {
  if (!name.consume_front("tool.gluond")) return std::nullopt;
  if (name.empty()) return "";
  if (!name.consume_front(".")) return std::nullopt;
  return name.str();
}

} // namespace

void ProjectReader::skipBlanks() {
  while (peek() == ' ' || peek() == '\t')
    ++at_;
}

void ProjectReader::skipLine() {
  while (!atEnd() && peek() != '\n')
    ++at_;
}

void ProjectReader::skipSpace() {
  while (!atEnd()) {
    if (peek() == '#')
      skipLine();
    else if (llvm::isSpace(peek()))
      ++at_;
    else
      return;
  }
}

void ProjectReader::run() {
  if (text_.starts_with("\xef\xbb\xbf")) at_ = 3;
  for (skipSpace(); !atEnd(); skipSpace()) {
    if (peek() == '[')
      header();
    else
      assignment();
    skipLine();
  }
}

// [tool.gluond.inlay-hints]
void ProjectReader::header() {
  bool isArray = peek(1) == '[';
  at_ += isArray ? 2 : 1;
  skipBlanks();
  auto name = key();
  table_ = name && !isArray ? below(*name) : std::nullopt;
  if (table_) project_.isPresent = true;
}

void ProjectReader::assignment() {
  size_t begin = at_;
  auto name = key();
  text::Range place = since(begin);
  while (place.end > place.begin && llvm::isSpace(text_[place.end - 1]))
    --place.end;
  skipBlanks();
  if (!name || peek() != '=') {
    skipLine();
    if (table_) project_.problems.push_back({since(begin), "expected `name = value`"});
    return;
  }
  ++at_;
  skipBlanks();
  Value read = value();
  if (!table_) {
    // tool.gluond.target = "cuda:90" before any table
    if (auto dotted = below(*name); dotted && !dotted->empty() && read.known) {
      project_.isPresent = true;
      if (text_.substr(place.begin).starts_with("tool.gluond."))
        place.begin += llvm::StringRef("tool.gluond.").size();
      project_.values.push_back({*dotted, std::move(*read.known), place});
    }
    return;
  }
  std::string full = table_->empty() ? *name : *table_ + "." + *name;
  if (!read.isSound)
    project_.problems.push_back({place, "'" + full + "' has a value that cannot be read"});
  else if (!read.known)
    project_.problems.push_back({place, "'" + full + "' has a value of the wrong type"});
  else
    project_.values.push_back({full, std::move(*read.known), place});
}

std::optional<std::string> ProjectReader::key() {
  std::string name;
  while (true) {
    skipBlanks();
    std::string part;
    if (peek() == '"' || peek() == '\'') {
      auto quoted = string();
      if (!quoted) return std::nullopt;
      part = std::move(*quoted);
    } else {
      while (isBare(peek()))
        part += text_[at_++];
      if (part.empty()) return std::nullopt;
    }
    name += (name.empty() ? "" : ".") + part;
    skipBlanks();
    if (peek() != '.') return name;
    ++at_;
  }
}

std::optional<std::string> ProjectReader::string() {
  char quote = peek();
  bool isLong = peek(1) == quote && peek(2) == quote;
  at_ += isLong ? 3 : 1;
  if (isLong && peek() == '\r') ++at_;
  if (isLong && peek() == '\n') ++at_;
  std::string text;
  while (!atEnd()) {
    char c = peek();
    if (c == quote && (!isLong || (peek(1) == quote && peek(2) == quote))) {
      at_ += isLong ? 3 : 1;
      // Up to two quotes may stand right before the closing ones.
      while (isLong && peek() == quote)
        text += text_[at_++];
      return text;
    }
    if (c == '\n' && !isLong) return std::nullopt;
    ++at_;
    if (c != '\\' || quote == '\'') {
      text += c;
      continue;
    }
    char escape = peek();
    ++at_;
    switch (escape) {
    case 'n':
      text += '\n';
      break;
    case 't':
      text += '\t';
      break;
    case 'r':
      text += '\r';
      break;
    case 'b':
      text += '\b';
      break;
    case 'f':
      text += '\f';
      break;
    case 'e':
      text += '\x1b';
      break;
    case '"':
    case '\\':
      text += escape;
      break;
    case 'u':
    case 'U': {
      size_t digits = escape == 'u' ? 4 : 8;
      uint32_t code;
      if (text_.substr(at_, digits).size() != digits ||
          text_.substr(at_, digits).getAsInteger(16, code))
        return std::nullopt;
      at_ += digits;
      char buffer[UNI_MAX_UTF8_BYTES_PER_CODE_POINT];
      char* end = buffer;
      if (!llvm::ConvertCodePointToUTF8(code, end)) return std::nullopt;
      text.append(buffer, end);
      break;
    }
    default: // a line break goes away with the blanks behind it
      if (!isLong || !llvm::isSpace(escape)) return std::nullopt;
      while (llvm::isSpace(peek()))
        ++at_;
    }
  }
  return std::nullopt;
}

ProjectReader::Value ProjectReader::array(unsigned depth) {
  std::vector<std::string> strings;
  bool areStrings = true;
  char close = peek() == '[' ? ']' : '}';
  ++at_;
  while (true) {
    skipSpace();
    if (peek() == close) break;
    if (close == '}') { // name = value
      if (!key()) return {std::nullopt, false};
      skipSpace();
      if (peek() != '=') return {std::nullopt, false};
      ++at_;
      skipSpace();
    }
    Value item = value(depth + 1);
    if (!item.isSound) return item;
    auto* text = item.known ? std::get_if<std::string>(&*item.known) : nullptr;
    if (text)
      strings.push_back(std::move(*text));
    else
      areStrings = false;
    skipSpace();
    if (peek() == ',')
      ++at_;
    else if (peek() != close)
      return {std::nullopt, false};
  }
  ++at_;
  if (close == '}' || !areStrings) return {};
  return {SettingValue(std::move(strings)), true};
}

ProjectReader::Value ProjectReader::value(unsigned depth) {
  constexpr unsigned maxDepth = 64;
  if (depth > maxDepth) return {std::nullopt, false};
  if (peek() == '"' || peek() == '\'') {
    auto text = string();
    if (!text) return {std::nullopt, false};
    return {SettingValue(std::move(*text)), true};
  }
  if (peek() == '[' || peek() == '{') return array(depth);
  std::string word;
  while (isBare(peek()) || peek() == '.' || peek() == ':' || peek() == '+')
    word += text_[at_++];
  if (word == "true" || word == "false") return {SettingValue(word == "true"), true};
  if (word.empty()) return {std::nullopt, false};
  std::string digits;
  for (char c : word)
    if (c != '_') digits += c;
  uint64_t number;
  if (!llvm::StringRef(digits).getAsInteger(0, number)) return {SettingValue(number), true};
  return {}; // a float, a date, a negative number
}

} // namespace gluond::driver
