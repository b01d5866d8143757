// Where a layout is written in the source, and how another one is put in its place.
#pragma once

#include "driver/Workspace.h"

#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gluond::lsp {

// The call (gl.BlockedLayout(...)) that makes the layout at `offset`: one around it, the value of
// the name there, or the one in the file that makes the layout which the value there has. Nothing
// where it is made elsewhere.
std::optional<text::Range> layoutSourceAt(const driver::Snapshot& snapshot,
                                          const std::shared_ptr<const driver::File>& file,
                                          text::Offset offset, driver::Worker& worker,
                                          CancellationToken token);

// `expression` as it is written in this file in place of the layout at `range`: under the name that
// the file has for Gluon's namespace. The error says why nothing can be written there.
tl::expected<std::string, std::string> layoutText(const driver::Snapshot& snapshot,
                                                  const driver::File& file, text::Range range,
                                                  const std::string& expression,
                                                  CancellationToken token);

} // namespace gluond::lsp
