// Where a layout is written in the source, and how another one is put in its place.
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"

#include <llvm/ADT/ArrayRef.h>
#include <tl/expected.hpp>

#include <optional>
#include <string>

namespace gluond::lsp {

// The call (gl.BlockedLayout(...)) that makes the layout at `offset`: one around it, the value of
// the name there, or the one in the file that makes the layout which the value there has; else the
// call of a helper whose result is that name. Nothing where it is made elsewhere.
std::optional<text::Range> layoutSourceAt(const driver::Snapshot& snapshot,
                                          const std::shared_ptr<const driver::File>& file,
                                          text::Offset offset, driver::Worker& worker,
                                          CancellationToken token);

// An argument of a layout's class that is to be another; `was` and `becomes` as Python.
struct ArgumentChange {
  std::string parameter;
  size_t position = 0; // among the parameters of the class
  std::string was, becomes;
};

// `expression` as it is written in this file in place of the layout at `range`: under the name that
// the file has for Gluon's namespace. With `changes`, what is written there stays but for them:
// `[1, VEC * 2]` that was `[1, 8]` and becomes `[2, 8]` is `[2, VEC * 2]`. The error says why
// nothing can be written there.
tl::expected<std::string, std::string> layoutText(const driver::Snapshot& snapshot,
                                                  const driver::File& file, text::Range range,
                                                  const std::string& expression,
                                                  llvm::ArrayRef<ArgumentChange> changes,
                                                  CancellationToken token);

} // namespace gluond::lsp
