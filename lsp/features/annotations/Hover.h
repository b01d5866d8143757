// The hover text for the name under the cursor, as Markdown.
#pragma once

#include "lsp/features/names/NameResolver.h"

#include <optional>
#include <string>

namespace gluond::lsp {

struct HoverInfo {
  text::Range range;
  std::string markdown;
};
// Covers Gluon and the code in kernels; other Python code only if `plainPython`.
std::optional<HoverInfo> hoverAt(NameResolver& resolver, const IndexedFile& file,
                                 text::Offset offset, bool plainPython);

} // namespace gluond::lsp
