// What codegen lends the evaluator while it runs constexpr functions, constructors of aggregates
// and other host code on behalf of a kernel: such code may hold values of the IR, of which the
// evaluator itself knows nothing.
//
// The evaluator asks whenever an operand is ValueKind::Ir, or when a builtin that exists only in
// kernels (it has a rule and no NativeFunction) is called. Without an IrAccess these answer
// Unknown.
#pragma once

#include "language/values/Native.h"

namespace gluond::language {

class IrAccess {
public:
  // value.name; Absent (nothing raised) when there is no such attribute.
  virtual Value attribute(Value ir, Name name) = 0;
  // isinstance(ir, cls), cls being a class of the builtin table (gl.tensor,
  // gl.shared_memory_descriptor, ...).
  virtual bool isInstance(Value ir, const Builtin* cls) = 0;
  // A call that emits IR: a builtin by its rule, or a bound method of an Ir value. Absent: reported
  // and given up.
  virtual Value call(Value callee, const CallArguments& arguments) = 0;
  // left op right with at least one Ir operand; `op` is a syntax::BinaryOp, or a CompareOp when
  // isCompare.
  virtual Value binary(int op, bool isCompare, Value left, Value right) = 0;
  // value.type as a Value, as Triton's base_value.type gives it.
  virtual Value typeOf(Value ir) = 0;

protected:
  ~IrAccess() = default;
};

} // namespace gluond::language
