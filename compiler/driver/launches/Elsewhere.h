// What other files of the workspace do with a file's kernels and functions: launch them, call them
// from kernels of their own (docs/contributing/architecture.md, "Launches in other files").
//
// A user is evaluated as itself, as everywhere, and pays for that itself; whoever asks may have so
// much of it done as its own analysis may cost.
#pragma once

#include "driver/launches/Importers.h"
#include "driver/program/Program.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::driver {

// What a user does with the file, by qualified names.
struct Uses {
  llvm::StringSet<> launched, called;
};

struct UserLook {
  size_t users = 0;       // how many files use this one
  size_t leftOut = 0;     // for good: they are too many, or cost too much
  bool isComplete = true; // false: some were passed over because `wants` said so
  bool isWhole = true;    // false: the project has more files than are looked at
};

// Evaluates the files that use `file` for a target, the nearest first, and shows each to
// `visit`. Of what is known to do only so much, `wants` is asked first. Nothing: cancelled.
std::optional<UserLook> forEachUser(
    const Snapshot& snapshot, const std::shared_ptr<const File>& file, llvm::StringRef target,
    CancellationToken token, llvm::function_ref<bool(const File& user, const Uses& uses)> wants,
    llvm::function_ref<void(const std::shared_ptr<const Program>& user, const Uses& uses)> visit);

// How ids of launches name the file that they are in: its path in its project, with dots.
std::string launchingFileName(llvm::StringRef path);

// What forEachUser() remembers. Internal to driver/.
struct UserMemory : Memory {
  struct Known {
    std::weak_ptr<const File> user; // this version of it
    Uses uses;
  };
  std::mutex mutex;
  llvm::StringMap<Known> known; // by user, file and target
};

} // namespace gluond::driver
