#include "lsp/handlers/Convert.h"

#include <algorithm>

namespace gluond::lsp {

namespace {

text::Unit unitOf(PositionEncoding encoding) {
  return encoding == PositionEncoding::Utf16 ? text::Unit::Utf16 : text::Unit::CodePoint;
}

} // namespace

Position PositionMap::position(text::Offset offset) const {
  if (encoding_ == PositionEncoding::Utf8) {
    offset = std::min(offset, text_.size());
    uint32_t line = text_.lineOf(offset);
    return {line, offset - text_.lineStart(line)};
  }
  text::Position p = text_.position(offset, unitOf(encoding_));
  return {p.line, p.character};
}

text::Offset PositionMap::offset(Position position) const {
  if (encoding_ != PositionEncoding::Utf8)
    return text_.offset({position.line, position.character}, unitOf(encoding_));
  if (position.line >= text_.lineCount()) return text_.size();
  auto size = static_cast<text::Offset>(text_.line(position.line).size());
  return text_.lineStart(position.line) + std::min<text::Offset>(position.character, size);
}

text::Range PositionMap::range(Range range) const {
  text::Range result{offset(range.start), offset(range.end)};
  if (result.end < result.begin) std::swap(result.begin, result.end);
  return result;
}

} // namespace gluond::lsp
