// The programs of the project around a file, listed once per state of the disk, and the packages
// among them.
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
  // The folders in which packages lie that are in no other package, by the name of the package.
  llvm::StringMap<std::vector<std::string>> packages;
};

// Returns the programs below a folder (in it, if it is not deep), or null if cancelled.
std::shared_ptr<const ProjectPrograms>
programsOf(const Snapshot& snapshot, const SearchedFolder& folder, const CancellationToken& token);

// searchedFolderOf(), which looks for repositories on disk, once until the disk or the workspace is
// another one.
SearchedFolder searchedFolderOf(const Snapshot& snapshot, llvm::StringRef file);

// A repository may hold several distributions, each of which is installed from a folder of its own:
// kernels/python/fast_kernels/ beside kernels/python/pyproject.toml. Returns the folders of the
// file's project from which a package of this name is installed, those nearest to the file first.
std::vector<std::string> installedPackages(const Snapshot& snapshot, llvm::StringRef file,
                                           llvm::StringRef package);

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
