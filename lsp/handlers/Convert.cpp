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
  text::Offset start = text_.lineStart(line);
  if (encoding_ == PositionEncoding::Utf8) return {line, offset - start};
  uint32_t characters = 0;
  for (text::Offset at = start; at < offset; ++characters)
    at += std::max(1u, text::utf8Length(text_.text(), at));
  return {line, characters};
}

text::Offset PositionMap::offset(Position position) const {
  if (encoding_ == PositionEncoding::Utf16)
    return text_.offset({position.line, position.character});
  if (position.line >= text_.lineCount()) return text_.size();
  text::Offset start = text_.lineStart(position.line);
  if (encoding_ == PositionEncoding::Utf32) {
    llvm::StringRef line = text_.line(position.line);
    size_t at = 0;
    for (uint32_t i = 0; i < position.character && at < line.size(); ++i)
      at += std::max(1u, text::utf8Length(line, at));
    return start + static_cast<text::Offset>(at);
  }
  return start + std::min<text::Offset>(position.character, static_cast<text::Offset>(
                                                                text_.line(position.line).size()));
}

text::Range PositionMap::range(Range range) const {
  text::Range result{offset(range.start), offset(range.end)};
  if (result.end < result.begin) std::swap(result.begin, result.end);
  return result;
}

} // namespace gluond::lsp
