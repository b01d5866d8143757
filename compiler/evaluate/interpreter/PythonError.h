// Python exceptions as plain data: uncaught ones, and the one that is being propagated.
#pragma once

#include "language/values/Value.h"
#include "text/SourceText.h"

#include <string>
#include <vector>

namespace gluond::evaluate {

// A place in a program; the module gives the file (ModuleObject::path).
struct Place {
  const language::ModuleObject* module = nullptr;
  text::Range range;
  llvm::StringRef function; // qualname, empty at module level
};

// What raised an exception, for those that treat it specially: its words may as well be those of
// an exception that the program itself raises.
enum class ErrorKind {
  Other,
  MissingName,      // the name `subject` is not defined
  MissingMember,    // the module `owner` has no member `subject`
  TensorMember,     // torch's tensors have no member `subject`
  TensorKeyword,    // no factory of torch's tensors has the keyword `subject`
  TensorDevice,     // torch has no kind of device `subject`
  ParameterKeyword, // the program's function `owner` has no parameter `subject`
  DecoratorName,  // decorators of the function `owner` name its parameter `subject`, which it lacks
  LibraryKeyword, // the library's function `owner` has no parameter `subject`
  Library,        // Triton's library refuses a call of `owner`, or has no such member of it
  FunctionSubscript, // brackets after a function
  NoSpecialization,  // a kernel takes no value of the type `subject`
  HostTensor,        // a kernel on a GPU is given a tensor of the CPU
  HostArray,         // a kernel on a GPU is given an array of numpy
  NoGrid,            // a kernel is called without a grid
  MissingArgument,   // a launch does not give the parameter `subject`
  UnknownOption,     // a launch gives `subject`, which is neither a parameter nor an option
  KernelFunction,    // host code calls a function that only works in kernels
};

// The owner of a HostTensor, if it may run the kernel on the CPU.
inline constexpr llvm::StringLiteral tritonInterpreter = "Triton's interpreter";

struct ErrorCause {
  ErrorKind kind = ErrorKind::Other;
  std::string subject;
  std::string owner;
};

// The run that an uncaught exception ends.
enum class Run { Module, Test, Function };

struct PythonError {
  std::string exceptionClass; // "ValueError"
  ErrorCause cause;
  Run run = Run::Module;
  std::string message; // str(exception)
  language::Value exception;
  std::vector<Place> frames; // outermost first; the last one is where it was raised
  int argument =
      -1; // the parameter at fault in the call of a builtin that raised it; -1 if there is none
  bool exhausted = false;    // a budget was exhausted; no mistake of the program is known
  bool isFrozen = false;     // exhausted by a change to an object of a finished module
  bool isEndless = false;    // exhausted in a `while`, which is the place
  bool mayBeCaught = false;  // by a context manager of which nothing is known
  bool isDeliberate = false; // by a `raise` or `assert` of the program
  const Place* place() const { return frames.empty() ? nullptr : &frames.back(); }
};

// An exception that is being propagated.
struct PendingError {
  language::Value exception;
  ErrorCause cause;
  std::vector<Place> frames;
  int argument = -1;           // index of the argument of the builtin that raised it
  bool exhausted = false;      // the budget was exhausted: nothing catches it
  bool stopsGenerator = false; // cuts off an endless generator
  bool mayBeCaught = false;    // by a context manager of which nothing is known
  bool isDeliberate = false;   // by a `raise` or `assert` of the program
  bool isMemory = false;       // the memory budget was exhausted
  bool isFrozen = false;       // a change to an object of a finished module
  bool isEndless = false;      // the responsible loop is a `while`
  std::string why, reason;     // `reason` is the text before a loop was blamed
  uint64_t loopSteps = 0;      // steps in the loop named by `frames` and `why`; 0 if none
};

// Something that Triton's own library is certain to refuse when the program runs: a launch that
// does not fit its kernel, an invalid descriptor.
struct Refusal {
  std::string kernel; // qualname; empty for a descriptor
  PythonError error;
  bool isUncalled = false; // in a function that the program itself does not call
};

} // namespace gluond::evaluate
