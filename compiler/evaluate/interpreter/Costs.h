// What native code may take: steps of the budget (Budget.h), and stack.
#pragma once

#include "evaluate/interpreter/Interpreter.h"
#include "support/Stack.h"

#include <cstddef>
#include <type_traits>

namespace gluond::evaluate {

// The number of values that native code copies or moves in the time of a step.
inline constexpr size_t valuesPerStep = 16;

// Calls a function of a HostClass, which may depend on objects within its object: they may be
// nested as deep as a program likes, or contain themselves. Nothing else calls these functions
// (scripts/check-rooms.py). Returns Absent, nullopt, false or "" after raising, as here if the
// stack is low.
template <typename Result, typename... Parameters>
Result callHost(Interpreter& in, Result (*hook)(Interpreter&, Parameters...),
                std::type_identity_t<Parameters>... arguments) {
  if (!isStackLow()) [[likely]]
    return hook(in, arguments...);
  in.raise("RecursionError", "maximum recursion depth exceeded");
  if constexpr (std::is_same_v<Result, Value>)
    return Value::absent();
  else
    return Result{};
}

} // namespace gluond::evaluate
