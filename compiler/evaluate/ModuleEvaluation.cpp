#include "evaluate/ModuleEvaluation.h"

#include "evaluate/Pytest.h"
#include "evaluate/Uncalled.h"
#include "evaluate/launches/AssumedTypes.h"
#include "evaluate/launches/Launches.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

namespace gluond::evaluate {

ModuleEvaluation::~ModuleEvaluation() = default;

namespace {

// Whether the file compares __name__ with "__main__" at module level.
class MainFinder {
public:
  explicit MainFinder(const Interner& names) : names_(names) {}

  bool in(syntax::Stmts body) {
    return llvm::any_of(body, [&](const syntax::Stmt* stmt) {
      auto* branch = llvm::dyn_cast<syntax::If>(stmt);
      return branch && (isMain(branch->test) || in(branch->body) || in(branch->orelse));
    });
  }

private:
  bool isMain(const syntax::Expr* expr) {
    if (auto* compare = llvm::dyn_cast<syntax::Compare>(expr)) {
      auto isName = [&](const syntax::Expr* side) {
        auto* name = llvm::dyn_cast<syntax::NameExpr>(side);
        return name && names_.text(name->name) == "__name__";
      };
      return isName(compare->left) || llvm::any_of(compare->comparators, isName);
    }
    if (auto* all = llvm::dyn_cast<syntax::BoolOp>(expr))
      return llvm::any_of(all->values, [&](auto* value) { return isMain(value); });
    if (auto* negation = llvm::dyn_cast<syntax::UnaryOp>(expr)) return isMain(negation->operand);
    return false;
  }

  const Interner& names_;
};

// Returns the last definition of each def of the module, in order of first definition.
std::vector<const FunctionObject*> functionsOf(llvm::ArrayRef<const FunctionObject*> definitions,
                                               const ModuleObject* module) {
  std::vector<const FunctionObject*> result;
  llvm::DenseMap<const syntax::FunctionDef*, size_t> index;
  for (auto* function : definitions) {
    if (function->module != module) continue;
    auto [it, isNew] = index.try_emplace(function->def, result.size());
    if (isNew)
      result.push_back(function);
    else
      result[it->second] = function;
  }
  return result;
}

} // namespace

ModuleEvaluation::Ptr ModuleEvaluation::evaluate(Interner& names, EvaluationRequest request) {
  std::shared_ptr<ModuleEvaluation> evaluation(new ModuleEvaluation(names));
  evaluation->run(names, request);
  return evaluation;
}

namespace {

// The global names that a program may bind before one of its functions is called: by a `global`
// statement of another function, or where it only runs as a script.
class BoundLater {
public:
  explicit BoundLater(syntax::Stmts body) {
    for (const syntax::Stmt* stmt : body)
      visit(stmt, false);
  }
  bool mayHave(const PythonError& error, const Interner& names) const {
    return error.cause.kind == ErrorKind::MissingName &&
           llvm::any_of(bound_, [&](Name name) { return names.text(name) == error.cause.subject; });
  }

private:
  void visit(const syntax::Node* node, bool isInside) {
    isInside |= llvm::isa<syntax::FunctionDef, syntax::ClassDef, syntax::Lambda>(node);
    if (auto* global = llvm::dyn_cast<syntax::Global>(node))
      for (const auto& each : global->names)
        bound_.insert(each.name);
    if (auto* assigned = llvm::dyn_cast<syntax::Assign>(node); assigned && !isInside)
      for (const syntax::Expr* target : assigned->targets)
        syntax::walk(target, [&](const syntax::Node* part) {
          if (auto* name = llvm::dyn_cast<syntax::NameExpr>(part)) bound_.insert(name->name);
          return true;
        });
    syntax::forEachChild(node, [&](const syntax::Node* child) { visit(child, isInside); });
  }

  llvm::DenseSet<Name> bound_;
};

} // namespace

// The names that tests which do not run on the target mention, and nothing else does: their
// kernels are for other targets or releases.
static llvm::DenseSet<Name> onlyMentionedIn(const llvm::DenseSet<const syntax::Node*>& skipped,
                                            syntax::Stmts body) {
  llvm::DenseSet<Name> inside, outside;
  auto visit = [&](auto&& self, const syntax::Node* node, bool isSkipped) -> void {
    if (auto* name = llvm::dyn_cast<syntax::NameExpr>(node))
      (isSkipped ? inside : outside).insert(name->name);
    isSkipped |= skipped.contains(node);
    syntax::forEachChild(node, [&](const syntax::Node* child) { self(self, child, isSkipped); });
  };
  if (!skipped.empty())
    for (const syntax::Stmt* stmt : body)
      visit(visit, stmt, false);
  for (Name name : outside)
    inside.erase(name);
  return inside;
}

void ModuleEvaluation::noteImports(Interpreter& from, const EvaluationRequest& request) {
  llvm::StringSet<> noted;
  for (const std::string& path : imports_)
    noted.insert(path);
  for (llvm::StringRef path : from.workspaceModules().keys())
    if (path != request.source.path && noted.insert(path).second) imports_.push_back(path.str());
}

void ModuleEvaluation::takeTrees(Interpreter& from) {
  from.addEntered(entered_);
  from.releaseOwners(owners_);
  stepsSpent_ += from.stepsSpent();
}

void ModuleEvaluation::runWithoutPackages(Interner& names, const EvaluationRequest& request,
                                          InterpreterOptions options) {
  options.lacksPackages = true;
  llvm::SmallVector<std::string, 2> runs = {request.source.name};
  if (mainModule_) runs.push_back("__main__");
  for (const std::string& name : runs) {
    Interpreter interpreter(heap_, names, types_, options);
    interpreter.setMayBeSkipped(true); // nothing that it does is certain
    if (name != "__main__") importConftests(interpreter, request.source.path);
    const ModuleObject* module = interpreter.runModule(request.source, name);
    modulesWithoutPackages_.push_back(module);
    if (name != "__main__") runTests(interpreter, module, {});
    noteImports(interpreter, request);
    takeTrees(interpreter);
  }
}

// Whether the program's order of imports begins with the file: it is a script, or a file of tests.
static bool isFirst(const Interner& names, const ModuleSource& source) {
  llvm::StringRef file = llvm::sys::path::filename(source.path);
  return file.starts_with("test_") || file.ends_with("_test.py") ||
         MainFinder(names).in(source.body);
}

void ModuleEvaluation::findCircularImport(Interner& names, const EvaluationRequest& request,
                                          InterpreterOptions options) {
  options.launches = nullptr;
  options.importsPackages = true;
  Interpreter interpreter(heap_, names, types_, options);
  // The packages around the file, the outermost last: Python runs them before it.
  constexpr size_t mostPackages = 16;
  llvm::SmallVector<llvm::StringRef, 4> packages;
  llvm::StringRef folder = llvm::sys::path::parent_path(request.source.path);
  while (packages.size() < mostPackages && !folder.empty() &&
         request.importer((folder + "/.py").str(), "__init__", 1)) {
    packages.push_back(folder);
    folder = llvm::sys::path::parent_path(folder);
  }
  std::string dotted;
  for (llvm::StringRef package : llvm::reverse(packages)) {
    (dotted += dotted.empty() ? "" : ".") += llvm::sys::path::filename(package);
    interpreter.importFile((package + "/__init__.py").str(), dotted);
    interpreter.dropError();
  }
  if (packages.empty() && isFirst(names, request.source))
    interpreter.runModule(request.source, request.source.name);
  noteImports(interpreter, request);
  if (auto error = interpreter.takeCircularImport()) errors_.push_back(std::move(*error));
  takeTrees(interpreter);
}

void ModuleEvaluation::run(Interner& names, EvaluationRequest& request) {
  target_ = request.target;
  release_ = request.release;
  LaunchRecorder recorder(launches_, request.mostLaunchesPerKernel);
  InterpreterOptions options;
  options.target = request.target;
  options.release = request.release;
  options.environment = request.environment;
  options.budget = request.budget;
  options.importer = request.importer;
  options.launches = request.findLaunches ? &recorder : nullptr;
  options.cancellation = request.cancellation;
  llvm::DenseMap<std::pair<text::Offset, text::Offset>, size_t> missingAt;
  auto noteMissingImports = [&](const Interpreter& from, const ModuleObject* importer) {
    for (const MissingImport& missing : from.missingImports()) {
      if (missing.importer != importer) continue;
      auto [known, isNew] =
          missingAt.try_emplace({missing.range.begin, missing.range.end}, missingImports_.size());
      if (isNew)
        missingImports_.push_back(missing);
      else if (missing.isCertain)
        missingImports_[known->second] = missing;
    }
  };
  Interpreter interpreter(heap_, names, types_, options);
  if (request.findLaunches) importConftests(interpreter, request.source.path);
  module_ = interpreter.runModule(request.source, request.source.name);
  for (const PythonError& error : interpreter.moduleErrors())
    if (!error.frames.empty() && error.frames.front().module == module_) errors_.push_back(error);
  TestResults tests;
  if (request.findLaunches) tests = runTests(interpreter, module_, {});
  functions_ = functionsOf(interpreter.definitions(), module_);
  noteImports(interpreter, request);
  if (request.findLaunches && MainFinder(names).in(request.source.body)) {
    Interpreter script(heap_, names, types_, options);
    mainModule_ = script.runModule(request.source, "__main__");
    mainFunctions_ = functionsOf(script.definitions(), mainModule_);
    noteMissingImports(script, mainModule_);
    llvm::append_range(refusals_, script.refusals());
    takeTrees(script);
    for (const PythonError& error : script.moduleErrors())
      if (error.isEndless)
        tests.endless.push_back(error);
      else if (!error.exhausted && !error.frames.empty() &&
               error.frames.front().module == mainModule_)
        errors_.push_back(error);
  }
  if (interpreter.hasCircularImports() && request.importer)
    findCircularImport(names, request, options);
  if (request.findLaunches && interpreter.hasOptionalPackages())
    runWithoutPackages(names, request, options);
  for (PythonError& error : tests.endless) {
    const Place* place = error.place();
    bool isKnown = !place || llvm::any_of(errors_, [&](const PythonError& other) {
      return other.isEndless && other.place()->range == place->range;
    });
    if (!isKnown) errors_.push_back(std::move(error));
  }
  llvm::append_range(refusals_, interpreter.refusals());
  std::vector<const FunctionObject*> launching;
  if (request.findLaunches) {
    interpreter.addEntered(entered_);
    recorder.onlyKernelsWithoutLaunches();
    launching = runUncalled(interpreter, module_, tests.skipped, entered_, tests.mistakes);
  }
  BoundLater boundLater(request.source.body);
  for (PythonError& error : tests.mistakes)
    if (!boundLater.mayHave(error, names)) errors_.push_back(std::move(error));
  noteMissingImports(interpreter, module_);
  recorder.recordNothing();
  llvm::append_range(refusals_,
                     refusalsIn(interpreter, launching, tests.skipped, request.source.body));
  llvm::DenseSet<const syntax::FunctionDef*> launched;
  for (const Launch& launch : launches_)
    launched.insert(launch.kernel->def);
  llvm::DenseSet<Name> forOthers = onlyMentionedIn(tests.skipped, request.source.body);
  for (auto* function : functions_)
    if (function->function == FunctionKind::Jit && function->def)
      if (!launched.contains(function->def) && !forOthers.contains(function->def->name.name))
        defaultLaunches_.push_back(defaultLaunch(interpreter, function));
  for (auto* launches : {&launches_, &defaultLaunches_})
    assumeTypes(*launches, names, types_);
  takeTrees(interpreter);
  cancelled_ = request.cancellation.isCancelled();
}

namespace {

// Launches and errors keep values and places of the evaluation.
void fix(Rebinder& rebinder, LaunchArgument& argument) {
  rebinder.fix(argument.constant);
  rebinder.fix(argument.host);
  rebinder.fix(argument.tupleClass);
  for (LaunchArgument& element : argument.elements)
    fix(rebinder, element);
}
void fix(Rebinder& rebinder, Launch& launch) {
  rebinder.fix(launch.kernel);
  for (LaunchOption& option : launch.options)
    rebinder.fix(option.value);
  for (LaunchArgument& argument : launch.arguments)
    fix(rebinder, argument);
  for (Place& place : launch.places)
    rebinder.fix(place);
}
void fix(Rebinder& rebinder, PythonError& error) {
  rebinder.fix(error.exception);
  for (Place& place : error.frames)
    rebinder.fix(place);
}

} // namespace

ModuleEvaluation::Ptr ModuleEvaluation::rebound(Interner& names, const Ptr& base,
                                                Correspondences& edited,
                                                std::vector<std::shared_ptr<const void>> owners) {
  assert(!base->base_);
  std::shared_ptr<ModuleEvaluation> result(new ModuleEvaluation(names));
  result->base_ = base;
  result->target_ = base->target_;
  result->release_ = base->release_;
  result->owners_ = std::move(owners);
  result->module_ = base->module_;
  result->mainModule_ = base->mainModule_;
  result->modulesWithoutPackages_ = base->modulesWithoutPackages_;
  result->functions_ = base->functions_;
  result->mainFunctions_ = base->mainFunctions_;
  result->launches_ = base->launches_;
  result->defaultLaunches_ = base->defaultLaunches_;
  result->errors_ = base->errors_;
  result->refusals_ = base->refusals_;
  result->missingImports_ = base->missingImports_;
  result->imports_ = base->imports_;

  Rebinder rebinder(result->heap_, edited);
  rebinder.fix(result->module_);
  rebinder.fix(result->mainModule_);
  for (const ModuleObject*& module : result->modulesWithoutPackages_)
    rebinder.fix(module);
  for (auto* functions : {&result->functions_, &result->mainFunctions_})
    for (const FunctionObject*& function : *functions)
      rebinder.fix(function);
  for (auto* launches : {&result->launches_, &result->defaultLaunches_})
    for (Launch& launch : *launches)
      fix(rebinder, launch);
  for (PythonError& error : result->errors_)
    fix(rebinder, error);
  for (Refusal& refusal : result->refusals_)
    fix(rebinder, refusal.error);
  for (MissingImport& missing : result->missingImports_) {
    rebinder.fix(missing.range, *missing.importer);
    rebinder.fix(missing.importer);
    if (missing.from) rebinder.fix(missing.from);
  }
  if (!rebinder.finish()) return nullptr;
  for (auto* launches : {&result->launches_, &result->defaultLaunches_})
    assumeTypes(*launches, names, result->types_);
  return result;
}

const FunctionObject* ModuleEvaluation::findFunction(llvm::StringRef qualname, bool inMain) const {
  for (auto* function : inMain ? mainFunctions_ : functions_)
    if (function->qualname == qualname) return function;
  return nullptr;
}

} // namespace gluond::evaluate
