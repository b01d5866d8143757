// Fixes for host code: launches that Triton is certain to refuse.
#pragma once

#include "chips/Target.h"
#include "diagnostics/Reporter.h"
#include "evaluate/interpreter/PythonError.h"
#include "language/values/Value.h"
#include "syntax/SyntaxTree.h"

namespace gluond::driver {

// The function that `kernel` or `module.kernel` names, also under autotuners, in whichever file it
// is defined; or null.
const language::FunctionObject* launchedFunction(const syntax::Expr* expr,
                                                 const language::ModuleObject* module);

// Words Triton's exception for the author of the launch. `raiser` is the function of the program
// that raised it, "grid" or "heuristic 'EVEN'"; "" if Triton did.
std::string launchProblem(const evaluate::PythonError& error, llvm::StringRef kernel,
                          llvm::StringRef raiser);

// `told` is about the call at `at`, which raises `error`, in a program for `target`.
void offerLaunchFixes(diagnostics::InFlight told, const evaluate::PythonError& error,
                      text::Range at, const language::ModuleObject* module,
                      const syntax::SyntaxTree& tree, const chips::Target& target);

// Host code calls `function`, which works in kernels only, at `at`: an error, with what Python has
// instead.
void reportKernelFunction(diagnostics::Reporter& emit, llvm::StringRef function, text::Range at,
                          const language::ModuleObject* module, const syntax::SyntaxTree& tree);

// The same for a tensor descriptor with this problem.
void offerDescriptorFixes(diagnostics::InFlight told, llvm::StringRef problem, text::Range at,
                          const language::ModuleObject* module, const syntax::SyntaxTree& tree);

} // namespace gluond::driver
