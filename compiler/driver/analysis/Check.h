// All diagnostics of a file: its syntax, its module, and every kernel in every specialization.
#pragma once

#include "driver/analysis/WorkerPool.h"
#include "driver/findings/Finding.h"
#include "driver/launches/Kernels.h"
#include "driver/workspace/Workspace.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::driver {

// The number of kernels that were checked, and the reasons why others were not.
struct Coverage {
  unsigned kernels = 0, specializations = 0; // every kernel has at least one specialization
  unsigned withoutLaunch = 0;                // kernels that were checked with default types
  struct Gap {
    std::string kernel, reason;
  };
  std::vector<Gap> gaps;                    // kernels whose analysis did not finish
  std::vector<std::string> targets;         // of the specializations, each once, in their order
  std::vector<std::string> modulesNotFound; // the values of their names are unknown
  // Kernels of other files that this file launches.
  struct Elsewhere {
    std::string path, kernel;
    unsigned specializations = 0;
    std::vector<std::string> targets;
  };
  std::vector<Elsewhere> elsewhere;

  // Adds what checking another file covered.
  void add(const Coverage& more);
  // Counts those of `elsewhere` that are in files for which `isChecked` is false, each once.
  void addElsewhere(llvm::function_ref<bool(const std::string& path)> isChecked);
};

struct CheckResult {
  // Sorted by place; a mistake that several specializations share is reported once, for the first.
  std::vector<Finding> findings;
  bool isComplete = true; // false if a quick check left something out
  Coverage coverage = {};
};
// With Depth::Quick, only the selected variant of a changed kernel is compiled again; for the
// others existing results are used. Of a large kernel only the errors that codegen finds are looked
// for; lints are those of the last whole check, where the text is unchanged. Returns nullopt if
// cancelled. The result does not depend on the workers or their number.
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
