// Finds the other files of the workspace that use a file's kernels and functions: they launch them,
// or call them from their own kernels (docs/contributing/architecture.md, "Launches in other
// files").
//
// Each using file is evaluated with its own allowance, as always, and the caller may have it
// evaluated only as far as the caller's own analysis may cost.
#pragma once

#include "driver/program/EvaluatedFile.h"
#include "driver/users/Importers.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringSet.h>

namespace gluond::driver {

// The kernels and functions of the file that a user launches or calls, by qualified names.
struct Uses {
  llvm::StringSet<> launched, called;
  llvm::StringSet<> failed; // would be launched, but for an exception
  // Whether functions of the file launch kernels of other files for the user, or raise exceptions.
  bool runsHostCode = false;
  bool isEmpty() const {
    return launched.empty() && called.empty() && failed.empty() && !runsHostCode;
  }
};

struct UserLook {
  size_t users = 0;       // number of files that use this one
  size_t leftOut = 0;     // not looked at again: there are too many, or they cost too much
  bool isComplete = true; // false if some were skipped because `wants` returned false
  bool isWhole = true;    // false if the project has more files than are searched
};

// Evaluates the files that use `file`, nearest first, and calls `visit` with each but for those
// that are known to launch and call nothing of it. If the uses of a file are known already, `wants`
// is asked first whether to visit it. Returns nullopt if cancelled.
std::optional<UserLook> forEachUser(
    const Snapshot& snapshot, const std::shared_ptr<const File>& file, llvm::StringRef target,
    CancellationToken token, llvm::function_ref<bool(const File& user, const Uses& uses)> wants,
    llvm::function_ref<void(const std::shared_ptr<const EvaluatedFile>& user, const Uses& uses)>
        visit);

// Returns how launch ids name the file that contains them: its path in its project, with dots.
std::string launchingFileName(llvm::StringRef path);

// The cache of forEachUser(). Internal to driver/.
struct UserCache : Cache {
  struct Known {
    std::weak_ptr<const File> user; // the version of the file
    uint64_t texts = 0;             // a hash of all texts at that time
    llvm::StringMap<Uses> byFile;
  };
  std::mutex mutex;
  llvm::StringMap<Known> known; // by user, target and settings
};

} // namespace gluond::driver
