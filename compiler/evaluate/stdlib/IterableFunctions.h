// Python's builtin functions that go through iterables.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate::builtins {

Value all(Interpreter& in, const CallArguments& arguments);
Value any(Interpreter& in, const CallArguments& arguments);
Value max(Interpreter& in, const CallArguments& arguments);
Value min(Interpreter& in, const CallArguments& arguments);
Value sum(Interpreter& in, const CallArguments& arguments);
Value sorted(Interpreter& in, const CallArguments& arguments);
Value reversed(Interpreter& in, const CallArguments& arguments);
Value enumerate(Interpreter& in, const CallArguments& arguments);
Value zip(Interpreter& in, const CallArguments& arguments);
Value map(Interpreter& in, const CallArguments& arguments);
Value filter(Interpreter& in, const CallArguments& arguments);
Value iter(Interpreter& in, const CallArguments& arguments);
Value next(Interpreter& in, const CallArguments& arguments);

} // namespace gluond::evaluate::builtins
