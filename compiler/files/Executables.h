// Programs that gluond may run without being told which: never those of a project.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::files {

// Returns whether an absolute path exists and is in none of these folders, neither by its text nor
// after following links. Relative paths are refused, because they depend on the current folder.
bool isOutside(llvm::StringRef path, llvm::ArrayRef<std::string> folders);

// Returns a program from the absolute folders in PATH, outside these folders, or "" if there is
// none. The first one that is inside is stored in `passedOver`, if given.
std::string programOnPath(llvm::StringRef name, llvm::ArrayRef<std::string> folders,
                          std::string* passedOver = nullptr);

// Returns the program of this name in the folder of the running program, or "" if there is none.
std::string programBeside(llvm::StringRef name);

} // namespace gluond::files
