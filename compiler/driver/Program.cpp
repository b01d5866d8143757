#include "driver/Program.h"

#include "diagnostics/Emitter.h"
#include "driver/DirectiveReader.h"
#include "driver/Imports.h"
#include "driver/ProgramCache.h"
#include "driver/WorkspaceState.h"
#include "evaluate/Interpreter.h"
#include "evaluate/Launches.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/Path.h>

#include <chrono>

namespace gluond::driver {

namespace {

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_).count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

std::shared_ptr<ProgramCache::Slot> ProgramCache::slot(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                                                       const std::string& key) {
  std::lock_guard lock(mutex_);
  auto it = llvm::find_if(slots_, [&](const auto& entry) { return entry.first == key; });
  if (it != slots_.end()) {
    slots_.splice(slots_.end(), slots_, it);
    auto program = it->second->program.peek();
    if (it->second->file == file && (!program || program->isCurrent(snapshot))) return it->second;
  } else {
    if (slots_.size() >= most) slots_.pop_front();
    slots_.emplace_back(key, nullptr);
    it = std::prev(slots_.end());
  }
  it->second = std::make_shared<Slot>();
  it->second->file = file;
  return it->second;
}

std::shared_ptr<const Program> Program::of(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                                           llvm::StringRef target, llvm::StringRef name, CancellationToken token) {
  std::string moduleName = name.empty() ? llvm::sys::path::stem(file->path()).str() : name.str();
  std::string key = file->path() + '\n' + target.str() + '\n' + moduleName;
  auto slot = snapshot.state().programs.slot(snapshot, file, key);
  return slot->program.get(token, [&]() -> std::shared_ptr<const Program> {
    std::shared_ptr<Program> program(new Program(snapshot.names()));
    program->target_ = target.str();
    return program->evaluate(snapshot, file, moduleName, token) ? program : nullptr;
  });
}

Program::~Program() = default;

bool Program::evaluate(const Snapshot& snapshot, const std::shared_ptr<const File>& file, llvm::StringRef name,
                       CancellationToken token) {
  Stopwatch parsing;
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return false;
  parseMilliseconds_ = parsing.milliseconds();
  Stopwatch evaluating;
  parts_.push_back({file, tree, nullptr, {file->id(), &file->text(), tree->nodeCount()}});

  evaluate::InterpreterOptions options;
  options.target = target_;
  options.cancellation = token;
  options.importer = [&](llvm::StringRef importingPath, llvm::StringRef module,
                         unsigned level) -> std::optional<evaluate::ModuleSource> {
    auto found = findImport(snapshot, importingPath, module, level);
    imports_.push_back({importingPath.str(), module.str(), level, found});
    if (!found) return std::nullopt;
    auto importedTree = found->tree(snapshot.names(), token);
    if (!importedTree) return std::nullopt;
    if (llvm::none_of(parts_, [&](const Part& part) { return part.file == found; }))
      parts_.push_back({found, importedTree, nullptr, {found->id(), &found->text(), importedTree->nodeCount()}});
    return evaluate::ModuleSource{importedTree->body(), found->path(),
                                  module.empty() ? llvm::sys::path::stem(found->path()).str() : module.str(), importedTree};
  };
  constexpr size_t mostPerKernel = 64;
  evaluate::LaunchRecorder recorder(snapshot.names(), launches_, mostPerKernel);
  options.launches = &recorder;
  evaluate::Interpreter interpreter(heap_, snapshot.names(), types_, options);
  parts_.front().module = interpreter.runModule({tree->body(), file->path(), name.str(), tree}, name);
  for (const auto& entry : interpreter.workspaceModules())
    for (Part& part : parts_)
      if (part.file->path() == entry.getKey()) part.module = entry.getValue();
  for (auto [i, part] : llvm::enumerate(parts_))
    if (part.module) partOf_[part.module] = i;
  takeKernels();
  DirectiveReader directives(interpreter, *tree, module(), snippets_, diagnostics_);
  for (const language::FunctionObject* kernel : kernels_) {
    for (auto& [launch, place] : directives.read(*kernel)) directed_.push_back({std::move(launch), place});
    defaults_.push_back(evaluate::defaultLaunch(interpreter, const_cast<language::FunctionObject*>(kernel)));
    interpreter.dropError();
  }
  takeErrors(interpreter);
  evaluateMilliseconds_ = evaluating.milliseconds();
  return !token.isCancelled();
}

void Program::takeKernels() {
  if (!module() || !module()->globals) return;
  for (const auto& [name, value] : module()->globals->entries) {
    const language::FunctionObject* function = evaluate::kernelOf(value);
    if (function && function->function == language::FunctionKind::Jit && function->def && function->module == module() &&
        !llvm::is_contained(kernels_, function))
      kernels_.push_back(function);
  }
}

// Exceptions that nothing catches, at the innermost place in this file.
void Program::takeErrors(const evaluate::Interpreter& interpreter) {
  diagnostics::Emitter emit(diagnostics_, file().id());
  for (const evaluate::PythonError& error : interpreter.moduleErrors()) {
    const evaluate::Place* here = nullptr;
    for (const evaluate::Place& place : error.frames)
      if (place.module == module()) here = &place;
    if (!here) continue;
    if (error.exhausted)
      emit(diagnostics::Id::BudgetExhausted, here->range, error.message);
    else
      emit(diagnostics::Id::ModuleException, here->range, error.exceptionClass, error.message);
  }
}

bool Program::isCurrent(const Snapshot& snapshot) const {
  return llvm::all_of(imports_, [&](const Import& import) {
    return findImport(snapshot, import.importingPath, import.module, import.level) == import.found;
  });
}

const Program::Part* Program::part(const language::ModuleObject& module) const {
  auto it = partOf_.find(&module);
  return it == partOf_.end() ? nullptr : &parts_[it->second];
}

const Program::Part* Program::part(llvm::StringRef path) const {
  for (const Part& part : parts_)
    if (part.file->path() == path) return &part;
  return nullptr;
}

const codegen::SourceFile* Program::find(const language::ModuleObject& module) const {
  const Part* found = part(module);
  return found ? &found->source : nullptr;
}

} // namespace gluond::driver
