// Programs that gluond may run without having been told which: not those of a project.
#pragma once

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::files {

// Whether what is at an absolute path is there and in none of these folders, neither by its text
// nor where links lead. A relative path is not: it is in whatever folder gluond runs in.
bool isOutside(llvm::StringRef path, llvm::ArrayRef<std::string> folders);

// A program in the absolute folders of PATH, outside these folders; empty: there is none. The first
// that is inside goes to `passedOver`, where wanted.
std::string programOnPath(llvm::StringRef name, llvm::ArrayRef<std::string> folders,
                          std::string* passedOver = nullptr);

} // namespace gluond::files
