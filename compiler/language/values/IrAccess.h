// codegen's interface for the evaluator, while it runs constexpr functions, constructors of
// aggregates and other host code for a kernel: such code may hold values of the IR, which the
// evaluator cannot handle itself.
//
// The evaluator calls it whenever an operand is ValueKind::Ir, or when a builtin that exists only
// in kernels (it has a rule and no NativeFunction) is called. Without an IrAccess such operations
// give Unknown.
#pragma once

#include "language/values/Native.h"

namespace gluond::language {

class IrAccess {
public:
  // Evaluates value.name; returns Absent, without raising, if there is no such attribute.
  virtual Value attribute(Value ir, Name name) = 0;
  // isinstance(ir, cls), where cls is a class of the builtin table (gl.tensor,
  // gl.shared_memory_descriptor, ...).
  virtual bool isInstance(Value ir, const Builtin* cls) = 0;
  // A call that emits IR: a builtin by its rule, or a bound method of an Ir value. Returns Absent
  // if a mistake was reported and the call was given up.
  virtual Value call(Value callee, const CallArguments& arguments) = 0;
  // Applies an operator with at least one Ir operand; `op` is a syntax::BinaryOp, or a CompareOp if
  // isCompare.
  virtual Value binary(int op, bool isCompare, Value left, Value right) = 0;
  // value.type as a Value, like Triton's base_value.type.
  virtual Value typeOf(Value ir) = 0;

protected:
  ~IrAccess() = default;
};

} // namespace gluond::language
