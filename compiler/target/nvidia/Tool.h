// A program of NVIDIA's toolkit, run on texts in memory. Internal to target/nvidia.
//
// Its files are in memory too (memfd), so that a full disk is no obstacle and nothing is left
// behind.
#pragma once

#include "support/Cancellation.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <string>

namespace gluond::target::nvidia {

// Stand for the names of the two files among the arguments.
inline constexpr llvm::StringLiteral inputFile = "/proc/self/fd/3", outputFile = "/proc/self/fd/4";

struct ToolRun {
  int status = 0;     // as the program ended; negative: by a signal
  std::string output; // what it wrote into outputFile
  std::string log;    // and to standard output and error
};

// Runs `path` to its end, at most ten minutes; kills it when `token` is cancelled. The error says
// why it did not start.
tl::expected<ToolRun, std::string> runTool(llvm::StringRef path,
                                           llvm::ArrayRef<llvm::StringRef> arguments,
                                           llvm::StringRef input, const CancellationToken& token);

} // namespace gluond::target::nvidia
