// What a `with` statement entered.
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
  } kind = Kind::Unknown;
};

} // namespace gluond::evaluate
