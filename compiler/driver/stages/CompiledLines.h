// Which line of a file each line of compiled code came of, as the code itself says.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>
#include <vector>

namespace gluond::driver {

// A line of the text and the line of a Python file that it came of; both 0-based.
struct CompiledLine {
  uint32_t line;
  std::string file;
  uint32_t sourceLine;
  friend bool operator==(const CompiledLine&, const CompiledLine&) = default;
};

// In order. `.file` and `.loc` of PTX, debug metadata of LLVM IR, comments of nvdisasm -g.
std::vector<CompiledLine> linesOfPtx(llvm::StringRef text);
std::vector<CompiledLine> linesOfLlvm(llvm::StringRef text);
std::vector<CompiledLine> linesOfSass(llvm::StringRef text);

} // namespace gluond::driver
