// What is known of Python in part only. gluond implements what programs with kernels use of
// Python's types and libraries; what it lacks is unknown to it, and never an exception of the
// program.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Whether Python's own class `owner` ("int") has the attribute, those of its bases aside. A module
// is an owner, too: "module math".
bool pythonHas(llvm::StringRef owner, llvm::StringRef attribute);
// Whether one of Python's own classes among the ancestors of `cls` has it.
bool pythonHas(Interpreter& in, const ClassObject* cls, Name attribute);

// Whether Python may give the value abilities that are not known here: it is an object of a
// modelled library, or its class has an ancestor or a metaclass that is not known in full. What
// fails on such a value is Unknown; nothing is raised.
bool isKnownInPart(Interpreter& in, Value value);

// The class of a class where it is not `type`; Absent: it is.
Value metaclassOf(Interpreter& in, const ClassObject* cls);
void setMetaclass(Interpreter& in, ClassObject* cls, Value metaclass);
// A member that the metaclass gives to the class, bound to it; Absent: none; Unknown: cannot be
// known.
Value metaclassMember(Interpreter& in, ClassObject* cls, Name member);

// Something unknown has changed the object: it may have any attribute, and be called otherwise than
// it is defined.
void markOpen(Interpreter& in, Value object);
bool isOpen(const FunctionObject* function);
bool isOpen(const ClassObject* cls);

} // namespace gluond::evaluate
