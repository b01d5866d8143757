#include "evaluate/PytestFixtures.h"

#include "evaluate/MonkeyPatch.h"
#include "evaluate/interpreter/HostObjects.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/Support/Path.h>

namespace gluond::evaluate {

void runLimited(Interpreter& in, const TestBudget& budget, llvm::function_ref<void()> run) {
  uint64_t before = in.stepsLeft(), given = std::min(before, budget.stepsPerTest);
  in.refill(given);
  size_t memory = in.limitMemory(budget.bytesPerTest);
  run();
  in.setMemoryLimit(memory);
  in.refill(before - (given - in.stepsLeft()));
}

const FunctionObject* fixtureFunction(Interpreter& in, Value value) {
  auto* function = value.as<FunctionObject>();
  return function && function->def && function->attributes &&
                 !function->attributes->get(in.name("_gluond_fixture")).isAbsent()
             ? function
             : nullptr;
}

void forEachConftest(Interpreter& in, llvm::StringRef test,
                     llvm::function_ref<bool(const ModuleObject&)> visit) {
  constexpr unsigned mostFolders = 6;
  llvm::StringRef folder = llvm::sys::path::parent_path(test);
  for (unsigned i = 0; i < mostFolders && !folder.empty() && folder != "/"; ++i) {
    Value conftest = in.importFile((folder + "/conftest.py").str(), "conftest");
    if (in.failed()) in.dropError();
    if (auto* module = conftest.as<ModuleObject>(); module && module->globals && !visit(*module))
      return;
    folder = llvm::sys::path::parent_path(folder);
  }
}

// `device` is as in Triton's own tests.
static bool isOfPytest(llvm::StringRef name) {
  constexpr llvm::StringLiteral known[] = {"device",      "request", "tmp_path", "tmpdir",
                                           "monkeypatch", "capsys",  "caplog"};
  return llvm::is_contained(known, name);
}

Fixtures::Fixtures(Interpreter& in, const ModuleObject* module, const ClassObject* cls,
                   const TestBudget& budget, llvm::SmallVectorImpl<ParameterColumn>& columns)
    : in_(in), module_(module), cls_(cls), budget_(budget), columns_(columns) {
  for (auto [name, value] : module->globals->snapshot())
    addAutomatic(name, value);
  llvm::DenseSet<Name> seen; // an inherited one is hidden by a member of its name
  for (Value ancestor : cls ? cls->mro : Values())
    if (auto* base = ancestor.as<ClassObject>(); base && base->members && base->def)
      for (auto [name, value] : base->members->snapshot())
        if (seen.insert(name).second) addAutomatic(name, value);
}

bool Fixtures::mayUse(Name name) const {
  if (uses_.contains(name)) return true;
  bool isTaken = false; // by one that every test of a folder has
  forEachConftest(in_, module_->path, [&](const ModuleObject& conftest) {
    for (auto [bound, value] : conftest.globals->snapshot())
      if (const FunctionObject* function = fixtureFunction(in_, value)) {
        Value automatic = function->attributes->get(in_.name("_gluond_autouse"));
        isTaken |= !automatic.isAbsent() && in_.truth(automatic).value_or(true) &&
                   !function->def->parameters.empty();
      }
    return !isTaken;
  });
  return isTaken;
}

bool Fixtures::lacksAny() const {
  return llvm::any_of(uses_, [&](const auto& entry) {
    const Use& use = entry.second;
    return !use.function && use.columns.empty() && !isOfPytest(in_.text(entry.first));
  });
}

bool Fixtures::begin(llvm::ArrayRef<size_t> rows, Value self) {
  rows_ = rows, self_ = self, failed_ = false;
  ofRun_.clear();
  for (Name name : automatic_)
    (void)value(name);
  return !failed_;
}

void Fixtures::end() {
  if (!patches_.isAbsent()) undoPatches(in_, patches_);
  patches_ = Value::absent();
}

Value Fixtures::value(Name name) {
  for (size_t i = 0; i < columns_.size(); ++i)
    if (columns_[i].binds(name)) return chosen(i, name);
  auto it = uses_.find(name);
  if (it == uses_.end() || !it->second.function) {
    if (in_.text(name) == "monkeypatch") return patches_ = makeMonkeyPatch(in_);
    return in_.text(name) == "device" ? in_.string("cuda") : Value::unknown();
  }
  const Use& use = it->second;
  // Fixtures with the same parameters have the same value, except for those that change their
  // class.
  std::vector<size_t> key;
  for (size_t column : use.columns)
    key.push_back(rows_[column]);
  auto& memory = use.isMethod ? ofRun_ : all_;
  auto [known, isNew] = memory.try_emplace({name.id, std::move(key)}, Value::unknown());
  if (!isNew) return known->second;
  return known->second = call(name, use);
}

void Fixtures::addAutomatic(Name name, Value value) {
  const FunctionObject* function = fixtureFunction(in_, value);
  if (!function) return;
  Value automatic = function->attributes->get(in_.name("_gluond_autouse"));
  if (automatic.isAbsent() || !in_.truth(automatic).value_or(false)) return;
  automatic_.push_back(name);
  use(name, 0);
}

const std::vector<size_t>& Fixtures::use(Name name, unsigned depth) {
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

ParameterColumn Fixtures::paramsOf(Name name, Value params) {
  ParameterColumn column;
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

const FunctionObject* Fixtures::sharedFixture(Name name) {
  if (isOfPytest(in_.text(name))) return nullptr;
  const FunctionObject* found = nullptr;
  forEachConftest(in_, module_->path, [&](const ModuleObject& conftest) {
    found = fixtureFunction(in_, conftest.globals->get(name));
    return !found;
  });
  return found;
}

llvm::ArrayRef<syntax::Parameter> Fixtures::parametersOf(const Use& use) {
  auto parameters = use.function->def->parameters;
  return use.isMethod ? parameters.drop_front(std::min<size_t>(1, parameters.size())) : parameters;
}

Value Fixtures::chosen(size_t column, Name name) {
  const ParameterColumn& from = columns_[column];
  size_t at = static_cast<size_t>(llvm::find(from.names, name) - from.names.begin());
  return from.rows[rows_[column]][at];
}

// Skipped, or an error of its own.
void Fixtures::takeError(bool uncertain) {
  failed_ = in_.failed() && !in_.isExhausted() && !uncertain;
  bool exits = in_.failed() && in_.raisedExit();
  if (failed_ && !exits) mistake_ = in_.takeError();
  in_.dropError();
}

Value Fixtures::call(Name name, const Use& use) {
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
    result = in_.callFunction(use.function, use.isMethod ? self_ : Value::absent(), {{}, keywords});
  });
  if (result.isAbsent()) {
    takeError(false);
    return Value::unknown();
  }
  if (hostAs<IteratorObject>(result, iteratorClass)) { // its first member is the value
    bool uncertain = false;
    runLimited(in_, budget_, [&] { result = in_.advance(result, uncertain); });
    takeError(uncertain);
    if (result.isAbsent()) result = Value::unknown();
  }
  return result;
}

} // namespace gluond::evaluate
