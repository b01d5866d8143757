// Everything there is to say about a file: syntax, module, every kernel in every specialization.
#pragma once

#include "driver/analysis/WorkerPool.h"
#include "driver/launches/Kernels.h"
#include "driver/workspace/Workspace.h"

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

// What was looked at, and what was not.
struct Coverage {
  unsigned kernels = 0, specializations = 0; // of which all kernels have one at least
  unsigned withoutLaunch = 0;                // kernels that were checked with default types
  struct Gap {
    std::string kernel, reason;
  };
  std::vector<Gap> gaps; // kernels that were not analyzed to their end
};

struct CheckResult {
  // In order of place; a mistake that several specializations share is told once, for the first.
  std::vector<Finding> findings;
  bool isComplete = true; // false: a quick look left something out
  Coverage coverage = {};
};
// Quick: of a kernel that changed, only the selected variant is compiled anew; what is at hand of
// the others counts. Nothing: cancelled.
// The result is the same whoever is in the workers.
std::optional<CheckResult> check(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                                 WorkerPool& workers, CancellationToken token,
                                 Depth depth = Depth::Full);
inline std::optional<CheckResult> check(const Snapshot& snapshot,
                                        const std::shared_ptr<const File>& file, Worker& worker,
                                        CancellationToken token, Depth depth = Depth::Full) {
  WorkerPool alone(worker);
  return check(snapshot, file, alone, token, depth);
}

} // namespace gluond::driver
