// Work on one file, charged to the allowance of that file.
//
//   FileWork work(snapshot, file);   // this thread, and those it starts with forEachInParallel()
//   ... if (FileWork::isStopped()) the rest is not looked at, and the user is told ...
//
// All work on one version of a file shares one allowance: for example, diagnostics in progress
// and a hover requested meanwhile. Once spent, it stays spent until the text or an imported
// file changes: work that never ends costs its limit once, not once per request, and later
// requests end at once. Work that finishes in time is refunded: the next has the whole
// allowance again.
#pragma once

#include "driver/workspace/Workspace.h"
#include "support/Allowance.h"

#include <memory>
#include <string>

namespace gluond::driver {

// The limits for an editor's file, from the settings. `check` has more (cli/commands/Check.cpp).
Allowance::Limits limitsOf(const Settings& settings);
// The limits for this version of the file: less for a long text, and for one that replaces another.
Allowance::Limits limitsOf(const Snapshot& snapshot, const File& file);
// The limits when a user requests IR, PTX or a run: LLVM's code generator takes seconds for a large
// kernel, and merely opening a file never runs it.
inline constexpr Allowance::Limits onDemandLimits{std::chrono::seconds(20), size_t{2} << 30};

class FileWork {
public:
  // Inside other work it has no effect: the outer work is charged.
  FileWork(const Snapshot& snapshot, std::shared_ptr<const File> file);
  ~FileWork();

  // Returns whether this thread's work must end; cheap enough to call in a loop.
  static bool isStopped() { return Spending::isSpent(); }
  // Returns what was spent, "2 s of CPU time", "512 MB of memory". Call it only after isStopped().
  static std::string spentText();

private:
  std::shared_ptr<const File> file_;
  std::shared_ptr<Allowance> allowance_; // null if the work is charged to an outer one
  std::optional<Spending> spending_;
};

} // namespace gluond::driver
