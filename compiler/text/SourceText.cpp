#include "text/SourceText.h"

#include <llvm/ADT/STLExtras.h>

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

// The width of a character with this number of bytes.
uint32_t width(unsigned sequenceLength, Unit unit) {
  return unit == Unit::Utf16 && sequenceLength == 4 ? 2 : 1;
}

constexpr Offset markDistance = 1024;

} // namespace

SourceText::SourceText(std::string text) : text_(std::move(text)) {
  lineStarts_.push_back(0);
  for (size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] != '\n' && (text_[i] != '\r' || (i + 1 < text_.size() && text_[i + 1] == '\n')))
      continue;
    endLine(static_cast<Offset>(i));
    lineStarts_.push_back(static_cast<Offset>(i + 1));
  }
  endLine(size());
}

// Sets the marks of the last line, if it is a long one.
void SourceText::endLine(Offset end) {
  Mark here{lineStarts_.back(), 0, 0};
  if (end - here.at <= markDistance) return;
  for (Offset next = here.at + markDistance; here.at < end;) {
    if (here.at >= next) {
      marks_.push_back(here);
      next = here.at + markDistance;
    }
    unsigned length = sequenceLength(text_, here.at);
    here = {here.at + length, here.units + width(length, Unit::Utf16), here.characters + 1};
  }
}

llvm::ArrayRef<SourceText::Mark> SourceText::marksOf(uint32_t line) const {
  auto before = [](const Mark& mark, Offset at) { return mark.at < at; };
  Offset end = line + 1 < lineCount() ? lineStarts_[line + 1] : size();
  auto first = std::lower_bound(marks_.begin(), marks_.end(), lineStarts_[line], before);
  auto last = std::lower_bound(first, marks_.end(), end, before);
  return llvm::ArrayRef(marks_).slice(static_cast<size_t>(first - marks_.begin()),
                                      static_cast<size_t>(last - first));
}

uint32_t SourceText::lineOf(Offset offset) const {
  auto after = std::upper_bound(lineStarts_.begin(), lineStarts_.end(), offset);
  return static_cast<uint32_t>(after - lineStarts_.begin() - 1);
}

llvm::StringRef SourceText::line(uint32_t line) const {
  Offset end = line + 1 < lineCount() ? lineStarts_[line + 1] : size();
  return slice({lineStarts_[line], end}).rtrim("\r\n");
}

Position SourceText::position(Offset offset, Unit unit) const {
  offset = std::min(offset, size());
  uint32_t line = lineOf(offset);
  Mark from{lineStarts_[line], 0, 0};
  if (offset - from.at > markDistance) {
    llvm::ArrayRef<Mark> marks = marksOf(line);
    auto after = std::upper_bound(marks.begin(), marks.end(), offset,
                                  [](Offset at, const Mark& mark) { return at < mark.at; });
    if (after != marks.begin()) from = after[-1];
  }
  uint32_t count = from.count(unit);
  for (Offset at = from.at; at < offset;) {
    unsigned length = sequenceLength(text_, at);
    if (at + length > offset) break; // inside a character: its start
    count += width(length, unit);
    at += length;
  }
  return {line, count};
}

Offset SourceText::offset(Position position, Unit unit) const {
  if (position.line >= lineCount()) return size();
  llvm::StringRef text = line(position.line);
  Offset start = lineStarts_[position.line], end = start + static_cast<Offset>(text.size());
  Mark from{start, 0, 0};
  if (position.character > markDistance / 4) {
    llvm::ArrayRef<Mark> marks = marksOf(position.line);
    auto after = std::upper_bound(
        marks.begin(), marks.end(), position.character,
        [&](uint32_t count, const Mark& mark) { return count < mark.count(unit); });
    if (after != marks.begin()) from = after[-1];
  }
  Offset at = from.at;
  for (uint32_t count = from.count(unit); at < end && count < position.character;) {
    unsigned length = sequenceLength(text_, at);
    count += width(length, unit);
    if (count > position.character) break; // between the halves of a surrogate pair
    at += length;
  }
  return at;
}

SourceText SourceText::apply(const Edit& edit) const {
  Offset begin = std::min(edit.range.begin, size()),
         end = std::clamp(edit.range.end, begin, size());
  std::string result;
  result.reserve(text_.size() + edit.text.size());
  result.append(text_, 0, begin).append(edit.text).append(text_, end, std::string::npos);
  return SourceText(std::move(result));
}

std::string withEdits(const SourceText& source, llvm::ArrayRef<Edit> edits) {
  std::vector<Edit> sorted(edits.begin(), edits.end());
  llvm::sort(sorted, [](const Edit& a, const Edit& b) {
    return std::pair(a.range.begin, a.range.end) < std::pair(b.range.begin, b.range.end);
  });
  std::string result;
  Offset done = 0;
  for (const Edit& edit : sorted) {
    result += source.slice({done, edit.range.begin});
    result += edit.text;
    done = edit.range.end;
  }
  return result + source.slice({done, source.size()}).str();
}

} // namespace gluond::text
