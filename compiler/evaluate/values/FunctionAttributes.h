// Attributes that the program or a decorator gives to a function object.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// The attributes of a function, to be changed; null after refusing. The function may be a copy that
// shares its attributes with a function of a finished module (gluon.jit(f), kernel.fn).
Scope* attributesToChange(Interpreter& in, const FunctionObject* function);

} // namespace gluond::evaluate
