// The names that statements bind.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// After a loop of unknown length, the variables that its body binds may be anything. Functions
// stay.
void forgetVariables(Scope& locals, syntax::Stmts body);

// Whether a statement of a function's body binds the name, so that it is a local one.
bool binds(syntax::Stmts body, Name name);

} // namespace gluond::evaluate
