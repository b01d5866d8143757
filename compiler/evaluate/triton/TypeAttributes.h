// What a type answers when asked for an attribute: dtype.primitive_bitwidth, block_type.shape, ...
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Absent without raising: no such attribute. Methods come bound.
Value typeAttribute(Interpreter& in, const language::Type* type, Name name);

} // namespace gluond::evaluate
