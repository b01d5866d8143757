// Everything there is to say about a file: syntax, module, every kernel in every specialization.
#pragma once

#include "driver/Workspace.h"

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

// A diagnostic and where it came up: the kernel's qualname and the launch's id, empty for what
// concerns the file alone.
struct Finding {
  diagnostics::Diagnostic diagnostic;
  std::string kernel, launch;
};

// In order of place; a mistake that several specializations share is told once, for the first of
// them. Nothing: cancelled.
std::optional<std::vector<Finding>> check(const Snapshot& snapshot,
                                          const std::shared_ptr<const File>& file, Worker& worker,
                                          CancellationToken token);

} // namespace gluond::driver
