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
  // The folders around the file, one of which is its project's, as far as they are in the
  // workspace; then the roots.
  std::vector<std::string> bases, folders = snapshot.folders();
  for (llvm::StringRef up = path::parent_path(importingPath);
       !up.empty() && !files::folderAround(folders, up).empty(); up = path::parent_path(up))
    bases.push_back(up.str());
  for (const std::string& root : snapshot.settings().roots)
    if (!llvm::is_contained(bases, root)) bases.push_back(root);
  for (const std::string& root : bases) {
    if (auto file = moduleIn(snapshot, root, module); file && file != found) return file;
    llvm::SmallString<256> source(root);
    path::append(source, "src");
    if (auto file = moduleIn(snapshot, source, module)) return file;
  }
  return nullptr;
}

} // namespace gluond::driver
