// The parts of Python that gluond does not know. gluond implements what programs with kernels use
// of Python's types and libraries; anything else is unknown, and never causes an exception of the
// program.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// Whether Python's own class `owner` ("int") has the attribute, not counting its bases. A module
// may be an owner, too: "module math".
bool pythonHas(llvm::StringRef owner, llvm::StringRef attribute);
// The same for all of Python's own classes among the ancestors of `cls`.
bool pythonHas(Interpreter& in, const ClassObject* cls, Name attribute);

// Whether the value is one of Python's own functions (`len`, `input`), of which all attributes are
// known by pythonHas("builtin_function_or_method", ...).
bool isBuiltinFunction(Value value);

// Whether the value may have abilities that are not known here: it is an object of a modelled
// library, or its class has an ancestor or metaclass that is not fully known. Operations that fail
// on such a value give Unknown and raise nothing. A module is none of them: all modules are of one
// class, which neither calculates nor has a length, although not all of their members are known.
bool isKnownInPart(Interpreter& in, Value value);

// The result of a built-in operation, or Unknown in place of a TypeError that is not certain: an
// operand, or an item of one, is of a class that derives from a built-in one.
Value unlessPartlyKnown(Interpreter& in, Value result, llvm::ArrayRef<Value> operands);

// Whether an ancestor is unknown, was changed by something unknown, or holds values that are not
// modelled (str, dict, ...).
bool hasOpenAncestor(const ClassObject* cls);

// Whether the statements of a module still run below this frame: it lacks its later definitions. In
// a cycle of imports, which ones depends on the module that a program imports first.
bool isRunning(const Frame* frame, const ModuleObject* module);

// Something unknown has changed the object: it may have any attribute, and calling it may have
// another effect than its definition.
void markOpen(Interpreter& in, Value object);
bool isOpen(const FunctionObject* function);
bool isOpen(const ClassObject* cls);

} // namespace gluond::evaluate
