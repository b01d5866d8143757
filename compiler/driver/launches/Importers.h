// Which files of a project use what a file defines: those that may launch its kernels, and those
// whose kernels may call its functions. Found from names alone (NameScan.h), along imports and
// re-exports; what they really do says their evaluation.
//
// Each file of a project is read once for its imports, and again when it changes on disk. A file
// counts as a user when it imports the other one, directly or through files that hand names on, and
// mentions a kernel, a function that launches it, or whatever else is made of these.
#pragma once

#include "driver/launches/NameScan.h"
#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/Workspace.h"

#include <map>
#include <mutex>

namespace gluond::driver {

struct Importers {
  std::vector<std::shared_ptr<const File>> files; // near ones first; not itself
  bool isWhole = true; // false: the project has more files than are looked at
};

// Null: cancelled. Open documents win over what is on disk; where the project is, ProjectFolder.h
// says.
std::shared_ptr<const Importers> importersOf(const Snapshot& snapshot,
                                             const std::shared_ptr<const File>& file,
                                             CancellationToken token);

// Whether a file mentions Gluon, or imports a file of the workspace that does, directly or through
// others: it may launch kernels without naming Gluon itself.
bool reachesGluon(const Snapshot& snapshot, const File& file);

// What importersOf() keeps. Internal to driver/.
struct ImportIndex : Memory {
  struct Entry {
    std::shared_ptr<const ScannedImports> imports;
    int64_t modifiedNanoseconds = 0;
    uint64_t bytes = 0;
  };
  struct Project {
    uint64_t generation = ~uint64_t{0}; // of the disk
    std::shared_ptr<const std::vector<std::string>> files;
    bool isWhole = true;
    std::vector<std::shared_ptr<const ScannedImports>> imports; // of files, in their order
    llvm::StringMap<std::vector<uint32_t>> byWord;              // files that import such a name
  };
  // The answer for one file, and all that it depends on.
  struct Answer {
    uint64_t key = 0;
    std::vector<std::string> paths;
    bool isWhole = true;
  };
  // Where the users of a file are looked for, and what that depends on.
  struct Searched {
    uint64_t generation = ~uint64_t{0}; // of the disk
    std::vector<std::string> roots, folders;
    SearchedFolder folder;
  };
  std::mutex scanMutex;
  llvm::StringMap<std::shared_ptr<const NameScan>> scans; // the last of each open document
  std::mutex mutex;
  llvm::StringMap<Entry> entries;                                 // by path
  std::map<std::string, std::shared_ptr<const Project>> projects; // by folder
  llvm::StringMap<Answer> answers;
  llvm::StringMap<Searched> searched;
};

} // namespace gluond::driver
