// Runs a module's tests as pytest would collect them: functions test_*, classes Test* and those of
// unittest, once for each parametrization of the test and of its fixtures.
#pragma once

#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::evaluate {

struct TestBudget {
  uint64_t stepsPerTest = 200'000;
  size_t bytesPerTest = 16 << 20; // of values: a reference that loops over elements makes more
  unsigned mostRunsPerTest = 512; // parametrizations beyond these are sampled evenly
};

struct TestResults {
  std::vector<PythonError> endless;            // `while` loops that did not end
  std::vector<PythonError> mistakes;           // exceptions that no test expects
  llvm::DenseSet<const syntax::Node*> skipped; // definitions of tests that do not run on the target
};
// Before a file of tests: imports the conftest.py of its folder and of those around it, which may
// change sys.path and the environment.
void importConftests(Interpreter& in, llvm::StringRef path);
TestResults runTests(Interpreter& in, const ModuleObject* module, const TestBudget& budget);

} // namespace gluond::evaluate
