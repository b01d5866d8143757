// triton.testing.perf_report and Benchmark: tables of arguments that a function is called with.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// triton.testing.Benchmark(x_names, x_vals, line_arg, ...).
Value makeBenchmark(Interpreter& in, const CallArguments& arguments);
// @triton.testing.perf_report(benchmarks): the mark's run() calls the function for every x and
// line.
Value perfReport(Interpreter& in, const CallArguments& arguments);

// The place of a parameter's name in the strings of a function's decorators ("M, N"); the whole
// string if its text is not the name as written, nullopt if there is none.
std::optional<text::Range> nameInDecorators(const syntax::FunctionDef& def, llvm::StringRef name);

} // namespace gluond::evaluate
