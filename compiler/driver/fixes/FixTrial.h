// Tries fixes before they are offered: the file is analysed with the edits applied.
#pragma once

#include "driver/analysis/Check.h"

#include <llvm/ADT/STLFunctionalExtras.h>

#include <vector>

namespace gluond::driver {

// How edits change a file's findings. Two findings are the same if they have the same text at the
// same place, after moving places with the edits.
struct FixEffect {
  std::vector<Finding> gone;       // findings that only existed before
  std::vector<Finding> come, kept; // findings after the edits: new and unchanged
  bool isComplete = true;          // false if the analysis was stopped
};
// Returns nullopt if cancelled.
std::optional<FixEffect> effectOf(const Snapshot& snapshot, const File& file,
                                  llvm::ArrayRef<Finding> before, llvm::ArrayRef<text::Edit> edits,
                                  WorkerPool& workers, CancellationToken token);

// Tries the fixes of the wanted findings in every launch. A fix that does not remove its finding,
// or adds another one where it edits, is dropped; one that is right only for the launch of its
// finding says so in its title. A fix that could not be tried becomes `Suggested` at most.
void tryFixes(const Snapshot& snapshot, const File& file, std::vector<Finding>& findings,
              llvm::function_ref<bool(const Finding&)> isWanted, WorkerPool& workers,
              CancellationToken token);

} // namespace gluond::driver
