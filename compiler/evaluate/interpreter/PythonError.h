// A Python exception that nobody caught, as plain data.
#pragma once

#include "language/values/Value.h"
#include "text/SourceText.h"

#include <string>
#include <vector>

namespace gluond::evaluate {

// A place in a program: the module says the file (ModuleObject::path).
struct Place {
  const language::ModuleObject* module = nullptr;
  text::Range range;
  llvm::StringRef function; // qualname, empty at module level
};

struct PythonError {
  std::string exceptionClass; // "ValueError"
  std::string message;        // str(exception)
  language::Value exception;
  std::vector<Place> frames; // outermost first; the last one is where it was raised
  int argument =
      -1; // of the call of a builtin that raised it: the parameter at fault; -1 when it is none
  bool exhausted = false; // a budget ran out: nothing is wrong with the program as far as we know
  bool isFrozen = false;  // exhausted by a change to an object of a finished module
  bool isEndless = false; // exhausted in a `while`, which is the place
  const Place* place() const { return frames.empty() ? nullptr : &frames.back(); }
};

// What Triton's own library refuses for certain when the program runs, wherever that is: a launch
// that does not fit its kernel, a descriptor that cannot be.
struct Refusal {
  std::string kernel; // qualname; empty: a descriptor
  PythonError error;
};

} // namespace gluond::evaluate
