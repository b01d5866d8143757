// What is known about the thing under the cursor, as Markdown.
#pragma once

#include "driver/Workspace.h"

#include <optional>
#include <string>

namespace gluond::lsp {

struct HoverInfo {
  text::Range range;
  std::string markdown;
};
std::optional<HoverInfo> hoverAt(const driver::Snapshot& snapshot,
                                 const std::shared_ptr<const driver::File>& file,
                                 text::Offset offset, driver::Worker& worker,
                                 CancellationToken token);

} // namespace gluond::lsp
