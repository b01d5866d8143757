#include "evaluate/Pytest.h"

#include "evaluate/interpreter/HostObjects.h"

#include <llvm/Support/Path.h>

namespace gluond::evaluate {

namespace {

struct Mark {
  llvm::StringRef name;
  Values positional;
  DictObject* keywords;
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

class TestRunner {
public:
  TestRunner(Interpreter& in, ModuleObject* module, const TestBudget& budget)
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
      if (auto* function = value.as<FunctionObject>();
          function && text.starts_with("test") && function->function == FunctionKind::Python)
        test(function, nullptr, marks);
      if (auto* cls = value.as<ClassObject>();
          cls && text.starts_with("Test") && cls->members && cls->module == module_) {
        auto classMarks = marks;
        addMarks(cls->members->get(in_.name("_gluond_marks")), classMarks);
        for (auto [member, method] : cls->members->snapshot())
          if (auto* function = method.as<FunctionObject>();
              function && in_.text(member).starts_with("test") &&
              function->function == FunctionKind::Python)
            test(function, cls, classMarks);
      }
    }
  }
  // A parameter's possible values: a column is a list of bindings for one or more names.
  struct Column {
    llvm::SmallVector<Name> names;
    llvm::SmallVector<llvm::SmallVector<Value, 2>> rows;
  };

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

  // One test may not use up the steps of all.
  void limited(llvm::function_ref<void()> run) {
    uint64_t before = in_.stepsLeft(), given = std::min(before, budget_.stepsPerTest);
    in_.refill(given);
    run();
    in_.refill(before - (given - in_.stepsLeft()));
  }

  FunctionObject* fixtureFunction(Value value) {
    auto* function = value.as<FunctionObject>();
    return function && function->def && function->attributes &&
                   !function->attributes->get(in_.name("_gluond_fixture")).isAbsent()
               ? function
               : nullptr;
  }

  // Returns a fixture in a conftest.py next to the test or in a parent folder, or null.
  FunctionObject* sharedFixture(Name name) {
    constexpr llvm::StringLiteral pytestsOwn[] = {"device",      "request", "tmp_path", "tmpdir",
                                                  "monkeypatch", "capsys",  "caplog"};
    if (llvm::is_contained(pytestsOwn, in_.text(name))) return nullptr;
    constexpr unsigned mostFolders = 6;
    llvm::StringRef folder = llvm::sys::path::parent_path(module_->path);
    for (unsigned i = 0; i < mostFolders && !folder.empty() && folder != "/"; ++i) {
      Value conftest = in_.importFile((folder + "/conftest.py").str(), "conftest");
      if (in_.failed()) in_.dropError();
      if (auto* module = conftest.as<ModuleObject>(); module && module->globals)
        if (auto* function = fixtureFunction(module->globals->get(name))) return function;
      folder = llvm::sys::path::parent_path(folder);
    }
    return nullptr;
  }

  // The value of a fixture by its name.
  llvm::SmallVector<Value> fixture(Name name, unsigned depth) {
    llvm::StringRef text = in_.text(name);
    auto* function = fixtureFunction(module_->globals->get(name));
    if (!function) function = sharedFixture(name);
    Value params =
        function ? function->attributes->get(in_.name("_gluond_fixture")) : Value::absent();
    if (params.isAbsent() || depth > 8)
      return {text == "device" ? in_.string("cuda") : Value::unknown()};
    llvm::SmallVector<Value> values{Value::unknown()}, results;
    if (!params.isNone()) {
      values.clear();
      if (!in_.unpack(params, values)) {
        in_.dropError();
        values.assign(1, Value::unknown());
      }
    }
    for (Value value : values) {
      if (in_.stepsLeft() == 0) break;
      llvm::SmallVector<KeywordArgument> keywords;
      for (auto& parameter : function->def->parameters) {
        if (in_.text(parameter.name.name) == "request") {
          keywords.push_back(
              {parameter.name.name, in_.namespaceOf("pytest.request", {{"param", value}})});
        } else {
          auto inner = fixture(parameter.name.name, depth + 1);
          keywords.push_back({parameter.name.name, inner.empty() ? Value::unknown() : inner[0]});
        }
      }
      Value result = Value::absent();
      limited([&] { result = in_.callFunction(function, Value::absent(), {{}, keywords}); });
      if (result.isAbsent()) {
        in_.dropError();
        result = Value::unknown();
      }
      if (hostAs<IteratorObject>(result, iteratorClass)) { // its first member is the value
        bool uncertain = false;
        limited([&] { result = in_.advance(result, uncertain); });
        in_.dropError();
        if (result.isAbsent()) result = Value::unknown();
      }
      results.push_back(result);
    }
    return results;
  }

  void test(FunctionObject* function, ClassObject* cls, llvm::ArrayRef<Value> outerMarks) {
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
    size_t first = cls ? 1 : 0;
    for (size_t i = first; i < function->def->parameters.size(); ++i) {
      auto& parameter = function->def->parameters[i];
      bool bound = llvm::any_of(columns, [&](auto& column) {
        return llvm::is_contained(column.names, parameter.name.name);
      });
      if (bound || !function->defaults[i].isAbsent() ||
          parameter.kind == syntax::ParameterKind::VarArgs ||
          parameter.kind == syntax::ParameterKind::KwArgs)
        continue;
      Column column;
      column.names.push_back(parameter.name.name);
      for (Value value : fixture(parameter.name.name, 0))
        column.rows.push_back({value});
      columns.push_back(std::move(column));
    }
    uint64_t total = 1;
    for (auto& column : columns) {
      if (column.rows.empty()) return;
      total = std::min<uint64_t>(total * column.rows.size(), uint64_t(1) << 40);
    }
    uint64_t runs = std::min<uint64_t>(total, budget_.mostRunsPerTest);
    bool uncertain = !skipped || expectedToFail;
    if (uncertain) in_.enterUncertain();
    for (uint64_t run = 0; run < runs && !in_.isStopped(); ++run) {
      if (!in_.spend(1)) break;
      uint64_t index = runs == total ? run : run * (total / runs);
      llvm::SmallVector<KeywordArgument> keywords;
      for (auto& column : columns) {
        auto& row = column.rows[index % column.rows.size()];
        index /= column.rows.size();
        for (size_t i = 0; i < column.names.size(); ++i)
          keywords.push_back({column.names[i], row[i]});
      }
      Value self = Value::absent();
      if (cls) {
        self = in_.instantiate(cls, {});
        if (self.isAbsent()) {
          if (in_.isExhausted()) break;
          in_.dropError();
          break;
        }
        if (Value setup = in_.findInClass(cls, in_.name("setup_method"));
            setup.is(ValueKind::Function)) {
          in_.callFunction(setup.as<FunctionObject>(), self, {});
          if (!in_.isExhausted()) in_.dropError();
        }
      }
      limited([&] { in_.callFunction(function, self, {{}, keywords}); });
      if (in_.isExhausted()) {
        if (PythonError error = in_.takeError(); error.isEndless)
          results_.endless.push_back(std::move(error));
      }
      in_.dropError(); // an exception in a test is not the module's mistake
      if (in_.stepsLeft() == 0) break;
    }
    if (uncertain) in_.leaveUncertain();
  }

  Interpreter& in_;
  ModuleObject* module_;
  TestBudget budget_;
  TestResults results_;
};

} // namespace

TestResults runTests(Interpreter& in, ModuleObject* module, const TestBudget& budget) {
  return TestRunner(in, module, budget).run();
}

} // namespace gluond::evaluate
