#include "files/Executables.h"

#include "files/OpenBeneath.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>

namespace gluond::files {

namespace fs = llvm::sys::fs;

bool isOutside(llvm::StringRef path, llvm::ArrayRef<std::string> folders) {
  llvm::SmallString<256> real, realFolder;
  if (!llvm::sys::path::is_absolute(path) || fs::real_path(path, real)) return false;
  std::string plain = normalized(path);
  for (llvm::StringRef folder : folders) {
    if (folder.rtrim('/').empty()) continue; // the root of everything is no project
    if (isInside(plain, folder) || isInside(real, folder)) return false;
    if (!fs::real_path(folder, realFolder) && isInside(real, realFolder)) return false;
  }
  return true;
}

std::string programOnPath(llvm::StringRef name, llvm::ArrayRef<std::string> folders,
                          std::string* passedOver) {
  llvm::SmallVector<llvm::StringRef> places;
  std::string path = llvm::sys::Process::GetEnv("PATH").value_or("");
  llvm::StringRef(path).split(places, ':', -1, /*KeepEmpty=*/false);
  for (llvm::StringRef place : places) {
    std::string program = (place + "/" + name).str();
    if (!fs::can_execute(program)) continue;
    if (isOutside(program, folders)) return program;
    if (passedOver && passedOver->empty()) *passedOver = program;
  }
  return {};
}

std::string programBeside(llvm::StringRef name) {
  static int anchor;
  llvm::SmallString<256> path(
      llvm::sys::path::parent_path(llvm::sys::fs::getMainExecutable("gluond", &anchor)));
  llvm::sys::path::append(path, name);
  return llvm::sys::fs::can_execute(path) ? path.str().str() : std::string();
}

} // namespace gluond::files
