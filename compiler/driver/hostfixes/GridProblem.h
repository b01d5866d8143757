// What is wrong with a launch's grid, or with what else Triton calls for a launch, in words about
// the program.
#pragma once

#include "evaluate/interpreter/PythonError.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/StringRef.h>

#include <string>

namespace gluond::driver {

// Python's words about a grid say what Triton tried to do with it; the program's mistake is what
// the grid is. Returns "" for other messages.
std::string gridProblem(llvm::StringRef message);

// "grid" or "heuristic 'EVEN'": the function of the program that Triton called for a launch, and
// that raised the exception; "" if the launch itself did. `tree` is that of the exception's place.
std::string raiserInLaunch(const evaluate::PythonError& error, const syntax::SyntaxTree& tree,
                           const syntax::SyntaxTree* ofCaller);

} // namespace gluond::driver
