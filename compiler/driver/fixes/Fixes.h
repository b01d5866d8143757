// Fixes of a file's findings: which may be applied together, and what becomes of the text.
#pragma once

#include "driver/analysis/Check.h"

#include <vector>

namespace gluond::driver {

struct FixSet {
  std::vector<text::Edit> edits; // in order of place; none touches another
  std::vector<size_t> findings;  // those that the edits are for, as indices
};
// One fix of each finding in the file, the safe one where it has one. `Suggested` takes suggested
// ones too. Where two want the same place changed, the first wins; the other is for the next round.
FixSet fixesOf(llvm::ArrayRef<Finding> findings, diagnostics::FileId file,
               diagnostics::Applicability least);

} // namespace gluond::driver
