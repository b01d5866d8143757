// The project folder of a file, and which of its files gluond reads.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::driver {

// For a file that the user names and that is outside the workspace: returns the nearest parent
// folder with a repository (.git, .hg), else with a pyproject.toml, else the outermost package that
// contains it, else its own folder. `path` is absolute.
std::string projectFolderOf(llvm::StringRef path);
// A folder in which users of a file are searched.
struct SearchedFolder {
  std::string path;   // empty if nothing is searched
  bool isDeep = true; // false if subfolders are not searched
};
// For the file at `path`: its repository or project, else the workspace folder that contains it,
// else the result of projectFolderOf(). Subfolders of general folders (a home directory, /tmp, the
// root of the file system) are never searched, nor anything outside of `folders`.
SearchedFolder searchedFolderOf(llvm::StringRef path, llvm::ArrayRef<std::string> roots,
                                llvm::ArrayRef<std::string> folders);

// Returns whether it is the name of a program or a file that belongs to one: *.py, *.ipynb,
// *.launches.jsonl, pyproject.toml. Hidden files are not.
bool isProgramName(llvm::StringRef name);
// Returns whether a folder holds no programs of the project: hidden folders (.gluond holds launch
// records), caches, node_modules.
bool isPassedOver(llvm::StringRef name);
// Returns whether `path` is a program in one of the folders, and in no skipped folder.
bool isProgramPath(llvm::StringRef path, llvm::ArrayRef<std::string> folders);
// Whether the code of a program may read it as data: a JSON file that is not hidden, as `.env.json`
// is, nor in a hidden folder.
bool isDataPath(llvm::StringRef path, llvm::ArrayRef<std::string> folders);

} // namespace gluond::driver
