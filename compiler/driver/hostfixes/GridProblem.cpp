#include "driver/hostfixes/GridProblem.h"

namespace gluond::driver {

std::string gridProblem(llvm::StringRef message) {
  auto quoted = [](llvm::StringRef text) {
    return text.split('\'').second.split('\'').first.str();
  };
  auto [python, reason] = message.split(": ");
  if (reason.starts_with("a grid is a tuple"))
    return "its grid is of type '" + quoted(python) +
           "', but must be a tuple of one to three integers, as in kernel[(n, )](...)";
  if (python == "tuple index out of range" && reason.starts_with("a grid has"))
    return "its grid is empty, but " + reason.str();
  if (reason == "the grid's numbers of programs are integers")
    return "its grid has " +
           (python.starts_with("'") ? "a value of type '" + quoted(python) + "'"
                                    : std::string("a tensor that is not one integer")) +
           ", but its numbers of programs must be integers";
  if (reason.starts_with("a number of programs is at most"))
    return "its grid is too large: " + reason.str();
  if (llvm::StringRef limit = message;
      limit.consume_front("Triton Error [CUDA]: invalid argument: "))
    return "its grid is too large: " + limit.str();
  return "";
}

} // namespace gluond::driver
