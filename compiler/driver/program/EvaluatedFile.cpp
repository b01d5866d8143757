#include "driver/program/EvaluatedFile.h"

#include "diagnostics/Reporter.h"
#include "driver/program/DecoratorProblems.h"
#include "driver/program/DirectiveReader.h"
#include "driver/program/EvaluatedFileCache.h"
#include "driver/program/FileWork.h"
#include "driver/program/Fingerprint.h"
#include "driver/program/ImportProblems.h"
#include "driver/program/UnknownDirectives.h"
#include "driver/records/RecordFiles.h"
#include "driver/workspace/Imports.h"
#include "driver/workspace/TritonRelease.h"
#include "evaluate/interpreter/Interpreter.h"
#include "evaluate/interpreter/WrongLanguageImport.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/triton/TargetQueries.h"
#include "syntax/Correspondence.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <chrono>

namespace gluond::driver {

namespace {

class Stopwatch {
public:
  double milliseconds() const {
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start_)
        .count();
  }

private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

} // namespace

std::shared_ptr<EvaluatedFileCache::Slot>
EvaluatedFileCache::slot(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                         const std::string& key) {
  std::lock_guard lock(mutex_);
  auto it = llvm::find_if(slots_, [&](const auto& entry) { return entry.first == key; });
  std::shared_ptr<const EvaluatedFile> before;
  if (it != slots_.end()) {
    slots_.splice(slots_.end(), slots_, it);
    auto program = it->second->program.peek();
    if (it->second->file == file && (!program || program->isCurrent(snapshot))) return it->second;
    before = program ? program->evaluated() : it->second->before;
    if (before && !before->isWhole()) before = nullptr;
  } else {
    if (slots_.size() >= most) slots_.pop_front();
    slots_.emplace_back(key, nullptr);
    it = std::prev(slots_.end());
  }
  it->second = std::make_shared<Slot>();
  it->second->file = file;
  it->second->before = std::move(before);
  return it->second;
}

void EvaluatedFileCache::filled(const Snapshot& snapshot, Slot& slot) {
  std::vector<std::shared_ptr<Slot>> dropped; // freed outside the lock
  std::lock_guard lock(mutex_);
  slot.before = nullptr;
  size_t bytes = 0;
  for (auto it = slots_.end(); it != slots_.begin();) {
    --it;
    auto program = it->second->program.peek();
    if (!program || it->second.get() == &slot || snapshot.isOpen(program->file().path())) continue;
    bytes += program->bytes();
    if (bytes <= mostBytes) continue;
    dropped.push_back(std::move(it->second));
    it = slots_.erase(it);
  }
}

bool EvaluatedFileCache::isOvertaken(const Snapshot& snapshot, const File& file) {
  std::lock_guard lock(mutex_);
  return llvm::any_of(slots_, [&](const auto& entry) {
    if (entry.second->file.get() != &file) return false;
    auto program = entry.second->program.peek();
    return program && !program->isCurrent(snapshot);
  });
}

void EvaluatedFileCache::drop(llvm::StringRef path) {
  std::vector<std::shared_ptr<Slot>> dropped; // freed outside the lock
  std::lock_guard lock(mutex_);
  for (auto it = slots_.begin(); it != slots_.end();) {
    bool isOfPath = it->second->file->path() == path;
    if (isOfPath) dropped.push_back(std::move(it->second));
    it = isOfPath ? slots_.erase(it) : std::next(it);
  }
}

std::string EvaluatedFileCache::keyOf(const Snapshot& snapshot, const File& file,
                                      llvm::StringRef target, llvm::StringRef name) {
  auto settings = snapshot.settingsOf(file.path());
  return file.path() + '\n' + target.str() + '\n' + name.str() + '\n' +
         std::to_string(settings->evaluationSteps) + ' ' +
         std::to_string(settings->evaluationMegabytes) + ' ' +
         std::to_string(settings->analysisSeconds) + ' ' +
         std::to_string(settings->analysisMegabytes) + '\n' +
         (settings->target.empty() ? "guessed\n" : "") +
         releases::name(tritonOf(snapshot, file.path()).release).str() + '\n' +
         llvm::join(settings->environment, "\n") + '\n' + llvm::join(settings->constants, "\n") +
         '\n' + llvm::join(settings->moduleAliases, "\n");
}

std::shared_ptr<const EvaluatedFile> EvaluatedFile::of(const Snapshot& snapshot,
                                                       const std::shared_ptr<const File>& file,
                                                       llvm::StringRef target, llvm::StringRef name,
                                                       CancellationToken token) {
  FileWork work(snapshot, file);
  std::string stem = llvm::sys::path::stem(file->path()).str();
  auto under = [&](llvm::StringRef moduleName) {
    std::string key = EvaluatedFileCache::keyOf(snapshot, *file, target, moduleName);
    EvaluatedFileCache& programs = snapshot.cache<EvaluatedFileCache>();
    auto slot = programs.slot(snapshot, file, key);
    bool isNew = false;
    auto program = slot->program.get(token, [&]() -> std::shared_ptr<const EvaluatedFile> {
      int64_t held = Spending::heldBytes();
      std::shared_ptr<EvaluatedFile> program(new EvaluatedFile(snapshot.names()));
      bool isMade = (slot->before && program->rebind(slot->before, snapshot, file, token)) ||
                    program->evaluate(snapshot, file, target, moduleName, token);
      if (!isMade || !program->finish(snapshot, token)) return nullptr;
      program->bytes_ = static_cast<size_t>(std::max<int64_t>(Spending::heldBytes() - held, 0));
      isNew = true;
      return program;
    });
    if (isNew) programs.filled(snapshot, *slot);
    return program;
  };
  if (name.empty() || name == stem) return under(stem);
  if (name != "__main__") return under(name);
  // Evaluation runs a file that has a main part as a script, too.
  auto program = under(stem);
  return !program || program->evaluation().mainModule() ? program : under(name);
}

EvaluatedFile::EvaluatedFile(Interner& names)
    : types_(names), fingerprints_(std::make_unique<Fingerprinter>(*this)) {}
EvaluatedFile::~EvaluatedFile() = default;

bool EvaluatedFile::evaluate(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                             llvm::StringRef target, llvm::StringRef name,
                             CancellationToken token) {
  Stopwatch parsing;
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return false;
  parseMilliseconds_ = parsing.milliseconds();
  Stopwatch evaluating;
  add(file, tree);

  evaluate::EvaluationRequest request;
  bool isImported = name == llvm::sys::path::stem(file->path());
  request.source = {tree->body(), file->path(),
                    isImported ? qualifiedNameOf(snapshot, file->path()) : name.str(), tree};
  if (snapshot.quarantined(*file)) {
    request.source.body = {};
    isWhole_ = false;
  }
  request.target = target.str();
  request.release = tritonOf(snapshot, file->path()).release;
  request.cancellation = token;
  auto settings = snapshot.settingsOf(file->path());
  request.environment = {settings->environment, settings->constants, settings->moduleAliases};
  request.budget.steps = settings->evaluationSteps;
  request.budget.memoryBytes = std::min<uint64_t>(settings->evaluationMegabytes, 16384) << 20;
  // Each run of the program imports the same files.
  llvm::StringMap<std::optional<evaluate::ModuleSource>> known;
  auto import = [&](llvm::StringRef importingPath, llvm::StringRef module,
                    unsigned level) -> std::optional<evaluate::ModuleSource> {
    auto found = findImport(snapshot, importingPath, module, level);
    imports_.push_back({importingPath.str(), module.str(), level, found});
    if (!found || snapshot.quarantined(*found)) return std::nullopt;
    auto importedTree = found->tree(snapshot.names(), token);
    if (!importedTree) return std::nullopt;
    add(found, importedTree);
    // Of packages without an `__init__.py`, the import alone names all.
    std::string name = qualifiedNameOf(snapshot, found->path());
    if (level == 0 && module.size() > name.size()) name = module.str();
    return evaluate::ModuleSource{importedTree->body(), found->path(), std::move(name),
                                  importedTree};
  };
  request.importer = [&](llvm::StringRef importingPath, llvm::StringRef module, unsigned level) {
    llvm::SmallString<256> key(importingPath);
    (key += '\n') += module;
    key += static_cast<char>('0' + std::min(level, 60u));
    if (auto it = known.find(key); it != known.end()) return it->second;
    auto source = import(importingPath, module, level);
    if (!token.isCancelled()) known[key] = source;
    return source;
  };
  evaluation_ = evaluate::ModuleEvaluation::evaluate(snapshot.names(), std::move(request));
  evaluateMilliseconds_ = evaluating.milliseconds();
  return !evaluation_->wasCancelled();
}

void EvaluatedFile::add(const std::shared_ptr<const File>& file,
                        const std::shared_ptr<const syntax::SyntaxTree>& tree) {
  if (partAt_.try_emplace(file->path(), parts_.size()).second)
    parts_.push_back({file, tree, {file->id(), &file->text(), tree->nodeCount(), tree->body()}});
}

// An edit in the body of a kernel does not affect module and host code.
bool EvaluatedFile::rebind(const std::shared_ptr<const EvaluatedFile>& before,
                           const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                           CancellationToken token) {
  Stopwatch parsing;
  std::vector<std::shared_ptr<const File>> files = {file};
  llvm::DenseSet<const File*> known = {file.get()};
  for (const Import& import : before->imports_) {
    auto found = findImport(snapshot, import.importingPath, import.module, import.level);
    if (!found != !import.found || (found && found->path() != import.found->path()))
      return restart();
    imports_.push_back({import.importingPath, import.module, import.level, found});
    if (found && known.insert(found.get()).second) files.push_back(found);
  }
  for (const auto& each : files) {
    auto tree = each->tree(snapshot.names(), token);
    if (!tree) return restart();
    add(each, tree);
  }
  parseMilliseconds_ = parsing.milliseconds();
  Stopwatch rebinding;
  evaluate::Correspondences edited;
  std::vector<std::shared_ptr<const void>> owners;
  const evaluate::ModuleEvaluation& evaluation = *before->evaluation_;
  for (const Part& old : before->parts_) {
    const Part* now = part(old.file->path());
    if (!now) return restart();
    if (now->tree == old.tree) continue;
    if (!evaluate::haveSameWrongLanguageImports(old.tree->body(), now->tree->body(),
                                                snapshot.names()))
      return restart();
    auto found =
        syntax::Correspondence::between(*old.tree, *now->tree, [&](const syntax::FunctionDef& def) {
          return !evaluation.dependsOnBody(def);
        });
    if (!found) return restart();
    edited.try_emplace(old.file->path(), std::move(*found));
    owners.push_back(now->tree);
  }
  evaluation_ = evaluate::ModuleEvaluation::rebound(snapshot.names(), before->evaluation_, edited,
                                                    std::move(owners));
  if (!evaluation_) return restart();
  evaluated_ = before;
  evaluateMilliseconds_ = rebinding.milliseconds();
  return true;
}

bool EvaluatedFile::restart() {
  parts_.clear();
  partAt_.clear();
  imports_.clear();
  return false;
}

// Whether the program may ask what GPU it runs on.
static bool mayAskForTarget(llvm::ArrayRef<EvaluatedFile::Part> parts) {
  static constexpr llvm::StringLiteral signs[] = {"current_target", "device_capability",
                                                  "device_properties", "capability_geq",
                                                  "torch.version"};
  return llvm::any_of(parts, [](const EvaluatedFile::Part& part) {
    llvm::StringRef text = part.file->text().text();
    return llvm::any_of(signs, [&](llvm::StringRef each) { return text.contains(each); }) ||
           llvm::any_of(evaluate::targetQueries(),
                        [&](const evaluate::NativeRow& row) { return text.contains(row.name); });
  });
}

// What is told of a program whose target is a guess must hold whatever the target is: the program
// is evaluated for none in particular, where the answers to its questions about the GPU are
// unknown.
static bool isTargetGuessed(const Snapshot& snapshot, const File& file) {
  return snapshot.settingsOf(file.path())->target.empty() &&
         recordsOf(snapshot, file).records.empty();
}

bool EvaluatedFile::finish(const Snapshot& snapshot, CancellationToken token) {
  if (token.isCancelled()) return false;
  Stopwatch finishing;
  readDirectives(snapshot.names());
  auto mayDepend = [](const diagnostics::Diagnostic& told) {
    return told.id != diagnostics::Id::BudgetExhausted;
  };
  size_t before = diagnostics_.size();
  tellProgramErrors(*this, diagnostics_, failedLaunches_);
  auto errors = llvm::drop_begin(diagnostics_, before);
  if (llvm::any_of(errors, mayDepend) && isTargetGuessed(snapshot, file()) &&
      mayAskForTarget(parts_)) {
    EvaluatedFile anywhere(snapshot.names());
    if (!anywhere.evaluate(snapshot, parts_.front().file, "", module()->name, token)) return false;
    std::vector<FailedLaunch> failed;
    tellProgramErrors(anywhere, anywhere.diagnostics_, failed);
    auto isCertain = [&](const diagnostics::Diagnostic& told) {
      return llvm::any_of(anywhere.diagnostics_, [&](const diagnostics::Diagnostic& other) {
        return other.id == told.id && other.location.range == told.location.range;
      });
    };
    auto doubtful =
        std::remove_if(errors.begin(), errors.end(), [&](const diagnostics::Diagnostic& told) {
          return mayDepend(told) && !isCertain(told);
        });
    diagnostics_.erase(doubtful, diagnostics_.end());
  }
  tellImportProblems(*this, snapshot, diagnostics_);
  tellDecoratorProblems(*this, snapshot.names(), diagnostics_);
  if (FileWork::isStopped()) {
    isWhole_ = false;
    auto isStop = [](const diagnostics::Diagnostic& each) {
      return each.id == diagnostics::Id::BudgetExhausted;
    };
    if (llvm::none_of(diagnostics_, isStop)) // it happened at no place of this file
      diagnostics::Reporter(diagnostics_,
                            file().id())(diagnostics::Id::BudgetExhausted, text::Range{0, 0},
                                         "the analysis of this file took " + FileWork::spentText());
  }
  evaluateMilliseconds_ += finishing.milliseconds();
  return true;
}

void EvaluatedFile::readDirectives(Interner& names) {
  evaluate::InterpreterOptions options;
  options.target = target();
  options.release = evaluation_->release();
  std::unique_ptr<evaluate::Interpreter> interpreter; // made for the first directive only
  llvm::SmallVector<text::Range, 4> places;
  for (const language::FunctionObject* kernel : evaluation_->functions()) {
    if (kernel->function != language::FunctionKind::Jit || !kernel->def) continue;
    std::vector<Directive> directives = directivesOf(*kernel->def, file().text());
    if (directives.empty()) continue;
    for (const Directive& each : directives)
      places.push_back(each.range);
    if (!interpreter)
      interpreter = std::make_unique<evaluate::Interpreter>(heap_, names, types_, options);
    DirectiveReader reader(*interpreter, tree(), module(), snippets_, diagnostics_);
    for (auto& [launch, place] : reader.read(*kernel))
      directed_.push_back({std::move(launch), place});
  }
  tellUnknownDirectives(tree(), places, diagnostics_);
}

bool EvaluatedFile::isCurrent(const Snapshot& snapshot) const {
  if (imports_.empty()) return true;
  uint64_t stamp = stampOfImports(snapshot);
  if (currentAt_ == stamp) return true;
  bool isSame = llvm::all_of(imports_, [&](const Import& import) {
    return findImport(snapshot, import.importingPath, import.module, import.level) == import.found;
  });
  if (isSame && stampOfImports(snapshot) == stamp) currentAt_ = stamp;
  return isSame;
}

const language::ModuleObject* EvaluatedFile::module(llvm::StringRef name) const {
  return name == "__main__" && evaluation_->mainModule() ? evaluation_->mainModule()
                                                         : evaluation_->module();
}

const language::FunctionObject* EvaluatedFile::kernel(llvm::StringRef qualname, bool inMain) const {
  const language::FunctionObject* found = evaluation_->findFunction(qualname, inMain);
  return found && found->function == language::FunctionKind::Jit && found->def ? found : nullptr;
}

const EvaluatedFile::Part* EvaluatedFile::part(llvm::StringRef path) const {
  auto it = partAt_.find(path);
  return it == partAt_.end() ? nullptr : &parts_[it->second];
}

const codegen::SourceFile* EvaluatedFile::find(const language::ModuleObject& module) const {
  const Part* found = part(module);
  return found ? &found->source : nullptr;
}

} // namespace gluond::driver
