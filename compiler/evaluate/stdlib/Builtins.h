// Special methods of builtin values: (1).__add__, [].__len__, ...
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Returns Absent without raising if there is no such method.
Value builtinSpecial(Interpreter& in, Value object, Name name);

} // namespace gluond::evaluate
