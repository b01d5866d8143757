// The names of a module or the attributes of an object as a mapping: globals(), vars(x),
// x.__dict__.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// `owner`: a Module with globals, or an Instance. What is set in the mapping is set in the owner.
Value namesOf(Interpreter& in, Value owner);
Value namesOwner(Value names);                 // Absent: it is no such mapping
Value namesDict(Interpreter& in, Value names); // a Dict of it as it is now; Absent: none, or raised

} // namespace gluond::evaluate
