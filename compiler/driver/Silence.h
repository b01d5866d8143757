// Warnings and hints that the user does not want: `# gluond: ignore[slug, slug]` (or `# gluond:
// ignore` for all) at the end of a line of the place, or at or right above the `def` of a function
// around it; and Settings::ignored. Errors are never silenced: Triton would not compile the kernel.
#pragma once

#include "driver/Workspace.h"

#include <llvm/ADT/DenseMap.h>

namespace gluond::driver {

// For one look over findings; one thread. Files without such a comment cost one search each.
class Silence {
public:
  explicit Silence(const Snapshot& snapshot) : snapshot_(snapshot) {}
  bool covers(const diagnostics::Diagnostic& diagnostic);

private:
  const Snapshot& snapshot_;
  llvm::DenseMap<uint32_t, std::shared_ptr<const File>> files_; // null: nothing in it is silenced
};

} // namespace gluond::driver
