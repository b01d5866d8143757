#include "driver/launches/FilesWithGluon.h"

#include "driver/launches/Importers.h"
#include "driver/launches/NameScan.h"
#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/WorkspaceFiles.h"
#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace {

constexpr llvm::StringLiteral word = "gluon";

// Returns the files of the projects to which the paths belong, without the paths.
std::vector<std::string> othersOf(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> folders = snapshot.folders();
  llvm::StringSet<> parents, projects, given;
  std::vector<std::string> others;
  for (const std::string& file : paths)
    given.insert(file);
  for (const std::string& file : paths) {
    if (!parents.insert(llvm::sys::path::parent_path(file)).second) continue;
    SearchedFolder project = searchedFolderOf(file, snapshot.settings().roots, folders);
    if (project.path.empty() || !project.isDeep || !projects.insert(project.path).second) continue;
    for (const std::string& each :
         programsBelow(project.path, [](llvm::StringRef) { return false; }, {}).files) {
      std::string other = (llvm::StringRef(project.path).rtrim('/') + "/" + each).str();
      if (given.insert(other).second) others.push_back(std::move(other));
    }
  }
  return others;
}

} // namespace

std::vector<bool> concernedWithGluon(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> folders = snapshot.folders();
  auto textOf = [&](const std::string& file) {
    return files::readFileBeneath(folders, file, snapshot.settings().maxFileBytes);
  };
  std::vector<bool> concerned(paths.size(), false);
  std::vector<std::string> kernels; // files that define some
  for (size_t i = 0; i < paths.size(); ++i) {
    auto text = textOf(paths[i]);
    concerned[i] = !text || llvm::StringRef(*text).contains(word); // read errors are reported later
    if (text && concerned[i] && llvm::StringRef(*text).contains("jit")) kernels.push_back(paths[i]);
  }
  for (std::string& other : othersOf(snapshot, paths))
    if (auto text = textOf(other);
        text && llvm::StringRef(*text).contains(word) && llvm::StringRef(*text).contains("jit"))
      kernels.push_back(std::move(other));
  if (kernels.empty()) return concerned;
  llvm::StringSet<> users, known;
  for (const std::string& file : paths)
    known.insert(file);
  for (const std::string& kernel : kernels) {
    // Importing it runs the packages that contain it.
    for (auto folder = llvm::sys::path::parent_path(kernel); !folder.empty();
         folder = llvm::sys::path::parent_path(folder)) {
      std::string package = (folder + "/__init__.py").str();
      if (!known.contains(package)) break;
      users.insert(package);
    }
    if (auto file = snapshot.found(kernel))
      if (auto importers = importersOf(snapshot, file, {}))
        for (const auto& user : importers->files)
          users.insert(user->path());
  }
  // An import may be wrong, so that its file uses no kernel.
  auto isImportOfKernels = [&](const std::string& file, const ScannedImport& import) {
    return llvm::any_of(kernels, [&](const std::string& kernel) {
      return mayMean(file, import.module, import.level, kernel) ||
             llvm::any_of(import.names, [&](const auto& name) {
               return mayMean(file,
                              import.module.empty() ? name.first : import.module + "." + name.first,
                              import.level, kernel);
             });
    });
  };
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!concerned[i]) concerned[i] = users.contains(paths[i]);
    if (concerned[i]) continue;
    if (auto text = textOf(paths[i]))
      concerned[i] = llvm::any_of(scanImports(*text).imports, [&](const ScannedImport& import) {
        return isImportOfKernels(paths[i], import);
      });
  }
  return concerned;
}

} // namespace gluond::driver
