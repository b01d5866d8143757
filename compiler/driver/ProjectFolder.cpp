#include "driver/ProjectFolder.h"

#include "files/Beneath.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

std::string projectFolderOf(llvm::StringRef file) {
  std::string whole = files::normalized(file);
  llvm::StringRef own = path::parent_path(whole), package = own, project;
  auto has = [](llvm::StringRef folder, llvm::StringRef name) {
    return llvm::sys::fs::exists(folder.rtrim('/') + "/" + name);
  };
  bool isPackage = true;
  for (llvm::StringRef at = own; !at.empty(); at = path::parent_path(at)) {
    if (has(at, ".git") || has(at, ".hg")) return at.str();
    if (project.empty() && has(at, "pyproject.toml")) project = at;
    isPackage = isPackage && has(at, "__init__.py");
    if (isPackage) package = at;
  }
  return (project.empty() ? package : project).str();
}

bool isProgramName(llvm::StringRef name) {
  return !name.starts_with(".") &&
         (name.ends_with(".py") || name.ends_with(".launches.jsonl") || name == "pyproject.toml");
}

bool isPassedOver(llvm::StringRef name) {
  return (name.starts_with(".") && name != ".gluond") || name == "__pycache__" ||
         name == "node_modules";
}

bool isProgramPath(llvm::StringRef file, llvm::ArrayRef<std::string> folders) {
  std::string whole = files::normalized(file);
  llvm::StringRef rest = whole, folder = files::folderAround(folders, whole);
  if (folder.empty()) return false;
  rest.consume_front(folder.rtrim('/'));
  llvm::SmallVector<llvm::StringRef, 16> parts;
  rest.split(parts, '/', -1, /*KeepEmpty=*/false);
  if (parts.empty() || !isProgramName(parts.pop_back_val())) return false;
  for (llvm::StringRef part : parts)
    if (isPassedOver(part)) return false;
  return true;
}

} // namespace gluond::driver
