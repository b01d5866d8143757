// The names of a module or the attributes of an object as a mapping: globals(), vars(x),
// x.__dict__; and the attributes that a program or a decorator gives to a function.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// `owner` is a Module with globals, or an Instance. Setting an item sets the owner's name.
Value namesOf(Interpreter& in, Value owner);
Value namesOwner(Value names);                 // Absent if it is no such mapping
Value namesDict(Interpreter& in, Value names); // its current items as a Dict; Absent if none

// Returns the attributes of a function, to be changed; null after refusing. The function may be a
// copy that shares its attributes with a function of a finished module (gluon.jit(f), kernel.fn).
Scope* attributesToChange(Interpreter& in, const FunctionObject* function);

} // namespace gluond::evaluate
