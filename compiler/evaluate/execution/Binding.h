// The names that statements bind.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// After a loop of unknown length, the variables that its body binds may be anything. Functions
// stay.
void forgetVariables(Scope& locals, syntax::Stmts body);

} // namespace gluond::evaluate
