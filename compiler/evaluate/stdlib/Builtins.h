// Special methods of builtin values: (1).__add__, [].__len__, ...; what instances of a class are.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Returns Absent without raising if there is no such method.
Value builtinSpecial(Interpreter& in, Value object, Name name);

// Whether the class's instances are objects with attributes, and not ints, tuples, enum members,
// ...: only of such classes are there InstanceObjects.
bool hasPlainInstances(const ClassObject* cls);

} // namespace gluond::evaluate
