// Which folder a file's project is, and which of its files gluond has to do with.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::driver {

// Of a file that the user names and that is in no folder of the workspace: the nearest folder
// around it with a repository (.git, .hg), else with a pyproject.toml, else the outermost package
// that it is in, else the folder that it is in. `path` is absolute.
std::string projectFolderOf(llvm::StringRef path);
// Where files that use another file are looked for.
struct SearchedFolder {
  std::string path;   // empty: nowhere
  bool isDeep = true; // false: in the folder itself, not in those below it
};
// For the file at `path`: its repository or project, else the folder of the workspace that it is
// in, else what projectFolderOf() says. A folder that holds whatever there is (a home directory,
// /tmp, the root of the file system) is never searched below. Never outside of `folders`.
SearchedFolder searchedFolderOf(llvm::StringRef path, llvm::ArrayRef<std::string> roots,
                                llvm::ArrayRef<std::string> folders);

// A name of a program or of what belongs to one: *.py, *.launches.jsonl, pyproject.toml. Nothing
// hidden.
bool isProgramName(llvm::StringRef name);
// A folder that has no programs of the project's: hidden ones (.gluond holds launch records),
// caches, node_modules.
bool isPassedOver(llvm::StringRef name);
// `path` is that of a program in one of the folders, in no folder that is passed over.
bool isProgramPath(llvm::StringRef path, llvm::ArrayRef<std::string> folders);

} // namespace gluond::driver
