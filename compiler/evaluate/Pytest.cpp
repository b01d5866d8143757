#include "evaluate/Pytest.h"

#include "evaluate/MonkeyPatch.h"
#include "evaluate/interpreter/HostObjects.h"
#include "evaluate/triton/LibraryModules.h"

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

// A parameter's possible values: a column is a list of bindings for one or more names.
struct Column {
  llvm::SmallVector<Name> names;
  llvm::SmallVector<llvm::SmallVector<Value, 2>> rows;
  llvm::SmallVector<Name> indirect; // names whose values are given to the fixtures of these names
  bool binds(Name name) const {
    return llvm::is_contained(names, name) && !llvm::is_contained(indirect, name);
  }
};

// One test may not use up the steps of all.
void runLimited(Interpreter& in, const TestBudget& budget, llvm::function_ref<void()> run) {
  uint64_t before = in.stepsLeft(), given = std::min(before, budget.stepsPerTest);
  in.refill(given);
  run();
  in.refill(before - (given - in.stepsLeft()));
}

const FunctionObject* fixtureFunction(Interpreter& in, Value value) {
  auto* function = value.as<FunctionObject>();
  return function && function->def && function->attributes &&
                 !function->attributes->get(in.name("_gluond_fixture")).isAbsent()
             ? function
             : nullptr;
}

// Visits the conftest.py next to a test and those in its parent folders, until one returns false.
void forEachConftest(Interpreter& in, const ModuleObject& test,
                     llvm::function_ref<bool(const ModuleObject&)> visit) {
  constexpr unsigned mostFolders = 6;
  llvm::StringRef folder = llvm::sys::path::parent_path(test.path);
  for (unsigned i = 0; i < mostFolders && !folder.empty() && folder != "/"; ++i) {
    Value conftest = in.importFile((folder + "/conftest.py").str(), "conftest");
    if (in.failed()) in.dropError();
    if (auto* module = conftest.as<ModuleObject>(); module && module->globals && !visit(*module))
      return;
    folder = llvm::sys::path::parent_path(folder);
  }
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

// The fixtures of one test: which there are, and their values for each choice of parameters.
class Fixtures {
public:
  // `columns` are the parameters of the test's marks; those of fixtures are added to them.
  Fixtures(Interpreter& in, const ModuleObject* module, const ClassObject* cls,
           const TestBudget& budget, llvm::SmallVectorImpl<Column>& columns)
      : in_(in), module_(module), cls_(cls), budget_(budget), columns_(columns) {
    for (auto [name, value] : module->globals->snapshot())
      addAutomatic(name, value);
    llvm::DenseSet<Name> seen; // an inherited one is hidden by a member of its name
    for (Value ancestor : cls ? cls->mro : Values())
      if (auto* base = ancestor.as<ClassObject>(); base && base->members && base->def)
        for (auto [name, value] : base->members->snapshot())
          if (seen.insert(name).second) addAutomatic(name, value);
  }

  // Finds a fixture and those that it uses.
  void add(Name name) { use(name, 0); }

  // Begins a run with a row of each column, on an instance of the test's class. Returns false if
  // the test does not run, because a fixture raised an exception.
  bool begin(llvm::ArrayRef<size_t> rows, Value self) {
    rows_ = rows, self_ = self, failed_ = false;
    ofRun_.clear();
    for (Name name : automatic_)
      (void)value(name);
    return !failed_;
  }
  bool failed() const { return failed_; }
  // Takes back what the test changed by the fixture monkeypatch.
  void end() {
    if (!patches_.isAbsent()) undoPatches(in_, patches_);
    patches_ = Value::absent();
  }

  Value value(Name name) {
    for (size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].binds(name)) return chosen(i, name);
    auto it = uses_.find(name);
    if (it == uses_.end() || !it->second.function) {
      if (in_.text(name) == "monkeypatch") return patches_ = makeMonkeyPatch(in_);
      return in_.text(name) == "device" ? in_.string("cuda") : Value::unknown();
    }
    const Use& use = it->second;
    // Fixtures with the same parameters have the same value, but for those that change their class.
    std::vector<size_t> key;
    for (size_t column : use.columns)
      key.push_back(rows_[column]);
    auto& memory = use.isMethod ? ofRun_ : all_;
    auto [known, isNew] = memory.try_emplace({name.id, std::move(key)}, Value::unknown());
    if (!isNew) return known->second;
    return known->second = call(name, use);
  }

private:
  struct Use {
    const FunctionObject* function = nullptr;
    bool isMethod = false;
    std::optional<size_t> param; // the column of request.param
    std::vector<size_t> columns; // all that the value depends on
  };
  static constexpr unsigned mostDepth = 8;

  void addAutomatic(Name name, Value value) {
    const FunctionObject* function = fixtureFunction(in_, value);
    if (!function) return;
    Value automatic = function->attributes->get(in_.name("_gluond_autouse"));
    if (automatic.isAbsent() || !in_.truth(automatic).value_or(false)) return;
    automatic_.push_back(name);
    use(name, 0);
  }

  const std::vector<size_t>& use(Name name, unsigned depth) {
    auto [it, isNew] = uses_.try_emplace(name);
    if (!isNew) return it->second.columns;
    Use made;
    auto depend = [&](size_t column) {
      if (!llvm::is_contained(made.columns, column)) made.columns.push_back(column);
    };
    for (size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].binds(name)) {
        depend(i);
        return (uses_[name] = std::move(made)).columns;
      }
    if (cls_ && cls_->members) made.function = fixtureFunction(in_, in_.findInClass(cls_, name));
    made.isMethod = made.function;
    if (!made.function) made.function = fixtureFunction(in_, module_->globals->get(name));
    if (!made.function) made.function = sharedFixture(name);
    if (!made.function || depth > mostDepth) {
      made.function = nullptr;
      return (uses_[name] = std::move(made)).columns;
    }
    for (auto& parameter : parametersOf(made))
      if (in_.text(parameter.name.name) != "request")
        for (size_t column : use(parameter.name.name, depth + 1))
          depend(column);
    for (size_t i = 0; i < columns_.size() && !made.param; ++i)
      if (llvm::is_contained(columns_[i].indirect, name)) made.param = i;
    Value params = made.function->attributes->get(in_.name("_gluond_fixture"));
    if (!made.param && !params.isNone()) {
      made.param = columns_.size();
      columns_.push_back(paramsOf(name, params));
    }
    if (made.param) depend(*made.param);
    return (uses_[name] = std::move(made)).columns;
  }

  Column paramsOf(Name name, Value params) {
    Column column;
    column.names.push_back(name);
    column.indirect.push_back(name);
    llvm::SmallVector<Value> values;
    if (!in_.unpack(params, values)) {
      in_.dropError();
      values.assign(1, Value::unknown());
    }
    for (Value value : values) {
      auto* parameter = hostAs<NamespaceObject>(value, namespaceClass);
      if (parameter && parameter->name == "pytest.param") {
        auto* tuple = parameter->attributes->get(in_.name("values")).as<TupleObject>();
        value = tuple && tuple->items.size() == 1 ? tuple->items[0] : Value::unknown();
      }
      column.rows.push_back({value});
    }
    return column;
  }

  // Returns a fixture in a conftest.py next to the test or in a parent folder, or null.
  const FunctionObject* sharedFixture(Name name) {
    constexpr llvm::StringLiteral pytestsOwn[] = {"device",      "request", "tmp_path", "tmpdir",
                                                  "monkeypatch", "capsys",  "caplog"};
    if (llvm::is_contained(pytestsOwn, in_.text(name))) return nullptr;
    const FunctionObject* found = nullptr;
    forEachConftest(in_, *module_, [&](const ModuleObject& conftest) {
      found = fixtureFunction(in_, conftest.globals->get(name));
      return !found;
    });
    return found;
  }

  static llvm::ArrayRef<syntax::Parameter> parametersOf(const Use& use) {
    auto parameters = use.function->def->parameters;
    return use.isMethod ? parameters.drop_front(std::min<size_t>(1, parameters.size()))
                        : parameters;
  }

  Value chosen(size_t column, Name name) {
    const Column& from = columns_[column];
    size_t at = static_cast<size_t>(llvm::find(from.names, name) - from.names.begin());
    return from.rows[rows_[column]][at];
  }

  Value call(Name name, const Use& use) {
    llvm::SmallVector<KeywordArgument> keywords;
    for (auto& parameter : parametersOf(use)) {
      Name wanted = parameter.name.name;
      if (in_.text(wanted) == "request") {
        Value param = use.param ? chosen(*use.param, name) : Value::unknown();
        keywords.push_back({wanted, in_.namespaceOf("pytest.request", {{"param", param}})});
      } else {
        keywords.push_back({wanted, value(wanted)});
      }
    }
    if (failed_) return Value::unknown();
    Value result = Value::absent();
    runLimited(in_, budget_, [&] {
      result =
          in_.callFunction(use.function, use.isMethod ? self_ : Value::absent(), {{}, keywords});
    });
    if (result.isAbsent()) {
      failed_ = !in_.isExhausted(); // skipped, or an error of its own
      in_.dropError();
      return Value::unknown();
    }
    if (hostAs<IteratorObject>(result, iteratorClass)) { // its first member is the value
      bool uncertain = false;
      runLimited(in_, budget_, [&] { result = in_.advance(result, uncertain); });
      failed_ = in_.failed() && !in_.isExhausted() && !uncertain;
      in_.dropError();
      if (result.isAbsent()) result = Value::unknown();
    }
    return result;
  }

  Interpreter& in_;
  const ModuleObject* module_;
  const ClassObject* cls_;
  TestBudget budget_;
  llvm::SmallVectorImpl<Column>& columns_;
  llvm::DenseMap<Name, Use> uses_;
  llvm::SmallVector<Name> automatic_; // those that every test has
  llvm::ArrayRef<size_t> rows_;
  Value self_ = Value::absent();
  Value patches_ = Value::absent(); // the monkeypatch of this run
  bool failed_ = false;
  std::map<std::pair<uint32_t, std::vector<size_t>>, Value> all_, ofRun_;
};

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
  bool setUp(const ClassObject* cls, Value self) {
    for (llvm::StringRef name : {"setUpClass", "setup_class", "setUp", "setup_method"}) {
      if (in_.findInClass(cls, in_.name(name)).isAbsent()) continue;
      Value done = Value::absent();
      runLimited(in_, budget_, [&] { done = in_.callMethod(self, in_.name(name), {}); });
      bool isKnown = !in_.isExhausted();
      if (!done.isAbsent()) continue;
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

  std::optional<bool> skips(llvm::ArrayRef<Value> marks) {
    bool unknown = false;
    for (Value value : marks) {
      auto mark = asMark(value);
      if (!mark) continue;
      if (mark->name == "skip") return true;
      Value run = in_.dictGet(mark->keywords, "run");
      bool isRun = run.isAbsent() || in_.truth(run).value_or(true);
      if (mark->name != "skipif" && (mark->name != "xfail" || isRun)) continue;
      Value condition =
          mark->positional.empty() ? in_.dictGet(mark->keywords, "condition") : mark->positional[0];
      if (condition.isAbsent()) {
        if (mark->name == "xfail") return true;
        continue;
      }
      auto known = in_.truth(condition);
      if (in_.failed()) in_.dropError();
      if (!known || condition.is(ValueKind::Str))
        unknown = true;
      else if (*known)
        return true;
    }
    return unknown ? std::nullopt : std::optional(false);
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

  std::optional<Column> parametrize(const Mark& mark) {
    Column column;
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
        if (skips(own).value_or(false)) continue;
        auto* tuple = parameter->attributes->get(in_.name("values")).as<TupleObject>();
        if (!tuple || tuple->items.size() != column.names.size()) continue;
        column.rows.emplace_back(tuple->items);
        continue;
      }
      if (column.names.size() == 1) {
        column.rows.push_back({item});
        continue;
      }
      llvm::SmallVector<Value> row;
      if (!in_.unpack(item, row) || row.size() != column.names.size()) {
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
    forEachConftest(in_, *module_, [&](const ModuleObject& conftest) {
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
    llvm::SmallVector<Column> columns;
    bool expectedToFail = false;
    bool isGenerated = generateMarks(function, cls, marks);
    for (Value value : marks) {
      auto mark = asMark(value);
      if (mark && mark->name == "xfail") expectedToFail = true;
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
    uint64_t total = 1;
    for (auto& column : columns) {
      if (column.rows.empty()) return;
      total = std::min<uint64_t>(total * column.rows.size(), uint64_t(1) << 40);
    }
    uint64_t runs = std::min<uint64_t>(total, budget_.mostRunsPerTest);
    bool uncertain = !skipped || expectedToFail || !isGenerated;
    if (uncertain) in_.enterUncertain();
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
      Value self = Value::absent();
      if (cls) {
        self = in_.instantiate(cls, {});
        if (self.isAbsent()) {
          if (in_.isExhausted()) break;
          in_.dropError();
          break;
        }
        if (!setUp(cls, self)) continue;
      }
      bool isSet = fixtures.begin(rows, self);
      for (Name name : wanted)
        keywords.push_back({name, fixtures.value(name)});
      if (!isSet || fixtures.failed()) continue;
      runLimited(in_, budget_, [&] { in_.callFunction(function, self, {{}, keywords}); });
      if (in_.isExhausted()) {
        if (PythonError error = in_.takeError(); error.isEndless)
          results_.endless.push_back(std::move(error));
      }
      in_.dropError(); // an exception in a test is not the module's mistake
      fixtures.end();
      in_.dropError();
      if (in_.stepsLeft() == 0) break;
    }
    if (uncertain) in_.leaveUncertain();
  }

  Interpreter& in_;
  const ModuleObject* module_;
  TestBudget budget_;
  TestResults results_;
};

} // namespace

TestResults runTests(Interpreter& in, const ModuleObject* module, const TestBudget& budget) {
  return TestRunner(in, module, budget).run();
}

} // namespace gluond::evaluate
