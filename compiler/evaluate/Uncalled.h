// Calls functions that launch kernels but are not called in the file: a library's entry points.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

// Calls those functions of `module` with unknown arguments, or defaults if they have them, to find
// the launches that do not depend on their callers. `entered` are the functions whose bodies ran
// already; it is extended by host functions, because the result depends on them. `skipped` are not
// called. Returns the functions that raised.
std::vector<const FunctionObject*> runUncalled(Interpreter& in, const ModuleObject* module,
                                               const llvm::DenseSet<const syntax::Node*>& skipped,
                                               llvm::DenseSet<const syntax::Node*>& entered);

// What Triton's library is certain to refuse if the functions of the program `body` that only other
// files call are called, whatever their arguments are: those that raised, and those that call them.
// The recorder must have been told to record nothing more.
std::vector<Refusal> refusalsIn(Interpreter& in, llvm::ArrayRef<const FunctionObject*> raised,
                                const llvm::DenseSet<const syntax::Node*>& skipped,
                                syntax::Stmts body);

} // namespace gluond::evaluate
