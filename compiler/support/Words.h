// Pieces of messages.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond {

// "1 byte", "2 bytes".
inline std::string counted(int64_t number, llvm::StringRef noun) {
  return std::to_string(number) + " " + noun.str() + (number == 1 ? "" : "s");
}

} // namespace gluond
