#include "lsp/handlers/Convert.h"

#include <algorithm>

namespace gluond::lsp {

Position PositionMap::position(text::Offset offset) const {
  if (encoding_ == PositionEncoding::Utf16) {
    text::Position p = text_.position(offset);
    return {p.line, p.character};
  }
  offset = std::min(offset, text_.size());
  uint32_t line = text_.lineOf(offset);
  return {line, offset - text_.lineStart(line)};
}

text::Offset PositionMap::offset(Position position) const {
  if (encoding_ == PositionEncoding::Utf16)
    return text_.offset({position.line, position.character});
  if (position.line >= text_.lineCount()) return text_.size();
  text::Offset start = text_.lineStart(position.line);
  return start + std::min<text::Offset>(position.character, static_cast<text::Offset>(
                                                                text_.line(position.line).size()));
}

text::Range PositionMap::range(Range range) const {
  text::Range result{offset(range.start), offset(range.end)};
  if (result.end < result.begin) std::swap(result.begin, result.end);
  return result;
}

} // namespace gluond::lsp
