// The context managers that a `with` statement entered.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

struct Interpreter::Context {
  Value manager = Value::absent();
  enum class Kind : uint8_t {
    Unknown,   // nothing is known of what it does
    Instance,  // has __enter__ and __exit__
    Generator, // of a function with @contextmanager
    Expecting, // expects or drops exceptions: pytest.raises, contextlib.suppress
    Stack,     // contextlib.ExitStack
  } kind = Kind::Unknown;
  bool isForFailure = false; // Expecting: what runs in it is meant to fail

  // Calls an __exit__ with the type, value and traceback of the pending exception, or with None.
  static Flow leaveBy(Interpreter& in, Flow flow, llvm::function_ref<Value(Values)> exit);
};

// contextlib.ExitStack. leaveStack leaves all that it holds; Flow::Raise if an exception is
// pending.
bool isExitStack(Value manager);
Flow leaveStack(Interpreter& in, Value manager, Flow flow);

} // namespace gluond::evaluate
