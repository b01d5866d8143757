// The result of evaluating one file, before its kernels are compiled: globals, functions, launches,
// mistakes.
//
// A file is evaluated as pytest sees it (its __name__ is its stem; its test functions are called
// with every parametrization) and, if it has a main part, once more as a script (__name__ ==
// "__main__"). If it can do without packages that are found nowhere, it is evaluated again as where
// they are not installed: what it launches there may be launched.
//
//   auto evaluation = ModuleEvaluation::evaluate(names, {.source = ..., .target = "cuda:90"});
//   for (const Launch& launch : evaluation->launches()) ...
//
// It is immutable and shared; any thread may read it. All values live as long as it does. The
// interner must outlive it.
#pragma once

#include "chips/Chip.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/launches/Launch.h"
#include "language/types/TypeContext.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>

#include <memory>

namespace gluond::evaluate {

struct EvaluationRequest {
  ModuleSource source; // of the file; `name` is the file's stem
  std::string target = chips::standardTarget.str();
  releases::Release release = releases::newest;
  ProgramEnvironment environment;
  Importer importer;
  Budget budget;
  CancellationToken cancellation;
  bool findLaunches = true;
  size_t mostLaunchesPerKernel = 256;
};

class ModuleEvaluation {
public:
  using Ptr = std::shared_ptr<const ModuleEvaluation>;
  static Ptr evaluate(Interner& names, EvaluationRequest request);
  // Whether evaluating ran that function, or depends on its body in another way. The result of such
  // an evaluation depends on the text of the files except for the bodies of other functions.
  bool dependsOnBody(const syntax::FunctionDef& def) const { return entered_.contains(&def); }
  // Returns `base` transferred to edited files that differ from its own in nothing it depends on,
  // or null if the file must be evaluated again. `base` must be from evaluate() itself, and lives
  // as long as the result; `owners` are the trees that `edited` refers to.
  static Ptr rebound(Interner& names, const Ptr& base, Correspondences& edited,
                     std::vector<std::shared_ptr<const void>> owners);
  ~ModuleEvaluation();

  const std::string& target() const { return target_; }
  releases::Release release() const { return release_; } // of Triton
  // The module as imported; never null.
  const ModuleObject* module() const { return module_; }
  // The module as a script; null if it has no main part.
  const ModuleObject* mainModule() const { return mainModule_; }

  // Whether it is the module of the file, in one of its runs.
  bool isOwn(const ModuleObject* module) const {
    return module && (module == module_ || module == mainModule_ ||
                      llvm::is_contained(modulesWithoutPackages_, module));
  }

  // Functions of this file that were defined while it ran, in order: @gluon.jit,
  // @constexpr_function, plain ones. Nested ones are included if the enclosing function was called;
  // the last definition wins. `inMain` selects the run as a script.
  llvm::ArrayRef<const FunctionObject*> functions() const { return functions_; }
  llvm::ArrayRef<const FunctionObject*> mainFunctions() const { return mainFunctions_; }
  // Returns the jit function with that qualname, or null if it was not defined during evaluation.
  const FunctionObject* findFunction(llvm::StringRef qualname, bool inMain = false) const;

  // Distinct specializations, in the order in which the host code launches them.
  llvm::ArrayRef<Launch> launches() const { return launches_; }
  // Launches with typed defaults, for every jit function of this file that is not launched here
  // (including helpers that kernels call).
  llvm::ArrayRef<Launch> defaultLaunches() const { return defaultLaunches_; }

  // Exceptions that module-level code is certain to raise (except explicit raise statements), and
  // exhausted budgets (PythonError::exhausted).
  llvm::ArrayRef<PythonError> errors() const { return errors_; }
  // What Triton's library is certain to refuse when this file is imported, tested or run.
  llvm::ArrayRef<Refusal> refusals() const { return refusals_; }
  // `from gl import name`, where gl is a module of Gluon that has no such name.
  llvm::ArrayRef<MissingImport> missingImports() const { return missingImports_; }
  // Absolute paths of the workspace files that were imported: the evaluation depends on their text.
  llvm::ArrayRef<std::string> imports() const { return imports_; }
  bool wasCancelled() const { return cancelled_; }
  size_t bytes() const { return heap_.bytes() + (base_ ? base_->bytes() : 0); }
  // The sum over all budgets: the import, the tests, the run as a script, uncalled functions.
  uint64_t stepsSpent() const { return stepsSpent_; }

private:
  explicit ModuleEvaluation(Interner& names) : types_(names) {}
  void run(Interner& names, EvaluationRequest& request);
  // Once more, as where the packages are not installed that are found nowhere: programs choose by
  // what is installed (from a registry of kernels, say), and what they choose is unknown otherwise.
  void runWithoutPackages(Interner& names, const EvaluationRequest& request,
                          InterpreterOptions options);
  // Modules import each other in a circle: once more in Python's order, for what that refuses.
  void findCircularImport(Interner& names, const EvaluationRequest& request,
                          InterpreterOptions options);
  void noteImports(Interpreter& from, const EvaluationRequest& request);
  void takeTrees(Interpreter& from);

  Ptr base_; // of a rebound evaluation
  Heap heap_;
  language::TypeContext types_;
  std::string target_;
  releases::Release release_ = releases::newest;
  llvm::DenseSet<const syntax::Node*> entered_;     // functions whose bodies ran
  std::vector<std::shared_ptr<const void>> owners_; // syntax trees
  const ModuleObject* module_ = nullptr;
  const ModuleObject* mainModule_ = nullptr;
  std::vector<const ModuleObject*> modulesWithoutPackages_;
  std::vector<const FunctionObject*> functions_, mainFunctions_;
  std::vector<Launch> launches_, defaultLaunches_;
  std::vector<PythonError> errors_;
  std::vector<Refusal> refusals_;
  std::vector<MissingImport> missingImports_;
  std::vector<std::string> imports_;
  bool cancelled_ = false;
  uint64_t stepsSpent_ = 0;
};

} // namespace gluond::evaluate
