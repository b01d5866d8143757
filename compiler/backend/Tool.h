// Runs a program of a toolkit on texts in memory. Internal to backend/.
//
// Its files are in memory too (memfd), so that it works with a full disk and leaves nothing on
// disk.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::backend {

// The file descriptors of the program's input and output, and their names among the arguments.
inline constexpr int inputNumber = 3, outputNumber = 4;
inline constexpr llvm::StringLiteral inputFile = "/proc/self/fd/3", outputFile = "/proc/self/fd/4";

struct ToolRun {
  int status = 0;     // exit status of the program; negative for a signal
  std::string output; // contents of outputFile
  std::string log;    // its standard output and error
};

// Runs `path` to its end, at most ten minutes; kills it when `token` is cancelled. The error says
// why it did not start.
tl::expected<ToolRun, std::string> runTool(llvm::StringRef path,
                                           llvm::ArrayRef<llvm::StringRef> arguments,
                                           llvm::StringRef input, const CancellationToken& token);

} // namespace gluond::backend
