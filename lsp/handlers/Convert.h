// Converts between LSP positions in the negotiated encoding and our byte offsets.
#pragma once

#include "lsp/protocol/Messages.h"
#include "lsp/server/Session.h"
#include "text/SourceText.h"

namespace gluond::lsp {

// Positions in one text, in one client's encoding. Cheap; create one where it is needed.
class PositionMap {
public:
  PositionMap(const text::SourceText& text, PositionEncoding encoding)
      : text_(text), encoding_(encoding) {}
  Position position(text::Offset offset) const;
  Range range(text::Range range) const { return {position(range.begin), position(range.end)}; }
  // Positions outside the text are clamped to it.
  text::Offset offset(Position position) const;
  text::Range range(Range range) const;

private:
  const text::SourceText& text_;
  PositionEncoding encoding_;
};

} // namespace gluond::lsp
