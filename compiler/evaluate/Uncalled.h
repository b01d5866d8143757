// Calls functions that launch kernels but are not called in the file: a library's entry points.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

// Calls those functions of `module` with unknown arguments, or defaults if they have them, to find
// the launches that do not depend on their callers. `entered` are the functions whose bodies ran
// already; it is extended by host functions, because the result depends on them. `skipped` are not
// called.
void runUncalled(Interpreter& in, const ModuleObject* module,
                 const llvm::DenseSet<const syntax::Node*>& skipped,
                 llvm::DenseSet<const syntax::Node*>& entered);

} // namespace gluond::evaluate
