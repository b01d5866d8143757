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

Callable callableOf(const Row& row) {
  Callable callable;
  callable.name =
      row.name.rsplit('.').second.empty() ? row.name.str() : row.name.rsplit('.').second.str();
  callable.documentation = row.documentation.str();
  for (llvm::StringRef text : row.parameters) {
    CallableParameter parameter;
    parameter.text = text.str();
    parameter.takesMore = text.consume_front("*");
    auto [name, value] = text.split('=');
    parameter.name = name.str();
    if (!value.empty()) parameter.detail = ("= " + value).str();
    callable.parameters.push_back(std::move(parameter));
  }
  return callable;
}

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
  return callableOf(*found);
}

std::optional<Callable> tritonFunction(llvm::StringRef name) {
  static const Row rows[] = {
      {"triton.autotune",
       false,
       {"configs", "key", "prune_configs_by=None", "reset_to_zero=None", "restore_value=None",
        "pre_hook=None", "post_hook=None", "do_bench=None", "cache_results=False"},
       "Runs the kernel with each configuration when an argument of `key` has a new value, and "
       "keeps "
       "the fastest."},
      {"triton.Config",
       false,
       {"kwargs", "num_warps=4", "num_stages=3", "num_ctas=1", "maxnreg=None", "pre_hook=None",
        "ir_override=None"},
       "A configuration of an autotuner: values of constexprs, and launch options."},
      {"triton.heuristics",
       false,
       {"values"},
       "Computes constexprs from the other arguments of a launch: a dict of functions."},
      {"triton.cdiv", false, {"x", "y"}, "The quotient, rounded up."},
      {"triton.next_power_of_2", false, {"n"}, "The smallest power of two that is at least `n`."},
      {"triton.testing.do_bench",
       false,
       {"fn", "warmup=25", "rep=100", "grad_to_none=None", "quantiles=None",
        "return_mode=\"mean\""},
       "The time of a function in milliseconds."},
  };
  for (const Row& row : rows)
    if (row.name == name) {
      Callable callable = callableOf(row);
      callable.isHost = true;
      return callable;
    }
  return std::nullopt;
}

} // namespace gluond::lsp
