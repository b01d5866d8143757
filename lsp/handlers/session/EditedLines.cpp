#include "lsp/handlers/session/EditedLines.h"

#include "lsp/handlers/Convert.h"

#include <llvm/ADT/STLExtras.h>

#include <limits>
#include <tuple>

namespace gluond::lsp {

namespace {

llvm::StringRef lineWithEnd(const text::SourceText& text, uint32_t line) {
  return text.slice(
      {text.lineStart(line), line + 1 < text.lineCount() ? text.lineStart(line + 1) : text.size()});
}

void sort(Range& range) {
  if (std::tie(range.end.line, range.end.character) <
      std::tie(range.start.line, range.start.character))
    std::swap(range.start, range.end);
}

// Whether the position is between the halves of a surrogate pair, whose character is at `offset`.
bool splitsPair(const text::SourceText& text, text::Offset offset, Position position,
                PositionEncoding encoding) {
  if (encoding != PositionEncoding::Utf16 || offset >= text.size() ||
      text::utf8Length(text.text(), offset) != 4)
    return false;
  Position begin = PositionMap(text, encoding).position(offset);
  return begin.line == position.line && begin.character < position.character;
}

// A range of an editor's text as an edit of ours. Where it begins or ends between the halves of a
// surrogate pair, the editor keeps the other half: it becomes U+FFFD, which has one unit as well.
text::Edit editOf(const text::SourceText& text, Range range, llvm::StringRef put,
                  PositionEncoding encoding) {
  constexpr llvm::StringLiteral half = "\xEF\xBF\xBD";
  sort(range);
  text::Edit edit{PositionMap(text, encoding).range(range), put.str()};
  if (splitsPair(text, edit.range.begin, range.start, encoding)) edit.text.insert(0, half);
  if (splitsPair(text, edit.range.end, range.end, encoding)) {
    edit.text += half;
    edit.range.end += 4;
  }
  return edit;
}

} // namespace

EditedLines::EditedLines(const text::SourceText& text, PositionEncoding encoding)
    : encoding_(encoding) {
  below_.reserve(text.lineCount());
  for (uint32_t line = text.lineCount(); line-- > 0;)
    below_.push_back(lineWithEnd(text, line).str());
}

void EditedLines::goTo(size_t line) {
  for (; above_.size() < line; below_.pop_back())
    above_.push_back(std::move(below_.back()));
  for (; above_.size() > line; above_.pop_back())
    below_.push_back(std::move(above_.back()));
}

void EditedLines::replace(Range range, llvm::StringRef put) {
  for (Position* position : {&range.start, &range.end})
    if (position->line >= count())
      *position = {static_cast<uint32_t>(count() - 1), std::numeric_limits<uint32_t>::max()};
  sort(range);

  goTo(range.start.line);
  std::string replaced;
  for (uint32_t line = range.start.line; line <= range.end.line; ++line, below_.pop_back())
    replaced += below_.back();
  range.end.line -= range.start.line;
  range.start.line = 0;
  text::SourceText old(std::move(replaced));
  std::string changed = old.apply(editOf(old, range, put, encoding_)).text().str();
  if (!above_.empty() && above_.back().back() == '\r') { // an inserted "\n" ends the same line
    changed.insert(0, above_.back());
    above_.pop_back();
  }

  text::SourceText lines(std::move(changed));
  // After the end of a line that is not the last, there is always another line.
  uint32_t end = lines.lineCount() - (below_.empty() ? 0 : 1);
  for (uint32_t line = end; line-- > 0;)
    below_.push_back(lineWithEnd(lines, line).str());
}

std::string EditedLines::text() const {
  std::string result;
  for (const std::string& line : above_)
    result += line;
  for (const std::string& line : llvm::reverse(below_))
    result += line;
  return result;
}

text::SourceText afterChanges(const text::SourceText& text, llvm::ArrayRef<ContentChange> changes,
                              PositionEncoding encoding) {
  if (changes.size() == 1) { // typing
    const ContentChange& change = changes.front();
    if (!change.range) return text::SourceText(change.text);
    return text.apply(editOf(text, *change.range, change.text, encoding));
  }
  EditedLines lines(text, encoding);
  for (const ContentChange& change : changes) {
    if (change.range)
      lines.replace(*change.range, change.text);
    else
      lines = EditedLines(text::SourceText(change.text), encoding);
  }
  return text::SourceText(lines.text());
}

} // namespace gluond::lsp
