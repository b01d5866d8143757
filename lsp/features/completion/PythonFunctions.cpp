#include "lsp/features/completion/PythonFunctions.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace {

struct Row {
  llvm::StringLiteral name;
  bool hasSeveral; // the form with more than one argument, if there are two
  std::vector<llvm::StringLiteral> parameters;
  llvm::StringLiteral documentation;
};

} // namespace

std::optional<Callable> pythonFunction(llvm::StringRef name, bool hasSeveral) {
  static const Row rows[] = {
      {"range",
       false,
       {"stop"},
       "Counts from 0 to `stop`, which is not included. The loop runs at run time; "
       "`gl.static_range` unrolls it."},
      {"range",
       true,
       {"start", "stop", "step=1"},
       "Counts from `start` to `stop`, which is not included. The loop runs at run time; "
       "`gl.static_range` unrolls it."},
      {"len", false, {"object"}, "The number of elements of a tuple, a list or a shape."},
      {"min", false, {"*values"}, "The smallest of scalars or tensors."},
      {"max", false, {"*values"}, "The largest of scalars or tensors."},
      {"int", false, {"value"}, "A constexpr as an int, when the kernel is compiled."},
      {"float", false, {"value"}, "A constexpr as a float, when the kernel is compiled."},
      {"bool", false, {"value"}, "A constexpr as a bool, when the kernel is compiled."},
      {"print", false, {"*values"}, "Prints at run time, as `gl.device_print` does."},
      {"isinstance", false, {"object", "classinfo"}, "Decided when the kernel is compiled."},
      {"getattr", false, {"object", "name"}, "Decided when the kernel is compiled."},
      {"hasattr", false, {"object", "name"}, "Decided when the kernel is compiled."},
  };
  const Row* found = nullptr;
  for (const Row& row : rows)
    if (row.name == name && (!found || row.hasSeveral == hasSeveral)) found = &row;
  if (!found) return std::nullopt;
  Callable callable{name.str(), found->documentation.str(), {}, false, nullptr};
  for (llvm::StringRef text : found->parameters) {
    CallableParameter parameter;
    parameter.text = text.str();
    parameter.takesMore = text.consume_front("*");
    parameter.name = text.split('=').first.str();
    callable.parameters.push_back(std::move(parameter));
  }
  return callable;
}

} // namespace gluond::lsp
