// Decorators and functions of Triton that the evaluator interprets itself: @jit,
// @constexpr_function, @aggregate, ... and the attributes of what they make.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::language {
enum class BuiltinId : uint16_t;
}

namespace gluond::evaluate {

// Returns the effect of a PYTHON() row of the builtin table; null if none at compile time.
Native decoratorOf(language::BuiltinId id);

Value jit(Interpreter& in, const CallArguments& arguments,
          bool isTriton); // @gluon.jit, @triton.jit
Value applyJitOptions(Interpreter& in, Value made, Value options);
Value constexprFunction(Interpreter& in, const CallArguments& arguments);

} // namespace gluond::evaluate
