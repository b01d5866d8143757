// Runs a module's tests as pytest would collect them: functions test_* and classes Test*, once for
// each parametrization.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

namespace gluond::evaluate {

struct TestBudget {
  uint64_t stepsPerTest = 200'000;
  unsigned mostRunsPerTest = 512; // parametrizations beyond these are sampled evenly
};

// Exceptions in tests are not reported; `while` loops in them that did not end are added to
// `endless`.
void runTests(Interpreter& in, ModuleObject* module, const TestBudget& budget,
              std::vector<PythonError>& endless);

} // namespace gluond::evaluate
