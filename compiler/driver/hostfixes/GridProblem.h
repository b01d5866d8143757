// What is wrong with a launch's grid, in words about the program.
#pragma once

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::driver {

// Python's words about a grid say what Triton tried to do with it; the program's mistake is what
// the grid is. Returns "" for other messages.
std::string gridProblem(llvm::StringRef message);

} // namespace gluond::driver
