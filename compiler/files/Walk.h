// Lists untrusted folders: bounded in number, depth and time, and without following
// links.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/StringRef.h>

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

namespace gluond::files {

struct Entry {
  std::string name;
  enum class Kind { File, Folder, Link } kind = Kind::File; // others are not listed
};

// Returns the entries of a folder that is beneath one of `folders`, unordered, at most `most`.
// Returns none if it cannot be read.
std::vector<Entry> entriesBeneath(llvm::ArrayRef<std::string> folders, llvm::StringRef path,
                                  size_t most = 100'000);

// The same for a folder that is open.
std::vector<Entry> entriesIn(int folder, size_t most = 100'000);

struct WalkLimits {
  size_t files = 20'000, folders = 50'000, entries = 1'000'000;
  size_t pathBytes = 3000;
  unsigned depth = 64;
  std::chrono::milliseconds time{10'000};
};
struct Walked {
  std::vector<std::string> files; // relative to the root, with '/'; shallow ones first
  std::string problem;            // why the root could not be read; empty on success
  bool isWhole = true;            // false if a limit was reached or it was cancelled
};

// Returns the files below a folder that the user named. `entersFolder` is called with the relative
// path of each folder, `takesFile` with that of each file (and link, whose target the reader must
// check).
Walked walk(llvm::StringRef root, llvm::function_ref<bool(llvm::StringRef)> entersFolder,
            llvm::function_ref<bool(llvm::StringRef)> takesFile, const CancellationToken& token,
            const WalkLimits& limits);

} // namespace gluond::files
