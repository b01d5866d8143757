// Pieces of messages.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond {

// "1 file has", "2 files have".
inline std::string counted(uint64_t number, llvm::StringRef one, llvm::StringRef many) {
  return std::to_string(number) + " " + (number == 1 ? one : many).str();
}

// "1 byte", "2 bytes".
inline std::string counted(uint64_t number, llvm::StringRef noun) {
  return counted(number, noun, noun.str() + "s");
}

} // namespace gluond
