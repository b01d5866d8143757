// Calls functions that launch kernels but are not called in the file: a library's entry points.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

// Whether the code is wrong whatever it is given: a name that is not defined, a member that a
// module of Triton or torch lacks, a launch of a function without its decorator.
bool isMistakeForAnyArguments(const PythonError& error);

// Calls those functions of `module` with unknown arguments, or defaults if they have them, to find
// the launches that do not depend on their callers. `entered` are the functions whose bodies ran
// already; it is extended by host functions, because the result depends on them. `skipped` are not
// called. Returns the functions that launch kernels; `mistakes` takes the exceptions that no
// argument avoids.
std::vector<const FunctionObject*> runUncalled(Interpreter& in, const ModuleObject* module,
                                               const llvm::DenseSet<const syntax::Node*>& skipped,
                                               llvm::DenseSet<const syntax::Node*>& entered,
                                               std::vector<PythonError>& mistakes);

// What Triton's library is certain to refuse if the functions of the program `body` that only other
// files call are called, whatever their arguments are: those that launch kernels, and their
// callers. The recorder must have been told to record nothing more.
std::vector<Refusal> refusalsIn(Interpreter& in, llvm::ArrayRef<const FunctionObject*> launching,
                                const llvm::DenseSet<const syntax::Node*>& skipped,
                                syntax::Stmts body);

} // namespace gluond::evaluate
