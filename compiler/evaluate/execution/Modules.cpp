// The body of a module: one statement after another, whatever happened before; what an imported one
// may cost its importer.
#include "evaluate/execution/ImportFacts.h"
#include "evaluate/interpreter/NativeTables.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::evaluate {

// Whether exceptions of this class follow from what objects contain, and not from the text alone.
static bool dependsOnData(llvm::StringRef exceptionClass) {
  return !llvm::is_contained({"NameError", "UnboundLocalError", "ImportError",
                              "ModuleNotFoundError", "AttributeError", "TypeError", "SyntaxError"},
                             exceptionClass);
}

// Whether another command line may keep the program from raising it.
static bool dependsOnArguments(const PythonError& error) {
  return error.isDeliberate || llvm::StringRef(error.message).contains("None");
}

bool Interpreter::isCertainButForGuesses(const PythonError& error) const {
  return !isUncertain() && !error.mayBeCaught &&
         !(hasAssumedDefaults_ && dependsOnArguments(error)) &&
         !(tables_->hasEscaped && dependsOnData(error.exceptionClass));
}

const ModuleObject* Interpreter::runModule(const ModuleSource& source, llvm::StringRef moduleName) {
  auto* module = heap().make<ModuleObject>();
  module->name = heap().copy(moduleName);
  module->path = heap().copy(source.path);
  Scope* globals = newScope();
  module->globals = globals;
  globals->set(known_.name, string(moduleName));
  globals->set(known_.file, string(source.path));
  globals->set(known_.doc, Value::none());
  loaded_[source.path] = module;
  if (source.owner) owners_.push_back(source.owner);
  Frame frame;
  frame.caller = frame_;
  frame.module = module;
  frame.locals = globals;
  frame.captured = true;
  frame_ = &frame;
  // Anew: the interpreter may have been entered before from another stack.
  if (!frame.caller) stackBase_ = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  ++depth_;
  // The module reports its own imports, but where it lacks a package, so does its importer.
  unsigned guards = importGuards_;
  if (!options_.lacksPackages) importGuards_ = 0;
  tables_->importersGuards += guards;
  std::optional<PythonError> lack;
  bool isImported = frame.caller != nullptr, isOver = false;
  unsigned failedImports = 0;
  size_t raised = 0;
  // One import may not use up the steps of the others: it has a part of those that are left. What
  // it imports has a part of its own.
  constexpr uint64_t importDivisor = 4;
  uint64_t importersShare = share_, importersSteps = stepsLeft();
  if (isImported) {
    uint64_t all = importersSteps + withheld_;
    share_ = all / importDivisor;
    refill(share_);
    withheld_ = all - share_;
  }
  // A loop of an imported module (a table of thousands of words, say) has a smaller one: what it
  // makes until then is of no use, and each file that imports the module pays for it.
  constexpr uint64_t loopDivisor = 16;
  auto run = [&](const syntax::Stmt* stmt) {
    if (!isImported || !llvm::isa<syntax::For, syntax::While>(stmt)) return exec(stmt);
    uint64_t left = stepsLeft(), ofModule = share_;
    share_ = std::min(left, (left + withheld_) / loopDivisor);
    uint64_t kept = left - share_;
    withheld_ += kept;
    refill(share_);
    Flow flow = exec(stmt);
    kept = std::min(kept, withheld_);
    withheld_ -= kept;
    refill(stepsLeft() + kept);
    share_ = ofModule;
    return flow;
  };
  auto facts = importFactsOf(source, names_);
  for (const std::string& copy : facts->copiesOfTriton)
    tables_->copiesOfTriton.insert(copy);
  llvm::append_range(tables_->meant, facts->wrongLanguage);
  setConstants(module);
  for (auto* stmt : source.body) {
    if (isOver) { // values of code that did not run are not known
      forget(stmt);
      continue;
    }
    if (options_.cancellation.isCancelled()) break;
    if (deep()) {
      note(takeError());
      isOver = true;
      forget(stmt);
      continue;
    }
    size_t errorsBefore = moduleErrors_.size();
    Flow flow = run(stmt);
    // The program ends at an import that raises; what the module would have changed is not known.
    auto raises = [](const PythonError& error) { return !error.exhausted; };
    if (llvm::isa<syntax::Import, syntax::ImportFrom>(stmt) &&
        llvm::any_of(llvm::drop_begin(moduleErrors_, errorsBefore), raises))
      ++uncertain_, ++failedImports;
    setConstants(module);
    if (flow != Flow::Raise && !failed()) continue;
    bool exhausted = isExhausted(), isMemory = exhausted && pending_->isMemory;
    bool exits = !exhausted && raisedExit();
    PythonError error = takeError();
    bool isImportError = !exhausted && llvm::is_contained({"ImportError", "ModuleNotFoundError"},
                                                          error.exceptionClass);
    if (isImported && isImportError && options_.lacksPackages && guards) {
      lack = std::move(error);
      break;
    }
    // What a definition or an assignment at the top names is needed whatever was assumed before.
    bool isNeeded = error.cause.kind == ErrorKind::MissingMember && error.frames.size() == 1 &&
                    llvm::isa<syntax::ClassDef, syntax::FunctionDef, syntax::Assign>(stmt);
    bool isCertain = (!hasAssumed_ || isNeeded) && !exits && isCertainButForGuesses(error);
    // Each of a million statements may raise; a report has a thousand findings of a file
    // (diagnostics::Reporter), and some errors are no findings.
    constexpr size_t mostErrors = 3000;
    if (exhausted || (isCertain && ++raised <= mostErrors)) note(std::move(error));
    if (exits) break; // sys.exit() at module level
    forget(stmt);
    if (!exhausted) continue;
    isOver = isStopped() || (isImported && (isMemory || stepsLeft() == 0));
    // An endless statement must not use up the steps of later ones. The rest of an imported file
    // waits: the importing file comes first.
    if (!isOver && stepsLeft() == 0) {
      uint64_t steps = std::min(reservedSteps_, options_.budget.steps / 8);
      isOver = steps == 0;
      reservedSteps_ -= steps;
      refill(steps);
    }
    if (!isOver && isMemory) {
      size_t bytes = std::min(reservedBytes_, options_.budget.memoryBytes / 16);
      isOver = bytes == 0;
      reservedBytes_ -= bytes;
      memoryLimit_ = std::max(memoryLimit_, bytesHeld()) + bytes;
    }
  }
  uncertain_ -= failedImports;
  if (isImported) {
    uint64_t all = stepsLeft() + withheld_;
    share_ = importersShare;
    refill(std::min(importersSteps, all));
    withheld_ = all - stepsLeft();
  }
  importGuards_ = guards;
  tables_->importersGuards -= guards;
  --depth_;
  frame_ = frame.caller;
  if (!lack) return module;
  lacking_[source.path] = lack->message;
  raise(lack->exceptionClass, lack->message);
  return nullptr;
}

} // namespace gluond::evaluate
