// The attributes of types: dtype.primitive_bitwidth, block_type.shape, ...
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Returns Absent without raising if there is no such attribute. Methods are bound.
Value typeAttribute(Interpreter& in, const language::Type* type, Name name);

} // namespace gluond::evaluate
