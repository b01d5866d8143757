// Finds the file of the workspace that an import refers to.
#pragma once

#include "driver/workspace/ProjectPrograms.h"
#include "driver/workspace/Workspace.h"

#include <llvm/ADT/StringMap.h>

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace gluond::driver {

// The folder from which an import with `level` leading dots goes on: that of the importing file, or
// one of those above it.
llvm::StringRef folderOfImport(llvm::StringRef importingPath, unsigned level);

// The name of a file as a module, which its `__name__` is: with the packages that contain it, as in
// "pkg.ops.copy"; of `__init__.py` that of the package.
std::string qualifiedNameOf(const Snapshot& snapshot, llvm::StringRef path);

// Returns the file that `import module` (dotted; empty for `from . import`) with `level` leading
// dots loads in the file at `importingPath`: module.py or module/__init__.py in the folder (for
// level 0: the importing file's folder, then its parents in the workspace, the roots, and their
// src/; then what another distribution of the project installs). No module at level 0 stands for
// the JSON file at `importingPath` itself. Returns null if it is not in the workspace. Open
// documents take precedence over the disk.
std::shared_ptr<const File> findImport(const Snapshot& snapshot, llvm::StringRef importingPath,
                                       llvm::StringRef module, unsigned level);

// Returns the folders in which a module without leading dots is searched last: those around the
// importing file, one of which is its project's, as far as they are in the workspace and are no
// packages (except for the file's own folder); then the roots; each followed by its src/.
std::vector<std::string> importFolders(const Snapshot& snapshot, llvm::StringRef importingPath);

// Stands for all that findImport() depends on: while it stays the same, so does each result.
uint64_t stampOfImports(const Snapshot& snapshot);

// The cache of findImport(): thousands of imports are looked up again for each program, each in
// many places. Internal to driver/.
struct FoundImports : Cache {
  // Forgets what was found in another workspace. To be called with the lock.
  void update(const Snapshot& snapshot);

  struct Found {
    std::string path; // "" if there is none
    // As it was on disk in that generation, unless it was an open document.
    std::weak_ptr<const File> file;
    uint64_t generation = 0;
  };
  std::mutex mutex;
  uint64_t version = 0; // of the workspace
  llvm::StringMap<Found> paths;
  // Modules that are not found, by the importing file. Each is looked for in a dozen places on
  // disk: after so many, a file finds no other module either.
  static constexpr unsigned mostMissing = 2000;
  llvm::StringMap<unsigned> missing;

  // The folders named as a package that a distribution of the project installs, of which one is the
  // package. To be called with the lock.
  llvm::ArrayRef<std::string> installed(std::shared_ptr<const ProjectPrograms> programs,
                                        llvm::StringRef package);

private:
  // By name, for the programs that were asked for last.
  std::shared_ptr<const ProjectPrograms> programs_;
  llvm::StringMap<std::vector<std::string>> packages_;
  uint64_t generation_ = 0;
  std::vector<std::string> roots_;
  std::shared_ptr<const std::vector<std::string>> open_; // sorted; those that are not on disk
};

} // namespace gluond::driver
