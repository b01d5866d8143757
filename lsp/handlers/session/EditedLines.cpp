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

size_t EditedLines::offsetIn(llvm::StringRef line, uint32_t character) const {
  return PositionMap(text::SourceText(line.str()), encoding_).offset({0, character});
}

void EditedLines::replace(Range range, llvm::StringRef put) {
  for (Position* position : {&range.start, &range.end})
    if (position->line >= count())
      *position = {static_cast<uint32_t>(count() - 1), std::numeric_limits<uint32_t>::max()};
  if (std::tie(range.end.line, range.end.character) <
      std::tie(range.start.line, range.start.character))
    std::swap(range.start, range.end);

  goTo(range.start.line);
  std::string& first = below_.back();
  std::string changed = first.substr(0, offsetIn(first, range.start.character)) + put.str();
  below_.resize(below_.size() - (range.end.line - range.start.line));
  const std::string& last = below_.back();
  changed += llvm::StringRef(last).drop_front(offsetIn(last, range.end.character));
  below_.pop_back();
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
    return text.apply({PositionMap(text, encoding).range(*change.range), change.text});
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
