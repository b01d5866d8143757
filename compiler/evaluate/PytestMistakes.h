// Which exceptions of tests are mistakes of the program, and not what the tests are for.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

// `error` has a place, and the test is certain to raise it. What the program refuses by a `raise`
// or `assert` counts in functions that launch kernels, and those that they call.
bool isMistakeOfProgram(const Interpreter& in, const PythonError& error);

} // namespace gluond::evaluate
