#include "driver/workspace/ProjectFolder.h"

#include "files/OpenBeneath.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

bool has(llvm::StringRef folder, llvm::StringRef name) {
  return llvm::sys::fs::exists(folder.rtrim('/') + "/" + name);
}

// The nearest parent folder with a repository, else with a pyproject.toml; "" if there is none.
std::string markedFolderOf(llvm::StringRef file) {
  llvm::StringRef project;
  for (llvm::StringRef at = path::parent_path(file); !at.empty(); at = path::parent_path(at)) {
    if (has(at, ".git") || has(at, ".hg")) return at.str();
    if (project.empty() && has(at, "pyproject.toml")) project = at;
  }
  return project.str();
}

// A general folder, which is not a single project.
bool isNoProject(llvm::StringRef folder) {
  llvm::SmallString<128> home, temporary;
  path::home_directory(home);
  path::system_temp_directory(/*ErasedOnReboot=*/true, temporary);
  folder = folder.size() > 1 ? folder.rtrim('/') : folder;
  return path::parent_path(folder).empty() || folder == "/" || files::isInside(home, folder) ||
         files::isInside(temporary, folder);
}

} // namespace

std::string projectFolderOf(llvm::StringRef file) {
  std::string whole = files::normalized(file);
  if (std::string marked = markedFolderOf(whole); !marked.empty()) return marked;
  llvm::StringRef package = path::parent_path(whole);
  for (llvm::StringRef at = package; !at.empty() && has(at, "__init__.py");
       at = path::parent_path(at))
    package = at;
  return package.str();
}

SearchedFolder searchedFolderOf(llvm::StringRef file, llvm::ArrayRef<std::string> roots,
                                llvm::ArrayRef<std::string> folders) {
  std::string whole = files::normalized(file), marked = markedFolderOf(whole);
  bool isProject = !marked.empty() && !isNoProject(marked); // a repository of settings is none
  if (isProject && !files::folderAround(folders, marked).empty()) return {marked};
  llvm::StringRef root = files::folderAround(roots, whole);
  if (!root.empty() && !isNoProject(root)) return {root.str()};
  std::string project = projectFolderOf(whole);
  if (isNoProject(project)) project = path::parent_path(whole).str();
  if (files::folderAround(folders, project).empty()) return {};
  return {project, !isNoProject(project)};
}

bool isProgramName(llvm::StringRef name) {
  return !name.starts_with(".") && (name.ends_with(".py") || name.ends_with(".ipynb") ||
                                    name.ends_with(".launches.jsonl") || name == "pyproject.toml");
}

bool isPassedOver(llvm::StringRef name) {
  return (name.starts_with(".") && name != ".gluond") || name == "__pycache__" ||
         name == "node_modules";
}

// Whether a file lies in one of the folders, in no folder that is passed over, and has such a name.
static bool isIn(llvm::ArrayRef<std::string> folders, llvm::StringRef file,
                 bool (*isWanted)(llvm::StringRef name)) {
  std::string whole = files::normalized(file);
  llvm::StringRef rest = whole, folder = files::folderAround(folders, whole);
  if (folder.empty()) return false;
  rest.consume_front(folder.rtrim('/'));
  llvm::SmallVector<llvm::StringRef, 16> parts;
  rest.split(parts, '/', -1, /*KeepEmpty=*/false);
  if (parts.empty() || !isWanted(parts.pop_back_val())) return false;
  for (llvm::StringRef part : parts)
    if (isPassedOver(part)) return false;
  return true;
}

bool isProgramPath(llvm::StringRef file, llvm::ArrayRef<std::string> folders) {
  return isIn(folders, file, isProgramName);
}

bool isDataPath(llvm::StringRef file, llvm::ArrayRef<std::string> folders) {
  return isIn(folders, file, [](llvm::StringRef name) {
    return !name.starts_with(".") && name.ends_with(".json");
  });
}

} // namespace gluond::driver
