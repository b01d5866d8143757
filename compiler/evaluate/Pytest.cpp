#include "evaluate/Pytest.h"

#include "evaluate/PytestFixtures.h"
#include "evaluate/PytestMistakes.h"
#include "evaluate/Uncalled.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/triton/Benchmarks.h"
#include "evaluate/triton/LibraryModules.h"
#include "evaluate/values/PythonCoverage.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/Support/Path.h>

#include <map>

namespace gluond::evaluate {

namespace {

struct Mark {
  llvm::StringRef name;
  Values positional;
  const DictObject* keywords;
};

std::optional<Mark> asMark(Value value) {
  if (auto* function = hostAs<NativeFunctionObject>(value, nativeFunctionClass);
      function && function->name == "mark")
    value = function->self;
  auto* tuple = value.as<TupleObject>();
  if (!tuple || tuple->items.size() != 3) return std::nullopt;
  auto* name = tuple->items[0].as<StrObject>();
  auto* positional = tuple->items[1].as<TupleObject>();
  auto* keywords = tuple->items[2].as<DictObject>();
  if (!name || !positional || !keywords) return std::nullopt;
  return Mark{name->text, positional->items, keywords};
}

// metafunc.parametrize(...): adds a mark to the list that it is bound to.
Value addParametrization(Interpreter& in, const CallArguments& arguments) {
  auto* list = arguments.positional.empty() ? nullptr : arguments.positional[0].as<ListObject>();
  if (!list) return Value::unknown();
  Value keywords = in.heap().dict();
  for (auto& keyword : arguments.keywords)
    if (!in.dictSet(keywords.as<DictObject>(), in.string(in.text(keyword.name)), keyword.value))
      return Value::absent();
  ListObject* marks = in.writable(list);
  if (!marks) return Value::absent();
  marks->items.push_back(in.tupleOf(
      {in.string("parametrize"), in.tupleOf(arguments.positional.drop_front()), keywords}));
  return Value::none();
}

class TestRunner {
public:
  TestRunner(Interpreter& in, const ModuleObject* module, const TestBudget& budget)
      : in_(in), module_(module), budget_(budget) {}

  TestResults run() {
    tests();
    return std::move(results_);
  }

private:
  void tests() {
    llvm::SmallVector<Value> marks;
    addMarks(module_->globals->get(in_.name("pytestmark")), marks);
    // Tests may define globals: a copy.
    for (auto [name, value] : module_->globals->snapshot()) {
      if (in_.isStopped() || in_.stepsLeft() == 0) return;
      llvm::StringRef text = in_.text(name);
      if (text.starts_with("test"))
        if (auto* function = testFunction(value)) test(function, nullptr, marks);
      if (auto* cls = value.as<ClassObject>(); cls &&
                                               (text.starts_with("Test") || isUnittest(*cls)) &&
                                               cls->members && cls->module == module_) {
        auto classMarks = marks;
        addMarks(cls->members->get(in_.name("_gluond_marks")), classMarks);
        ofClass(cls, classMarks);
      }
    }
  }
  // The tests of a class: its own, and those that it inherits.
  void ofClass(const ClassObject* cls, llvm::ArrayRef<Value> marks) {
    llvm::DenseSet<Name> seen;
    for (Value ancestor : cls->mro) {
      auto* base = ancestor.as<ClassObject>();
      if (!base || !base->members || !base->def) continue;
      if (!in_.spend(1)) return in_.dropError();
      for (auto [member, method] : base->members->snapshot())
        if (in_.text(member).starts_with("test") && seen.insert(member).second)
          if (auto* function = testFunction(method)) test(function, cls, marks);
    }
  }
  // Returns a function that a `def` of Python defines; kernels and lambdas are no tests.
  static const FunctionObject* testFunction(Value value) {
    auto* function = value.as<FunctionObject>();
    return function && function->def && function->function == FunctionKind::Python ? function
                                                                                   : nullptr;
  }
  static bool isUnittest(const ClassObject& cls) {
    return llvm::any_of(cls.mro, [](Value base) {
      auto* ancestor = base.as<ClassObject>();
      return ancestor && !ancestor->def && ancestor->qualname == unittestCase;
    });
  }

  // Calls what prepares an instance. Returns false if the test does not run after that.
  bool setUp(const ClassObject* cls, Value self, bool isUncertain) {
    for (llvm::StringRef name : {"setUpClass", "setup_class", "setUp", "setup_method"}) {
      if (in_.findInClass(cls, in_.name(name)).isAbsent()) continue;
      Value done = Value::absent();
      runLimited(in_, budget_, [&] { done = in_.callMethod(self, in_.name(name), {}); });
      bool isKnown = !in_.isExhausted();
      if (!done.isAbsent()) continue;
      keepMistake(isUncertain);
      in_.dropError();
      if (isKnown) return false;
    }
    return true;
  }

  void addMarks(Value value, llvm::SmallVectorImpl<Value>& out) {
    if (value.isAbsent()) return;
    if (auto* list = value.as<ListObject>())
      out.append(list->items.begin(), list->items.end());
    else
      out.push_back(value);
  }

  // Whether the condition of a mark holds; nullopt if it is not known.
  std::optional<bool> holds(const Mark& mark, bool withoutCondition) {
    Value condition =
        mark.positional.empty() ? in_.dictGet(mark.keywords, "condition") : mark.positional[0];
    if (condition.isAbsent()) return withoutCondition;
    auto known = in_.truth(condition);
    if (in_.failed()) in_.dropError();
    return condition.is(ValueKind::Str) ? std::nullopt : known;
  }

  std::optional<bool> skips(llvm::ArrayRef<Value> marks) {
    bool unknown = false;
    for (Value value : marks) {
      auto mark = asMark(value);
      if (!mark) continue;
      if (mark->name == "skip") return true;
      Value run = in_.dictGet(mark->keywords, "run");
      bool isRun = run.isAbsent() || in_.truth(run).value_or(true);
      if (mark->name != "skipif" && (mark->name != "xfail" || isRun)) continue;
      std::optional<bool> isMet = holds(*mark, /*withoutCondition=*/mark->name == "xfail");
      if (!isMet)
        unknown = true;
      else if (*isMet)
        return true;
    }
    return unknown ? std::nullopt : std::optional(false);
  }

  // Whether a mark says that the test fails, or that it may.
  bool isExpectedToFail(llvm::ArrayRef<Value> marks) {
    return llvm::any_of(marks, [&](Value value) {
      auto mark = asMark(value);
      if (!mark || mark->name != "xfail") return false;
      return holds(*mark, /*withoutCondition=*/true).value_or(true);
    });
  }

  // indirect=True, or those of the names.
  llvm::SmallVector<Name> indirectNames(Value indirect, llvm::ArrayRef<Name> names) {
    llvm::SmallVector<Name> result;
    llvm::SmallVector<Value> items;
    if (indirect.is(ValueKind::List) || indirect.is(ValueKind::Tuple)) {
      (void)in_.unpack(indirect, items);
      for (Value item : items)
        if (auto* word = item.as<StrObject>())
          if (Name name = in_.name(word->text); llvm::is_contained(names, name))
            result.push_back(name);
    } else if (!indirect.isAbsent() && in_.truth(indirect).value_or(false)) {
      result.append(names.begin(), names.end());
    }
    if (in_.failed()) in_.dropError();
    return result;
  }

  // Whether a row has a value for each name; if not, pytest refuses the test, which is noted.
  bool fits(ParameterColumn& column, Value row, size_t count) {
    if (count == column.names.size()) return true;
    if (!column.misfit.empty()) return false;
    std::string shown = in_.repr(row);
    if (in_.failed()) {
      in_.dropError();
      return false;
    }
    column.misfit =
        "in \"parametrize\" the number of names (" + std::to_string(column.names.size()) +
        ") must be equal to the number of values (" + std::to_string(count) + "): " + shown;
    return false;
  }

  std::optional<ParameterColumn> parametrize(const Mark& mark) {
    ParameterColumn column;
    Value names =
        mark.positional.empty() ? in_.dictGet(mark.keywords, "argnames") : mark.positional[0];
    Value values =
        mark.positional.size() < 2 ? in_.dictGet(mark.keywords, "argvalues") : mark.positional[1];
    llvm::SmallVector<Value> items;
    if (auto* text = names.as<StrObject>()) {
      llvm::SmallVector<llvm::StringRef> words;
      text->text.split(words, ',');
      for (auto word : words)
        if (!word.trim().empty()) column.names.push_back(in_.name(word.trim()));
    } else if (!names.isAbsent() && in_.unpack(names, items)) {
      for (Value item : items)
        if (auto* word = item.as<StrObject>()) column.names.push_back(in_.name(word->text));
    }
    if (in_.failed()) in_.dropError();
    items.clear();
    if (column.names.empty()) return std::nullopt;
    // Each name is looked for among all of them.
    if (!in_.spendProduct(column.names.size(), column.names.size())) {
      in_.dropError();
      return std::nullopt;
    }
    column.indirect = indirectNames(in_.dictGet(mark.keywords, "indirect"), column.names);
    if (values.isAbsent() || !in_.unpack(values, items)) {
      if (in_.failed()) in_.dropError();
      column.rows.push_back(llvm::SmallVector<Value, 2>(column.names.size(), Value::unknown()));
      return column;
    }
    for (Value item : items) {
      if (!in_.spend(1)) {
        in_.dropError();
        break;
      }
      if (auto* parameter = hostAs<NamespaceObject>(item, namespaceClass);
          parameter && parameter->name == "pytest.param") {
        Value marks = parameter->attributes->get(in_.name("marks"));
        llvm::SmallVector<Value> own;
        if (auto* tuple = marks.as<TupleObject>(); tuple && !asMark(marks))
          own.append(tuple->items.begin(), tuple->items.end());
        else
          addMarks(marks, own);
        if (skips(own).value_or(false) || isExpectedToFail(own)) continue;
        Value values = parameter->attributes->get(in_.name("values"));
        auto* tuple = values.as<TupleObject>();
        if (tuple && fits(column, values, tuple->items.size()))
          column.rows.emplace_back(tuple->items);
        continue;
      }
      if (column.names.size() == 1) {
        column.rows.push_back({item});
        continue;
      }
      llvm::SmallVector<Value> row;
      bool isKnown =
          in_.unpack(item, row) && (item.is(ValueKind::Tuple) || item.is(ValueKind::List));
      if (!row.empty() && row.size() != column.names.size() &&
          (!isKnown || !fits(column, item, row.size())))
        row.clear();
      if (row.size() != column.names.size()) {
        if (in_.failed()) in_.dropError();
        row.assign(column.names.size(), Value::unknown());
      }
      column.rows.emplace_back(llvm::ArrayRef<Value>(row));
    }
    return column;
  }

  // Whether it is the test's own parameter; if not, a fixture of the test takes it.
  static bool takes(const FunctionObject* function, Name name) {
    return llvm::any_of(function->def->parameters, [&](const syntax::Parameter& parameter) {
      return parameter.name.name == name || parameter.kind == syntax::ParameterKind::KwArgs;
    });
  }

  // Adds the parameters that pytest_generate_tests(metafunc) gives a test. Returns false if they
  // are not all known.
  bool generateMarks(const FunctionObject* function, const ClassObject* cls,
                     llvm::SmallVectorImpl<Value>& out) {
    llvm::SmallVector<const FunctionObject*, 2> hooks;
    Name name = in_.name("pytest_generate_tests");
    if (auto* own = testFunction(module_->globals->get(name))) hooks.push_back(own);
    forEachConftest(in_, module_->path, [&](const ModuleObject& conftest) {
      if (auto* shared = testFunction(conftest.globals->get(name))) hooks.push_back(shared);
      return true;
    });
    bool isKnown = true;
    for (const FunctionObject* hook : hooks) {
      llvm::SmallVector<Value> names;
      for (auto& parameter : function->def->parameters)
        names.push_back(in_.string(in_.text(parameter.name.name)));
      Value marks = in_.heap().list({});
      Value metafunc = in_.namespaceOf(
          "Metafunc", {{"fixturenames", in_.heap().list(names)},
                       {"function", Value::object(ValueKind::Function, function)},
                       {"cls", cls ? Value::object(ValueKind::Class, cls) : Value::none()},
                       {"module", Value::object(ValueKind::Module, module_)},
                       {"config", Value::unknown()},
                       {"definition", Value::unknown()},
                       {"parametrize", in_.function("parametrize", addParametrization, marks)}});
      runLimited(in_, budget_, [&] { in_.callFunction(hook, Value::absent(), {metafunc, {}}); });
      if (in_.failed()) {
        in_.dropError();
        isKnown = false;
      }
      auto* list = marks.as<ListObject>();
      isKnown &= !list->uncertain;
      for (Value mark : list->items.snapshot())
        if (!mark.isUnknown()) out.push_back(mark);
    }
    return isKnown;
  }

  // What pytest refuses when it collects the test: names and rows in its decorators that do not fit
  // it. Returns whether there are any.
  bool tellDecorators(const FunctionObject& function, llvm::ArrayRef<Value> marks,
                      llvm::ArrayRef<ParameterColumn> columns, const Fixtures& fixtures) {
    bool isAny = false;
    auto tell = [&](Name name, const llvm::Twine& problem) {
      auto place = nameInDecorators(*function.def, in_.text(name));
      if (!place || results_.mistakes.size() >= mostMistakes) return;
      isAny = true;
      PythonError error;
      error.exceptionClass = "Failed"; // pytest's
      error.cause = {ErrorKind::DecoratorName, in_.text(name).str(), function.qualname.str()};
      error.message = problem.str();
      error.frames.push_back({function.module, *place, {}});
      error.run = Run::Test;
      results_.mistakes.push_back(std::move(error));
    };
    for (const ParameterColumn& column : columns) {
      if (!column.misfit.empty()) tell(column.names.front(), column.misfit);
      // A name alone may be that of a plugin's fixture, which the plugin uses itself.
      bool isOfTest = fixtures.lacksAny() ||
                      llvm::any_of(column.names, [&](Name name) { return takes(&function, name); });
      for (Name name : column.names)
        if (isOfTest && !takes(&function, name) && !fixtures.mayUse(name) && !usesFixtures(marks))
          tell(name,
               "function uses no " +
                   llvm::Twine(llvm::is_contained(column.indirect, name) ? "fixture" : "argument") +
                   " '" + in_.text(name) + "'");
    }
    return isAny;
  }
  static bool usesFixtures(llvm::ArrayRef<Value> marks) {
    return llvm::any_of(marks, [](Value value) {
      auto mark = asMark(value);
      return !mark || mark->name == "usefixtures";
    });
  }

  void test(const FunctionObject* function, const ClassObject* cls,
            llvm::ArrayRef<Value> outerMarks) {
    llvm::SmallVector<Value> marks(outerMarks);
    if (function->attributes) addMarks(function->attributes->get(in_.name("_gluond_marks")), marks);
    if (!in_.spend(1 + marks.size())) {
      in_.dropError();
      return;
    }
    auto skipped = skips(marks);
    if (skipped.value_or(false)) {
      results_.skipped.insert(function->def);
      return;
    }
    llvm::SmallVector<ParameterColumn> columns;
    bool expectedToFail = isExpectedToFail(marks);
    bool isGenerated = generateMarks(function, cls, marks);
    for (Value value : marks) {
      auto mark = asMark(value);
      if (!mark || mark->name != "parametrize") continue;
      if (auto column = parametrize(*mark)) columns.push_back(std::move(*column));
    }
    if (!in_.spendProduct(function->def->parameters.size(), columns.size())) {
      in_.dropError();
      return;
    }
    // Parameters that no mark binds are fixtures.
    Fixtures fixtures(in_, module_, cls, budget_, columns);
    llvm::SmallVector<Name> wanted;
    for (size_t i = cls ? 1 : 0; i < function->def->parameters.size(); ++i) {
      auto& parameter = function->def->parameters[i];
      bool bound =
          llvm::any_of(columns, [&](auto& column) { return column.binds(parameter.name.name); });
      if (bound || !function->defaults[i].isAbsent() ||
          parameter.kind == syntax::ParameterKind::VarArgs ||
          parameter.kind == syntax::ParameterKind::KwArgs)
        continue;
      wanted.push_back(parameter.name.name);
      fixtures.add(parameter.name.name);
    }
    if (skipped && isGenerated && tellDecorators(*function, marks, columns, fixtures))
      skipped = std::nullopt; // pytest does not run it, and what follows is a consequence
    uint64_t total = 1;
    for (auto& column : columns) {
      if (column.rows.empty()) return;
      total = std::min<uint64_t>(total * column.rows.size(), uint64_t(1) << 40);
    }
    uint64_t runs = std::min<uint64_t>(total, budget_.mostRunsPerTest);
    bool uncertain = !skipped || expectedToFail || !isGenerated;
    mayIntervene_ = mayIntervene(*function, cls, fixtures);
    if (uncertain) in_.enterUncertain();
    if (expectedToFail) in_.enterExpectedFailure();
    bool mayBeSkipped = in_.mayBeSkipped();
    uint64_t work = 0; // of the names of a run, each of which is looked for among all of them
    for (auto& column : columns)
      work += column.names.size() * (column.names.size() + function->def->parameters.size());
    for (uint64_t run = 0; run < runs && !in_.isStopped(); ++run) {
      if (!in_.spend(1) || !in_.spendProduct(work, 1)) break;
      uint64_t index = runs == total ? run : run * (total / runs);
      llvm::SmallVector<KeywordArgument> keywords;
      llvm::SmallVector<size_t> rows;
      for (auto& column : columns) {
        rows.push_back(index % column.rows.size());
        index /= column.rows.size();
        for (size_t i = 0; i < column.names.size(); ++i)
          if (column.binds(column.names[i]) && takes(function, column.names[i]))
            keywords.push_back({column.names[i], column.rows[rows.back()][i]});
      }
      in_.setMayBeSkipped(mayBeSkipped); // as on import, not as in an earlier test
      Value self = Value::absent();
      if (cls) {
        self = in_.instantiate(cls, {});
        if (self.isAbsent()) {
          if (in_.isExhausted()) break;
          keepMistake(uncertain);
          in_.dropError();
          break;
        }
        if (!setUp(cls, self, uncertain)) continue;
      }
      bool isSet = fixtures.begin(rows, self);
      for (Name name : wanted)
        keywords.push_back({name, fixtures.value(name)});
      if (auto mistake = fixtures.takeMistake()) keepMistake(std::move(*mistake), uncertain);
      if (!isSet || fixtures.failed()) continue;
      runLimited(in_, budget_, [&] { in_.callFunction(function, self, {{}, keywords}); });
      if (in_.isExhausted()) {
        if (PythonError error = in_.takeError(); error.isEndless)
          results_.endless.push_back(std::move(error));
      }
      keepMistake(uncertain);
      in_.dropError();
      fixtures.end();
      in_.dropError();
      if (in_.stepsLeft() == 0) break;
    }
    if (uncertain) in_.leaveUncertain();
    if (expectedToFail) in_.leaveExpectedFailure();
    in_.setMayBeSkipped(mayBeSkipped);
  }

  // A test is called with its own arguments, so that whatever it is certain to raise is a mistake.
  void keepMistake(bool isUncertain) {
    if (!in_.failed() || in_.isExhausted() || in_.raisedExit()) return;
    PythonError error = in_.takeError();
    keepMistake(std::move(error), isUncertain);
  }
  void keepMistake(PythonError error, bool isUncertain) {
    if (isUncertain || in_.mayBeSkipped() || !error.place() ||
        results_.mistakes.size() >= mostMistakes)
      return;
    bool isCertain = in_.isCertain(error) && !mayIntervene_ && isMistakeOfProgram(in_, error);
    if (!isCertain && !(isMistakeForAnyValues(error) && error.place()->module == module_)) return;
    error.run = Run::Test;
    results_.mistakes.push_back(std::move(error));
  }
  // Whether the code is wrong whatever happened before: a name that is not defined, a wrong member
  // of a tensor, a misspelt name of torch, a wrong keyword of the file's own functions. Those of
  // other libraries' objects are not: another version may be meant.
  bool isMistakeForAnyValues(const PythonError& error) const {
    ErrorKind kind = error.cause.kind;
    return isMistakeForAnyArguments(error) || kind == ErrorKind::TensorMember ||
           kind == ErrorKind::TensorKeyword ||
           (kind == ErrorKind::MissingMember && error.cause.owner.starts_with("torch")) ||
           (kind == ErrorKind::ParameterKeyword && isOwnFunction(error));
  }
  bool isOwnFunction(const PythonError& error) const {
    return llvm::any_of(in_.definitions(), [&](const FunctionObject* function) {
      return function->module == module_ && function->qualname == error.cause.owner;
    });
  }

  // Whether something may keep a test from running, or change what it runs, that is not evaluated:
  // a decorator, a base class or a fixture that was not found, a hook of pytest.
  bool mayIntervene(const FunctionObject& function, const ClassObject* cls,
                    const Fixtures& fixtures) {
    if (isOpen(&function) || fixtures.lacksAny()) return true;
    for (Value base : cls ? cls->mro : Values()) {
      auto* ancestor = base.as<ClassObject>();
      if (!ancestor || (isOpen(ancestor) && ancestor->qualname != unittestCase)) return true;
    }
    if (!hasHooks_) {
      hasHooks_ = hasHook(*module_);
      forEachConftest(in_, module_->path, [&](const ModuleObject& conftest) {
        hasHooks_ = *hasHooks_ || hasHook(conftest);
        return true;
      });
    }
    return *hasHooks_;
  }
  bool hasHook(const ModuleObject& module) {
    static constexpr llvm::StringLiteral hooks[] = {
        "collect_ignore",        "collect_ignore_glob", "pytest_collection_modifyitems",
        "pytest_ignore_collect", "pytest_pyfunc_call",  "pytest_runtest_call",
        "pytest_runtest_setup",  "pytest_plugins"};
    return llvm::any_of(
        hooks, [&](llvm::StringRef hook) { return module.globals->contains(in_.name(hook)); });
  }

  static constexpr size_t mostMistakes = 200;

  Interpreter& in_;
  const ModuleObject* module_;
  TestBudget budget_;
  TestResults results_;
  bool mayIntervene_ = false;    // in the test that runs
  std::optional<bool> hasHooks_; // of pytest, which choose tests
};

} // namespace

void importConftests(Interpreter& in, llvm::StringRef path) {
  llvm::StringRef file = llvm::sys::path::filename(path);
  if (!file.starts_with("test_") && !file.ends_with("_test.py")) return;
  constexpr uint64_t importDivisor = 4; // as for an import
  runLimited(in, {.stepsPerTest = in.stepsLeft() / importDivisor},
             [&] { forEachConftest(in, path, [](const ModuleObject&) { return true; }); });
}

TestResults runTests(Interpreter& in, const ModuleObject* module, const TestBudget& budget) {
  return TestRunner(in, module, budget).run();
}

} // namespace gluond::evaluate
