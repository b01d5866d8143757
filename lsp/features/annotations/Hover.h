// What is known about the thing under the cursor, as Markdown.
#pragma once

#include "lsp/features/names/NameResolver.h"

#include <optional>
#include <string>

namespace gluond::lsp {

struct HoverInfo {
  text::Range range;
  std::string markdown;
};
// Speaks of Gluon and of what stands in kernels; of the rest of Python only when `plainPython`.
std::optional<HoverInfo> hoverAt(Resolver& resolver, const IndexedFile& file, text::Offset offset,
                                 bool plainPython);

} // namespace gluond::lsp
