// Two versions of a text as `diff -u` shows them.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::text {

// Returns "" if they are equal.
std::string unifiedDiff(llvm::StringRef name, llvm::StringRef before, llvm::StringRef after);

} // namespace gluond::text
