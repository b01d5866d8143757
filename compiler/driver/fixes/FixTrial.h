// Fixes are tried before they are offered: the file is analysed with the edits made.
#pragma once

#include "driver/analysis/Check.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <vector>

namespace gluond::driver {

// What edits make of a file's findings. A finding is the same one when it says the same of the same
// place, wherever the edits moved that.
struct FixEffect {
  std::vector<Finding> gone;       // of those before
  std::vector<Finding> come, kept; // of those after
  bool isComplete = true;          // false: the analysis was stopped
};
// Nothing: cancelled.
std::optional<FixEffect> effectOf(const Snapshot& snapshot, const File& file,
                                  llvm::ArrayRef<Finding> before, llvm::ArrayRef<text::Edit> edits,
                                  WorkerPool& workers, CancellationToken token);

// Tries the fixes of the wanted findings, in every launch. A fix that leaves its finding, or brings
// another one where it edits, is dropped; one that is right for the launch of its finding alone
// says so in its title. A fix that could not be tried is at most suggested.
void tryFixes(const Snapshot& snapshot, const File& file, std::vector<Finding>& findings,
              llvm::function_ref<bool(const Finding&)> isWanted, WorkerPool& workers,
              CancellationToken token);

} // namespace gluond::driver
