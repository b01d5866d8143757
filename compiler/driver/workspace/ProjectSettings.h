// The pyproject.toml that applies to a file, and the settings that follow from it.
#pragma once

#include "diagnostics/Diagnostic.h"
#include "driver/settings/Configuration.h"
#include "driver/workspace/Workspace.h"

#include <mutex>

namespace gluond::driver {

// The settings of the nearest pyproject.toml at or above `folder` with a [tool.gluond] table, and
// its path.
struct Project {
  std::string path;
  ProjectSettings settings;
};
// Returns null if there is none.
std::shared_ptr<const Project> projectOf(const Snapshot& snapshot, llvm::StringRef folder);

// Returns the problems of a pyproject.toml as diagnostics of that file.
std::vector<diagnostics::Diagnostic> projectDiagnostics(const File& file);

// Caches projects and merged settings by folder. Internal to driver/.
struct ProjectCache : Cache {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  llvm::StringMap<std::shared_ptr<const Project>> projects;
  std::shared_ptr<const Settings> base; // what `merged` was made from
  llvm::StringMap<std::shared_ptr<const Settings>> merged;
};

} // namespace gluond::driver
