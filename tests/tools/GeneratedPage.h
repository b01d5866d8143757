// main() of a tool that writes a page of docs/: `TOOL FILE` writes it, `TOOL --check FILE` fails
// when FILE is not current.
#pragma once

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::test {

inline int writeOrCheckPage(int argc, char** argv, llvm::StringRef tool, llvm::StringRef page) {
  bool check = argc == 3 && llvm::StringRef(argv[1]) == "--check";
  if (argc != 2 && !check) {
    llvm::errs() << "usage: " << tool << " [--check] FILE\n";
    return 2;
  }
  const char* file = argv[argc - 1];
  if (check) {
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (buffer && (*buffer)->getBuffer() == page) return 0;
    llvm::errs() << file << " is not current: run 'ninja -C build update-docs'\n";
    return 1;
  }
  std::error_code error;
  llvm::raw_fd_ostream os(file, error);
  if (error) {
    llvm::errs() << file << ": " << error.message() << "\n";
    return 1;
  }
  os << page;
  return 0;
}

} // namespace gluond::test
