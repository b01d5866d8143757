#include "driver/workspace/Imports.h"

#include "files/OpenBeneath.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Path.h>

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
  if (!module.empty())
    if (auto file = snapshot.found((base + ".py").str())) return file;
  path::append(base, "__init__.py");
  return snapshot.found(base);
}

} // namespace

std::vector<std::string> importFolders(const Snapshot& snapshot, llvm::StringRef importingPath) {
  std::vector<std::string> bases, around = snapshot.folders();
  for (llvm::StringRef up = path::parent_path(importingPath);
       !up.empty() && !files::folderAround(around, up).empty(); up = path::parent_path(up))
    bases.push_back(up.str());
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

std::shared_ptr<const File> findImport(const Snapshot& snapshot, llvm::StringRef importingPath,
                                       llvm::StringRef module, unsigned level) {
  if (module.empty() && level == 0)
    return importingPath.ends_with(".json") ? snapshot.found(importingPath) : nullptr;
  llvm::StringRef folder = path::parent_path(importingPath);
  if (folder.empty()) return nullptr; // a document without a path on disk
  for (unsigned i = 1; i < level; ++i)
    folder = path::parent_path(folder);
  auto found = moduleIn(snapshot, folder, module);
  if (level > 0) return found;
  // A module of a package that imports its own name means another distribution.
  bool isItself =
      found && found->path() == importingPath && snapshot.found((folder + "/__init__.py").str());
  if (found && !isItself) return found;
  // The root of the packages that contain the file.
  llvm::StringRef top = module.split('.').first;
  for (llvm::StringRef up = path::parent_path(folder); !up.empty(); up = path::parent_path(up)) {
    if (path::filename(folder) == top)
      if (auto file = moduleIn(snapshot, up, module)) return file;
    folder = up;
  }
  for (const std::string& base : importFolders(snapshot, importingPath))
    if (auto file = moduleIn(snapshot, base, module); file && file != found) return file;
  return nullptr;
}

} // namespace gluond::driver
