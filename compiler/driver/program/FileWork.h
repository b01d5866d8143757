// Work on one file, paid from what that file may cost.
//
//   FileWork work(snapshot, file);   // this thread, and those it starts with forEachInParallel()
//   ... if (FileWork::isStopped()) the rest is not looked at, and the user is told ...
//
// All work on one version of a file draws on one allowance: the diagnostics in the making and the
// hover that is asked for meanwhile. When it is spent it stays so until the text or a file that it
// imports changes: what takes for ever costs its limit once, not once a request, and what asks
// later is told at once. Work that ends in time is forgiven: the next has the whole allowance
// again.
#pragma once

#include "driver/workspace/Workspace.h"
#include "support/Allowance.h"

#include <memory>
#include <string>

namespace gluond::driver {

// What an editor's file may cost, as settings say. `check` has more (see cli/commands/Check.cpp).
Allowance::Limits limitsOf(const Settings& settings);
// What a user who asks for IR, PTX or a run may wait for: LLVM's code generator takes seconds for a
// large kernel, and nobody pays for it by opening a file.
inline constexpr Allowance::Limits onDemandLimits{std::chrono::seconds(20), size_t{2} << 30};

class FileWork {
public:
  // Inside other work it changes nothing: that pays.
  FileWork(const Snapshot& snapshot, std::shared_ptr<const File> file);
  ~FileWork();

  // Whether what this thread works for has to end; cheap enough for a loop.
  static bool isStopped() { return Spending::isSpent(); }
  // "2 s of CPU time", "512 MB of memory": what was spent. Only after isStopped().
  static std::string spentText();

private:
  std::shared_ptr<const File> file_;
  std::shared_ptr<Allowance> allowance_; // null: an outer one pays
  std::optional<Spending> spending_;
};

} // namespace gluond::driver
