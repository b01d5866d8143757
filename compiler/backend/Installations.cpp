#include "backend/Installations.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>

namespace gluond::backend {

namespace fs = llvm::sys::fs;

std::vector<Installation> namedBy(std::initializer_list<const char*> variables) {
  std::vector<Installation> found;
  for (const char* variable : variables)
    if (auto folder = llvm::sys::Process::GetEnv(variable); folder && !folder->empty())
      found.push_back({*folder, variable});
  return found;
}

std::vector<Installation> tritonBackends(llvm::StringRef backend) {
  std::vector<Installation> found;
  auto addTriton = [&](llvm::StringRef prefix, llvm::StringRef from) {
    std::error_code error;
    for (fs::directory_iterator at((prefix + "/lib").str(), error), end; !error && at != end;
         at.increment(error)) {
      if (!llvm::sys::path::filename(at->path()).starts_with("python3")) continue;
      for (llvm::StringRef packages : {"/site-packages", "/dist-packages"})
        found.push_back({at->path() + packages.str() + "/triton/backends/" + backend.str(),
                         "Triton's wheel, by " + from.str()});
    }
  };
  if (auto environment = llvm::sys::Process::GetEnv("VIRTUAL_ENV"))
    addTriton(*environment, "VIRTUAL_ENV");
  if (auto path = llvm::sys::Process::GetEnv("PATH")) {
    llvm::SmallVector<llvm::StringRef> folders;
    llvm::StringRef(*path).split(folders, ':');
    for (llvm::StringRef folder : folders)
      if (folder.starts_with("/") && folder.ends_with("/bin") && fs::exists(folder + "/python3"))
        addTriton(folder.drop_back(4), "PATH");
  }
  addTriton("/usr/local", "the system's Python");
  return found;
}

std::string identityOf(llvm::StringRef path) {
  fs::file_status status;
  if (path.empty() || fs::status(path, status)) return {};
  return (path + ":" + llvm::Twine(status.getSize()) + ":" +
          llvm::Twine(status.getLastModificationTime().time_since_epoch().count()))
      .str();
}

} // namespace gluond::backend
