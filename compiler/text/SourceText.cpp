#include "text/SourceText.h"

#include <algorithm>

namespace gluond::text {

unsigned utf8Length(llvm::StringRef text, size_t at) {
  auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  unsigned lead = byte(at);
  if (lead < 0x80) return at < text.size();
  unsigned length = lead >= 0xC2 && lead < 0xE0   ? 2
                    : lead >= 0xE0 && lead < 0xF0 ? 3
                    : lead >= 0xF0 && lead < 0xF5 ? 4
                                                  : 0;
  for (unsigned i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  unsigned second = byte(at + 1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second > 0x9F) ||
      (lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second > 0x8F))
    return 0;
  return length;
}

bool isValidUtf8(llvm::StringRef text) {
  for (size_t at = 0; at < text.size();) {
    unsigned length = utf8Length(text, at);
    if (!length) return false;
    at += length;
  }
  return true;
}

void appendValidUtf8(std::string& out, llvm::StringRef text) {
  for (size_t at = 0; at < text.size();) {
    unsigned length = utf8Length(text, at);
    if (length)
      out.append(text.data() + at, length);
    else
      out += "\xEF\xBF\xBD";
    at += length ? length : 1;
  }
}

namespace {

// A byte that starts no valid sequence counts as one character.
unsigned sequenceLength(llvm::StringRef text, size_t at) {
  return std::max(1u, utf8Length(text, at));
}

unsigned utf16Units(unsigned sequenceLength) {
  return sequenceLength == 4 ? 2 : 1;
}

} // namespace

SourceText::SourceText(std::string text) : text_(std::move(text)) {
  lineStarts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n' || (text_[i] == '\r' && (i + 1 == text_.size() || text_[i + 1] != '\n')))
      lineStarts_.push_back(static_cast<Offset>(i + 1));
  }
}

uint32_t SourceText::lineOf(Offset offset) const {
  auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  return static_cast<uint32_t>(after - lineStarts_.begin() - 1);
}

llvm::StringRef SourceText::line(uint32_t line) const {
  Offset end = line + 1 < lineCount() ? lineStarts_[line + 1] : size();
  return slice({lineStarts_[line], end}).rtrim("\r\n");
}

Position SourceText::position(Offset offset) const {
  offset = std::min(offset, size());
  uint32_t line = lineOf(offset), units = 0;
  for (size_t at = lineStarts_[line]; at < offset;) {
    unsigned length = sequenceLength(text_, at);
    if (at + length > offset) break; // inside a character: its start
    units += utf16Units(length);
    at += length;
  }
  return {line, units};
}

Offset SourceText::offset(Position position) const {
  if (position.line >= lineCount()) return size();
  llvm::StringRef text = line(position.line);
  size_t at = 0;
  for (uint32_t units = 0; at < text.size() && units < position.character;) {
    unsigned length = sequenceLength(text, at);
    units += utf16Units(length);
    if (units > position.character) break; // between the halves of a surrogate pair
    at += length;
  }
  return lineStarts_[position.line] + static_cast<Offset>(at);
}

SourceText SourceText::apply(const Edit& edit) const {
  Offset begin = std::min(edit.range.begin, size()),
         end = std::clamp(edit.range.end, begin, size());
  std::string result;
  result.reserve(text_.size() + edit.text.size());
  result.append(text_, 0, begin).append(edit.text).append(text_, end, std::string::npos);
  return SourceText(std::move(result));
}

} // namespace gluond::text
