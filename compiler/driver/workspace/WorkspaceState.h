// The state that all snapshots of a workspace share: interned names, the files read from disk, and
// other caches (Caches.h). Internal to driver/.
#pragma once

#include "driver/workspace/Caches.h"
#include "driver/workspace/File.h"
#include "driver/workspace/Workspace.h"
#include "files/FileStamp.h"
#include "support/Interner.h"

#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>

#include <memory>
#include <mutex>
#include <vector>

namespace gluond::driver {

struct WorkspaceState {
  Interner names;

  // A file on disk as it was when first read in a generation; whether it has changed is checked
  // again in the next generation.
  struct OnDisk {
    std::shared_ptr<const File> file; // null if it cannot be read
    uint64_t generation = 0;
    files::FileStamp stamp = {};
  };
  Caches caches;

  std::mutex idMutex; // guards ids and paths
  llvm::StringMap<diagnostics::FileId> ids;
  std::vector<std::string> paths; // by id
  diagnostics::FileId fileId(llvm::StringRef path);
  std::string path(diagnostics::FileId id);

  std::mutex mutex; // guards the members below
  llvm::StringMap<OnDisk> onDisk;
  llvm::StringSet<> named;              // files that the user named
  std::vector<std::string> ownProjects; // the folders of their projects

  void name(llvm::StringRef path);
  std::vector<std::string> folders(const Settings& settings);
  std::shared_ptr<const File> read(llvm::StringRef path, uint64_t generation,
                                   const Settings& settings);

private:
  // Returns null if it cannot be read as a notebook.
  std::shared_ptr<const File> notebookFrom(std::string json, llvm::StringRef path,
                                           const std::shared_ptr<const File>& before,
                                           const Settings& settings);
  std::vector<std::string> foldersLocked(const Settings& settings) const;
};

} // namespace gluond::driver
