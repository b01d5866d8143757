// The files that a command works on.
#pragma once

#include "driver/workspace/Workspace.h"

#include <string>
#include <vector>

namespace gluond::cli {

struct Input {
  std::string path;    // absolute
  std::string asGiven; // as the user named it; for files found in a folder: that name
                       // and the rest
  bool isNamed = true; // false if it was found in a folder
};

struct Inputs {
  std::vector<Input> files;
  std::vector<std::string> folders;  // folders that the user named, absolute
  std::vector<std::string> problems; // sentences: "cannot read 'x': No such file or directory"
  std::vector<std::string> notes;    // the same for what is no mistake: a folder that is excluded
};

// Collects the given files and the *.py and *.ipynb files in given folders, sorted and without
// duplicates. In folders it skips hidden ones, __pycache__, node_modules, site-packages, virtual
// environments, what git ignores, and what matches one of the patterns `excluded`.
Inputs collectInputs(const std::vector<std::string>& paths,
                     const std::vector<std::string>& excluded = {});

// Returns whether a shell pattern matches the relative path `name`, its last part, or a parent.
bool isExcludedBy(const std::vector<std::string>& patterns, llvm::StringRef name);

std::string absolutePath(const std::string& path);
// Returns an absolute path relative to the current folder, if it is below it.
std::string asSeenFromHere(llvm::StringRef path);

// The settings given by --set, which were checked when the command line was parsed.
driver::SettingValues settingsOf(const std::vector<std::string>& given);

} // namespace gluond::cli
