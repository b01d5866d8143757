#include "driver/workspace/Imports.h"

#include "files/OpenBeneath.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <atomic>
#include <optional>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

std::shared_ptr<const File> moduleIn(const Snapshot& snapshot, llvm::StringRef folder,
                                     llvm::StringRef module) {
  llvm::SmallString<256> base(folder);
  for (llvm::StringRef rest = module; !rest.empty();) {
    auto [part, after] = rest.split('.');
    path::append(base, part);
    rest = after;
  }
  // A package comes before a file of the same name.
  if (auto package = snapshot.found((base + "/__init__.py").str())) return package;
  return module.empty() ? nullptr : snapshot.found((base + ".py").str());
}

// Whether a folder is one from which `pip install` would install something.
bool isDistribution(llvm::StringRef folder) {
  constexpr llvm::StringLiteral markers[] = {"pyproject.toml", "setup.py", "setup.cfg"};
  return llvm::any_of(markers, [&](llvm::StringRef marker) {
    return llvm::sys::fs::exists(folder + "/" + marker);
  });
}

// Whether a folder is a package of its project. What lies in it is imported by the package's name:
// `app/backends/fast/` is no distribution `fast`, and files that import that one mean another.
bool isInnerPackage(const Snapshot& snapshot, llvm::StringRef folder) {
  return snapshot.found((folder + "/__init__.py").str()) && !isDistribution(folder) &&
         !llvm::is_contained(snapshot.settings().roots, folder) &&
         !llvm::is_contained(snapshot.folders(), folder);
}

} // namespace

std::vector<std::string> importFolders(const Snapshot& snapshot, llvm::StringRef importingPath) {
  std::vector<std::string> bases, around = snapshot.folders();
  for (llvm::StringRef up = path::parent_path(importingPath);
       !up.empty() && !files::folderAround(around, up).empty(); up = path::parent_path(up))
    if (bases.empty() || !isInnerPackage(snapshot, up)) bases.push_back(up.str());
  for (const std::string& root : snapshot.settings().roots)
    if (!llvm::is_contained(bases, root)) bases.push_back(root);
  std::vector<std::string> folders;
  for (std::string& base : bases) {
    folders.push_back(base);
    llvm::SmallString<256> source(base);
    path::append(source, "src");
    folders.push_back(source.str().str());
  }
  return folders;
}

// A project of several distributions (`core/pyproject.toml`, `amd/python/pkg/`) installs all of
// them: returns the module of the nearest package of that name, or null if there is none, or
// several are as near.
static std::shared_ptr<const File>
installedModule(const Snapshot& snapshot, llvm::StringRef importingPath, llvm::StringRef module) {
  // In a fork of Triton, too, programs are checked against a release.
  if (module.split('.').first == "triton") return nullptr;
  if (files::folderAround(snapshot.folders(), importingPath).empty()) return nullptr;
  auto programs = programsOf(snapshot, searchedFolderOf(snapshot, importingPath), {});
  if (!programs) return nullptr;
  std::vector<std::string> folders;
  {
    FoundImports& known = snapshot.cache<FoundImports>();
    std::lock_guard lock(known.mutex);
    folders = known.installed(std::move(programs), module.split('.').first).vec();
  }
  auto common = [&](llvm::StringRef folder) {
    size_t most = std::min(folder.size(), importingPath.size()), same = 0, end = 0;
    for (; same < most && folder[same] == importingPath[same]; ++same)
      if (folder[same] == '/') end = same;
    return end;
  };
  llvm::StringRef nearest;
  bool isOnly = false;
  for (const std::string& folder : folders) {
    size_t nearness = common(folder), before = nearest.empty() ? 0 : common(nearest);
    isOnly = nearest.empty() || nearness > before || (isOnly && nearness < before);
    if (nearest.empty() || nearness > before) nearest = folder;
  }
  return isOnly ? moduleIn(snapshot, path::parent_path(nearest), module) : nullptr;
}

llvm::StringRef folderOfImport(llvm::StringRef importingPath, unsigned level) {
  llvm::StringRef folder = path::parent_path(importingPath);
  for (unsigned i = 1; i < level; ++i)
    folder = path::parent_path(folder);
  return folder;
}

std::string qualifiedNameOf(const Snapshot& snapshot, llvm::StringRef file) {
  llvm::StringRef folder = path::parent_path(file);
  std::string name = path::stem(file).str();
  while (!folder.empty() && snapshot.found((folder + "/__init__.py").str())) {
    llvm::StringRef package = path::filename(folder);
    name = name == "__init__" ? package.str() : (package + "." + name).str();
    folder = path::parent_path(folder);
  }
  return name;
}

static std::shared_ptr<const File> search(const Snapshot& snapshot, llvm::StringRef importingPath,
                                          llvm::StringRef module, unsigned level) {
  // A document may have no path on disk.
  if (path::parent_path(importingPath).empty()) return nullptr;
  llvm::StringRef folder = folderOfImport(importingPath, level);
  auto found = moduleIn(snapshot, folder, module);
  if (level > 0) return found;
  // A module of a package that imports its own name means another distribution.
  bool isItself =
      found && found->path() == importingPath && snapshot.found((folder + "/__init__.py").str());
  if (found && !isItself) return found;
  // The root of the packages that contain the file.
  llvm::StringRef top = module.split('.').first;
  for (llvm::StringRef up = path::parent_path(folder); !up.empty(); up = path::parent_path(up)) {
    if (path::filename(folder) == top && !isInnerPackage(snapshot, up))
      if (auto file = moduleIn(snapshot, up, module)) return file;
    folder = up;
  }
  for (const std::string& base : importFolders(snapshot, importingPath))
    if (auto file = moduleIn(snapshot, base, module); file && file != found) return file;
  return installedModule(snapshot, importingPath, module);
}

std::shared_ptr<const File> findImport(const Snapshot& snapshot, llvm::StringRef importingPath,
                                       llvm::StringRef module, unsigned level) {
  if (module.empty() && level == 0)
    return isDataPath(importingPath, snapshot.folders()) ? snapshot.found(importingPath) : nullptr;
  FoundImports& known = snapshot.cache<FoundImports>();
  llvm::SmallString<256> key(importingPath);
  (key += '\n') += module;
  key += static_cast<char>('0' + std::min(level, 60u));
  std::optional<std::string> at;
  uint64_t version = 0;
  {
    std::lock_guard lock(known.mutex);
    known.update(snapshot);
    version = known.version;
    if (auto it = known.paths.find(key); it != known.paths.end()) {
      const FoundImports::Found& found = it->second;
      if (found.path.empty()) return nullptr;
      bool isOnDisk = found.generation == snapshot.diskGeneration() && !snapshot.isOpen(found.path);
      if (auto file = isOnDisk ? found.file.lock() : nullptr) return file;
      at = found.path;
    } else if (known.missing.lookup(importingPath) >= FoundImports::mostMissing) {
      return nullptr;
    }
  }
  auto found = at ? snapshot.found(*at) : search(snapshot, importingPath, module, level);
  std::lock_guard lock(known.mutex);
  if (known.version != version) return found;
  FoundImports::Found& kept = known.paths[key];
  if (!at) kept.path = found ? found->path() : std::string();
  if (!at && !found) ++known.missing[importingPath];
  if (found && !snapshot.isOpen(found->path())) {
    kept.file = found;
    kept.generation = snapshot.diskGeneration();
  }
  return found;
}

llvm::ArrayRef<std::string> FoundImports::installed(std::shared_ptr<const ProjectPrograms> programs,
                                                    llvm::StringRef package) {
  if (programs_ != programs) {
    programs_ = std::move(programs);
    packages_.clear();
    // A package lies in its distribution's folder, or in the folder of its sources.
    constexpr llvm::StringLiteral sources[] = {"lib", "python", "src"};
    for (llvm::StringRef file : *programs_->files) {
      llvm::StringRef folder = path::parent_path(file), around = path::parent_path(folder);
      if (path::filename(file) != "__init__.py") continue;
      if (llvm::is_contained(sources, path::filename(around)) || isDistribution(around))
        packages_[path::filename(folder)].push_back(folder.str());
    }
  }
  auto known = packages_.find(package);
  if (known == packages_.end()) return {};
  return known->second;
}

namespace {

// The paths of a snapshot's open documents that are not on disk, sorted once: each import asks
// whether they changed. Where a file is on disk, too, imports find it whether it is open or not.
struct SortedOpenPaths : Cache {
  std::shared_ptr<const std::vector<std::string>> of(const Snapshot& snapshot) {
    std::lock_guard lock(mutex_);
    if (!paths_) {
      std::vector<std::string> paths = snapshot.openPaths();
      llvm::erase_if(paths, [&](const std::string& file) {
        llvm::sys::fs::file_status status;
        return !llvm::sys::fs::status(file, status) && llvm::sys::fs::is_regular_file(status) &&
               status.getSize() <= snapshot.settings().maxFileBytes;
      });
      llvm::sort(paths);
      paths_ = std::make_shared<const std::vector<std::string>>(std::move(paths));
    }
    return paths_;
  }

private:
  std::mutex mutex_;
  std::shared_ptr<const std::vector<std::string>> paths_;
};

// Different for each snapshot.
struct SnapshotNumber : Cache {
  static std::atomic<uint64_t> last;
  const uint64_t value = ++last;
};
std::atomic<uint64_t> SnapshotNumber::last{0};

} // namespace

uint64_t stampOfImports(const Snapshot& snapshot) {
  FoundImports& known = snapshot.cache<FoundImports>();
  uint64_t number = snapshot.shared<SnapshotNumber>().value;
  std::lock_guard lock(known.mutex);
  known.update(snapshot);
  return number << 32 | (known.version & 0xffffffff);
}

void FoundImports::update(const Snapshot& snapshot) {
  auto open = snapshot.shared<SortedOpenPaths>().of(snapshot);
  const std::vector<std::string>& roots = snapshot.settings().roots;
  bool isSame = generation_ == snapshot.diskGeneration() && roots == roots_ && open_ &&
                (open_ == open || *open_ == *open);
  open_ = std::move(open); // compared by its address the next time
  if (isSame) return;
  generation_ = snapshot.diskGeneration();
  roots_ = roots;
  paths.clear();
  missing.clear();
  ++version;
}

} // namespace gluond::driver
