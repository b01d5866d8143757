// A file in memory (memfd) that a program reads or writes. Internal to backend/.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::backend {

class MemoryFile {
public:
  MemoryFile();
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  int number() const { return number_; } // negative if there is none
  bool write(llvm::StringRef text);
  std::string read() const; // all of it
  void clear();             // so that a program writes at its start

private:
  int number_ = -1;
};

} // namespace gluond::backend
