// The files a command works on.
#pragma once

#include "driver/workspace/Workspace.h"

#include <string>
#include <vector>

namespace gluond::cli {

struct Input {
  std::string path;    // absolute
  std::string asGiven; // how the user named it; for files found in a folder: the folder as given
                       // and the rest
  bool isNamed = true; // false: found in a folder
};

struct Inputs {
  std::vector<Input> files;
  std::vector<std::string> folders;  // those that the user named, absolute
  std::vector<std::string> problems; // sentences: "cannot read 'x': No such file or directory"
};

// Files as given, and *.py in folders, sorted, each once. Of folders, hidden ones, __pycache__,
// node_modules, site-packages, virtual environments and what git ignores are passed over, and what
// one of the patterns `excluded` fits.
Inputs collectInputs(const std::vector<std::string>& paths,
                     const std::vector<std::string>& excluded = {});

// Whether a shell pattern fits the relative path `name`, its last part, or a folder on the way.
bool isExcludedBy(const std::vector<std::string>& patterns, llvm::StringRef name);

std::string absolutePath(const std::string& path);

// What --set says: each a setting that was checked when the command line was read.
driver::SettingValues settingsOf(const std::vector<std::string>& given);

} // namespace gluond::cli
