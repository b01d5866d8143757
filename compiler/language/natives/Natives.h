// Builtins that are computed at compile time, in kernels and on the host: rows NATIVE(..) and
// LAYOUT(..).
//
// They take arguments bound to the row's parameters (with defaults, without Unknown inside), with
// constexpr wrappers. To raise, they raise through the context and return Absent.
#pragma once

#include "language/types/LayoutClass.h"
#include "language/values/Native.h"

namespace gluond::language::natives {

#define BUILTIN(id, name, where, signature, what, doc) what
#define NATIVE(function) Value function(EvaluateContext& context, Values arguments);
#define RULE(...)
#define RULE_OF(...)
#define PRELUDE(...)
#define LAYOUT(...)
#define DTYPE(...)
#define CLASS(...)
#define PROPERTY(...)
#define CONSTANT(...)
#define PYTHON(...)
#define REMOVED(...)
#define INERT(...)
#include "language/builtins/All.def"
#undef NATIVE
#undef RULE
#undef RULE_OF
#undef PRELUDE
#undef LAYOUT
#undef DTYPE
#undef CLASS
#undef PROPERTY
#undef CONSTANT
#undef PYTHON
#undef REMOVED
#undef INERT

Value construct(EvaluateContext& context, LayoutKind kind, Values arguments);
template <LayoutKind kind> Value construct(EvaluateContext& context, Values arguments) {
  return construct(context, kind, arguments);
}

// Raises a RaisedException.
Value raise(EvaluateContext& context, const RaisedException& failure);

} // namespace gluond::language::natives
