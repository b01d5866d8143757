// Fixes of host code: launches that Triton refuses for certain.
#pragma once

#include "diagnostics/Emitter.h"
#include "evaluate/interpreter/PythonError.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// Triton's message as words for who wrote the launch.
std::string launchProblem(llvm::StringRef message, llvm::StringRef kernel);

// `told` is about the call at `at`, which raises `error`.
void offerLaunchFixes(diagnostics::InFlight told, const evaluate::PythonError& error,
                      text::Range at, const language::ModuleObject* module,
                      const syntax::SyntaxTree& tree);

} // namespace gluond::driver
