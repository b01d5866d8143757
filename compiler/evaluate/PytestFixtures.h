// The fixtures of pytest's tests. Internal to Pytest.cpp.
#pragma once

#include "evaluate/Pytest.h"
#include "evaluate/interpreter/Interpreter.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <map>

namespace gluond::evaluate {

// A parameter's possible values: a column is a list of bindings for one or more names.
struct ParameterColumn {
  llvm::SmallVector<Name> names;
  llvm::SmallVector<llvm::SmallVector<Value, 2>> rows;
  std::string misfit;               // what pytest says of a row that does not fit the names
  llvm::SmallVector<Name> indirect; // names whose values are given to the fixtures of these names
  bool binds(Name name) const {
    return llvm::is_contained(names, name) && !llvm::is_contained(indirect, name);
  }
};

// One test may not use up the steps of all.
void runLimited(Interpreter& in, const TestBudget& budget, llvm::function_ref<void()> run);
const FunctionObject* fixtureFunction(Interpreter& in, Value value);
// Visits the conftest.py next to a test and those in its parent folders, until one returns false.
void forEachConftest(Interpreter& in, llvm::StringRef test,
                     llvm::function_ref<bool(const ModuleObject&)> visit);

// The fixtures of one test: which there are, and their values for each choice of parameters.
class Fixtures {
public:
  // `columns` are the parameters of the test's marks; those of fixtures are added to them.
  Fixtures(Interpreter& in, const ModuleObject* module, const ClassObject* cls,
           const TestBudget& budget, llvm::SmallVectorImpl<ParameterColumn>& columns);

  // Finds a fixture and those that it uses.
  void add(Name name) { use(name, 0); }

  // Whether the test, or a fixture that it uses, may take a parameter of that name.
  bool mayUse(Name name) const;
  // Whether it uses one that was not found: a plugin of pytest has it, or its name is wrong.
  bool lacksAny() const;

  // Begins a run with a row of each column, on an instance of the test's class. Returns false if
  // the test does not run, because a fixture raised an exception.
  bool begin(llvm::ArrayRef<size_t> rows, Value self);
  bool failed() const { return failed_; }
  // What the last one that failed raised, if its exception is no way to skip the test.
  std::optional<PythonError> takeMistake() { return std::exchange(mistake_, {}); }
  // Takes back what the test changed by the fixture monkeypatch.
  void end();

  Value value(Name name);

private:
  struct Use {
    const FunctionObject* function = nullptr;
    bool isMethod = false;
    std::optional<size_t> param; // the column of request.param
    std::vector<size_t> columns; // all that the value depends on
  };
  static constexpr unsigned mostDepth = 8;

  void addAutomatic(Name name, Value value);

  const std::vector<size_t>& use(Name name, unsigned depth);

  ParameterColumn paramsOf(Name name, Value params);

  // Returns a fixture in a conftest.py next to the test or in a parent folder, or null.
  const FunctionObject* sharedFixture(Name name);

  static llvm::ArrayRef<syntax::Parameter> parametersOf(const Use& use);

  Value chosen(size_t column, Name name);

  Value call(Name name, const Use& use);
  void takeError(bool uncertain);

  Interpreter& in_;
  const ModuleObject* module_;
  const ClassObject* cls_;
  TestBudget budget_;
  llvm::SmallVectorImpl<ParameterColumn>& columns_;
  llvm::DenseMap<Name, Use> uses_;
  llvm::SmallVector<Name> automatic_; // those that every test has
  llvm::ArrayRef<size_t> rows_;
  Value self_ = Value::absent();
  Value patches_ = Value::absent(); // the monkeypatch of this run
  bool failed_ = false;
  std::optional<PythonError> mistake_;
  std::map<std::pair<uint32_t, std::vector<size_t>>, Value> all_, ofRun_;
};

} // namespace gluond::evaluate
