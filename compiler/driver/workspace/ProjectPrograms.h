// The programs of the project around a file, listed once per state of the disk.
#pragma once

#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/Workspace.h"

#include <llvm/ADT/StringMap.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gluond::driver {

struct ProjectPrograms {
  std::shared_ptr<const std::vector<std::string>> files; // absolute, sorted
  bool isWhole = true; // false if the project has more files than are listed
};

// Returns the programs below a folder (in it, if it is not deep), or null if cancelled.
std::shared_ptr<const ProjectPrograms>
programsOf(const Snapshot& snapshot, const SearchedFolder& folder, const CancellationToken& token);

// searchedFolderOf(), which looks for repositories on disk, once until the disk or the workspace is
// another one.
SearchedFolder searchedFolderOf(const Snapshot& snapshot, llvm::StringRef file);

// The cache of these functions. Internal to driver/.
struct ProjectListing : Cache {
  struct Listed {
    uint64_t generation = ~uint64_t{0}; // of the disk
    std::shared_ptr<const ProjectPrograms> programs;
  };
  // Where the project of a file is, and what that depends on.
  struct Searched {
    uint64_t generation = ~uint64_t{0};
    std::vector<std::string> roots, folders;
    SearchedFolder folder;
  };
  std::mutex mutex;
  std::map<std::string, Listed> listed; // by folder
  llvm::StringMap<Searched> searched;   // by file
};

} // namespace gluond::driver
