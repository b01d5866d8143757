// Everything that is known of one file before its kernels are compiled: globals, functions,
// launches, mistakes.
//
// A file is evaluated as pytest sees it (its __name__ is its stem; its test functions are called
// with every parametrization) and, where it has a main part, once more as a script (__name__ ==
// "__main__").
//
//   auto evaluation = ModuleEvaluation::evaluate(names, {.source = ..., .target = "cuda:90",
//   .importer = ...}); for (const Launch& launch : evaluation->launches()) ...
//
// Immutable and shared; any thread may read it. All values live as long as it does. The interner
// must outlive it.
#pragma once

#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/Rebinding.h"
#include "evaluate/launches/Launch.h"
#include "language/types/TypeContext.h"

#include <llvm/ADT/DenseSet.h>

#include <memory>

namespace gluond::evaluate {

struct EvaluationRequest {
  ModuleSource source; // of the file; `name` is its stem
  std::string target = "cuda:90";
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
  // Whether evaluating ran that function, or might tell its body from another. What such an
  // evaluation found depends on the text of the files but for the bodies of the other functions.
  bool dependsOnBody(const syntax::FunctionDef& def) const { return entered_.contains(&def); }
  // `base` as if it had been made of edited files, which differ from its own in nothing that it
  // depends on. Null: that cannot be done, evaluate again. `base` must be from evaluate() itself,
  // and lives as long as the result; `owners` are the trees that `edited` leads to.
  static Ptr rebound(Interner& names, const Ptr& base, Correspondences& edited,
                     std::vector<std::shared_ptr<const void>> owners);
  ~ModuleEvaluation();

  const std::string& target() const { return target_; }
  // The module as imported; never null.
  const ModuleObject* module() const { return module_; }
  // The module as a script; null when it has no main part.
  const ModuleObject* mainModule() const { return mainModule_; }

  // Functions of this file that were defined while it ran, in order: @gluon.jit,
  // @constexpr_function, plain ones. Nested ones are there when the function around them was
  // called; the last definition wins. `inMain`: of the script's run.
  llvm::ArrayRef<const FunctionObject*> functions() const { return functions_; }
  llvm::ArrayRef<const FunctionObject*> mainFunctions() const { return mainFunctions_; }
  // The jit function of that qualname; null: not defined when the file was evaluated.
  const FunctionObject* findFunction(llvm::StringRef qualname, bool inMain = false) const;

  // Distinct specializations in the order in which the host code asks for them.
  llvm::ArrayRef<Launch> launches() const { return launches_; }
  // For every jit function of this file that nothing here launches (helpers that kernels call among
  // them): typed defaults.
  llvm::ArrayRef<Launch> defaultLaunches() const { return defaultLaunches_; }

  // Exceptions that module-level code raises for certain (explicit raise statements are not among
  // them), and budgets that ran out (PythonError::exhausted).
  llvm::ArrayRef<PythonError> errors() const { return errors_; }
  // What Triton's library refuses for certain when this file is imported, tested or run.
  llvm::ArrayRef<Refusal> refusals() const { return refusals_; }
  // `from gl import name`, where gl is Gluon's and has no such name.
  llvm::ArrayRef<Interpreter::MissingImport> missingImports() const { return missingImports_; }
  // Whether a module-level name was annotated as constexpr, or is one.
  bool isConstexprGlobal(const ModuleObject* module, Name name) const;
  // Absolute paths of the workspace files that were imported: the evaluation depends on their text.
  llvm::ArrayRef<std::string> imports() const { return imports_; }
  bool wasCancelled() const { return cancelled_; }
  size_t bytes() const { return heap_.bytes() + (base_ ? base_->bytes() : 0); }
  // Of all budgets together: the import, the tests, the script's run, functions nobody calls.
  uint64_t stepsSpent() const { return stepsSpent_; }

private:
  explicit ModuleEvaluation(Interner& names) : types_(names) {}
  void run(Interner& names, EvaluationRequest& request);

  Ptr base_; // of a rebound one
  Heap heap_;
  language::TypeContext types_;
  std::string target_;
  llvm::DenseSet<const syntax::Node*> entered_;     // functions whose bodies ran
  std::vector<std::shared_ptr<const void>> owners_; // syntax trees
  ModuleObject* module_ = nullptr;
  ModuleObject* mainModule_ = nullptr;
  std::vector<const FunctionObject*> functions_, mainFunctions_;
  std::vector<Launch> launches_, defaultLaunches_;
  std::vector<PythonError> errors_;
  std::vector<Refusal> refusals_;
  std::vector<Interpreter::MissingImport> missingImports_;
  std::vector<std::pair<const ModuleObject*, Name>> constexprGlobals_;
  std::vector<std::string> imports_;
  bool cancelled_ = false;
  uint64_t stepsSpent_ = 0;
};

} // namespace gluond::evaluate
