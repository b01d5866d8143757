// Combines fixes of a file's findings: which may be applied together, and the resulting edits.
#pragma once

#include "driver/analysis/Check.h"

#include <vector>

namespace gluond::driver {

// Whether a fix is right for all launches of the kernel: one that is not is for a reader to choose.
bool isForAllLaunches(const diagnostics::Fix& fix);

// The fix that is applied with all others where nobody chooses one: the safe one, or with
// `Suggested` the first suggested one that is for all launches. Null if there is none, or if only a
// person can tell which of several values is meant.
const diagnostics::Fix* appliedFix(const diagnostics::Diagnostic& diagnostic,
                                   diagnostics::Applicability least);

struct FixSet {
  std::vector<text::Edit> edits; // sorted by place; they do not overlap or touch
  std::vector<size_t> findings;  // indices of the findings that the edits fix
};
// Takes one fix for each finding in the file, the safe one if it has one; with `Suggested`, also
// suggested ones that are for all launches. If two change the same place, the first wins; the other
// is for the next round.
FixSet fixesOf(llvm::ArrayRef<Finding> findings, diagnostics::FileId file,
               diagnostics::Applicability least);

// The changes of a file as a unified diff, of a notebook cell by cell. `name` is how the diff names
// the file.
std::string diffOf(llvm::StringRef name, const File& before, const File& after);

} // namespace gluond::driver
