// Marks code that may not run, in a scope of C++: the right side of an `and` whose left side is
// unknown, a function that unknown code gets.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// While it lives, exceptions and launches are uncertain; what was changed may be as it was.
class UncertainScope {
public:
  explicit UncertainScope(Interpreter& in) : in_(in), changes_(in) { in_.enterUncertain(); }
  ~UncertainScope() {
    in_.leaveUncertain();
    changes_.close();
    for (const StateOf& state : changes_.before())
      join(in_, state);
  }
  UncertainScope(const UncertainScope&) = delete;
  UncertainScope& operator=(const UncertainScope&) = delete;

private:
  Interpreter& in_;
  BranchChanges changes_;
};

} // namespace gluond::evaluate
