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
// The folder in which files that use the file at `path` are looked for: its repository or project,
// else the folder of the workspace that it is in, unless that is no project (a home directory),
// else what projectFolderOf() says. Never outside of `folders`.
std::string searchedFolderOf(llvm::StringRef path, llvm::ArrayRef<std::string> roots,
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
