// Finds where a layout is written in the source, and replaces it by another one.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"

#include <llvm/ADT/ArrayRef.h>
#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gluond::lsp {

// Returns the call (gl.BlockedLayout(...)) that makes the layout at `offset`: one around it, the
// value of the name there, or the one in the file that makes the layout of the value there; else
// the call of a helper whose result has that name. Returns nullopt if it is made elsewhere.
std::optional<text::Range> layoutSourceAt(const driver::Snapshot& snapshot,
                                          const std::shared_ptr<const driver::File>& file,
                                          text::Offset offset, driver::Worker& worker,
                                          CancellationToken token);

// A changed argument of a layout's class; `was` and `becomes` are Python expressions.
struct ArgumentChange {
  std::string parameter;
  size_t position = 0; // index among the parameters of the class
  std::string was, becomes;
};

// Returns the text of `expression` that replaces the layout at `range` in this file, with the
// file's name for Gluon's namespace. With `changes`, the existing text is kept except for these:
// `[1, VEC * 2]` that was `[1, 8]` and becomes `[2, 8]` is `[2, VEC * 2]`. The error says why the
// layout cannot be replaced.
tl::expected<std::string, std::string> layoutText(const driver::Snapshot& snapshot,
                                                  const driver::File& file, text::Range range,
                                                  const std::string& expression,
                                                  llvm::ArrayRef<ArgumentChange> changes,
                                                  CancellationToken token);

} // namespace gluond::lsp
