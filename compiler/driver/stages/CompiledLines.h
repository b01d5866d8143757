// Maps lines of compiled code to lines of files, as recorded in the code itself.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace gluond::driver {

// A line of the text and the line of a Python file that it comes from; both are 0-based.
struct CompiledLine {
  uint32_t line;
  std::string file;
  uint32_t sourceLine;
  friend bool operator==(const CompiledLine&, const CompiledLine&) = default;
};

// Sorted. They read `.file` and `.loc` in PTX and AMDGCN, debug metadata in LLVM IR, comments of
// nvdisasm -g.
std::vector<CompiledLine> linesOfPtx(llvm::StringRef text);
std::vector<CompiledLine> linesOfAmdgcn(llvm::StringRef text);
std::vector<CompiledLine> linesOfLlvm(llvm::StringRef text);
std::vector<CompiledLine> linesOfSass(llvm::StringRef text);

} // namespace gluond::driver
