// The names that statements bind.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// After a loop of unknown length, the variables that its body binds may be anything. Functions
// stay.
void forgetVariables(Scope& locals, syntax::Stmts body);

// Visits the names that the statements of a function's body bind, which are local ones.
void forEachBound(syntax::Stmts body, llvm::function_ref<void(Name)> visit);

} // namespace gluond::evaluate
