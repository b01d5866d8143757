// Functions that launch kernels and that nothing in the file calls: a library's entry points.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

// Calls those functions of `module` with unknown arguments, defaults where they have them, so that
// what they launch is found as far as it does not depend on their callers. `entered` are the
// functions whose bodies ran already; host functions are added, as what happens depends on them.
void runUncalled(Interpreter& in, ModuleObject* module,
                 llvm::DenseSet<const syntax::Node*>& entered);

} // namespace gluond::evaluate
