// Finds the files of a project that use what a file defines: those that may launch its kernels, and
// those whose kernels may call its functions. It uses names alone (NameScan.h), along imports and
// re-exports; evaluating the files shows what they really do.
//
// Each file of a project is read once for its imports, and again when it changes on disk. A file
// counts as a user if it imports the other one, directly or through files that re-export names, and
// mentions a kernel, a function that launches it, or a name derived from these.
#pragma once

#include "driver/launches/NameScan.h"
#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/Workspace.h"

#include <map>
#include <mutex>

namespace gluond::driver {

struct Importers {
  std::vector<std::shared_ptr<const File>> files; // nearest first; without the file itself
  bool isWhole = true; // false if the project has more files than are searched
};

// Returns null if cancelled. Open documents take precedence over files on disk; ProjectFolder.h
// decides which folder is the project.
std::shared_ptr<const Importers> importersOf(const Snapshot& snapshot,
                                             const std::shared_ptr<const File>& file,
                                             CancellationToken token);

// Returns whether an import in the file `user` may refer to the path `file`, without accessing the
// disk: the names agree.
bool mayMean(llvm::StringRef user, llvm::StringRef module, unsigned level, llvm::StringRef file);

// Returns whether a file mentions Gluon, or imports a file of the workspace that does, directly or
// indirectly: such a file may launch kernels without naming Gluon itself.
bool reachesGluon(const Snapshot& snapshot, const File& file);

// The cache of importersOf(). Internal to driver/.
struct ImportIndex : Cache {
  struct Entry {
    std::shared_ptr<const ScannedImports> imports;
    int64_t modifiedNanoseconds = 0;
    uint64_t bytes = 0;
  };
  struct Project {
    uint64_t generation = ~uint64_t{0}; // of the disk
    std::shared_ptr<const std::vector<std::string>> files;
    bool isWhole = true;
    std::vector<std::shared_ptr<const ScannedImports>> imports; // of the files, in the same order
    llvm::StringMap<std::vector<uint32_t>> byWord;              // files, by a name that they import
  };
  // The answer for one file, and everything that it depends on.
  struct Answer {
    uint64_t key = 0;
    std::vector<std::string> paths;
    bool isWhole = true;
  };
  // Where the users of a file are searched, and what that depends on.
  struct Searched {
    uint64_t generation = ~uint64_t{0}; // of the disk
    std::vector<std::string> roots, folders;
    SearchedFolder folder;
  };
  std::mutex scanMutex;
  llvm::StringMap<std::shared_ptr<const NameScan>> scans; // the latest one of each open document
  std::mutex mutex;
  llvm::StringMap<Entry> entries;                                 // by path
  std::map<std::string, std::shared_ptr<const Project>> projects; // by folder
  llvm::StringMap<Answer> answers;
  llvm::StringMap<Searched> searched;
};

} // namespace gluond::driver
