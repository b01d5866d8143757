// The names of a module or the attributes of an object as a mapping: globals(), vars(x),
// x.__dict__.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// `owner` is a Module with globals, or an Instance. Setting an item sets the owner's name.
Value namesOf(Interpreter& in, Value owner);
Value namesOwner(Value names);                 // Absent if it is no such mapping
Value namesDict(Interpreter& in, Value names); // its current items as a Dict; Absent if none

} // namespace gluond::evaluate
