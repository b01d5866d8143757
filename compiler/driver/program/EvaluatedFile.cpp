#include "driver/program/EvaluatedFile.h"

#include "diagnostics/Reporter.h"
#include "driver/hostfixes/Advice.h"
#include "driver/hostfixes/HostFixes.h"
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
#include "evaluate/interpreter/PythonError.h"
#include "evaluate/interpreter/WrongLanguageImport.h"
#include "evaluate/launches/Launches.h"
#include "evaluate/triton/TargetQueries.h"
#include "releases/ApiChanges.h"
#include "syntax/Correspondence.h"
#include "syntax/PackageUses.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
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
  request.source = {tree->body(), file->path(), name.str(), tree};
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
  request.importer = [&](llvm::StringRef importingPath, llvm::StringRef module,
                         unsigned level) -> std::optional<evaluate::ModuleSource> {
    auto found = findImport(snapshot, importingPath, module, level);
    imports_.push_back({importingPath.str(), module.str(), level, found});
    if (!found || snapshot.quarantined(*found)) return std::nullopt;
    auto importedTree = found->tree(snapshot.names(), token);
    if (!importedTree) return std::nullopt;
    add(found, importedTree);
    return evaluate::ModuleSource{
        importedTree->body(), found->path(),
        module.empty() ? llvm::sys::path::stem(found->path()).str() : module.str(), importedTree};
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
  takeErrors();
  auto errors = llvm::drop_begin(diagnostics_, before);
  if (llvm::any_of(errors, mayDepend) && isTargetGuessed(snapshot, file()) &&
      mayAskForTarget(parts_)) {
    EvaluatedFile anywhere(snapshot.names());
    if (!anywhere.evaluate(snapshot, parts_.front().file, "", module()->name, token)) return false;
    anywhere.takeErrors();
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

static bool hasAny(llvm::ArrayRef<EvaluatedFile::Part> parts,
                   llvm::ArrayRef<llvm::StringLiteral> signs) {
  return llvm::any_of(parts, [&](const EvaluatedFile::Part& part) {
    llvm::StringRef text = part.file->text().text();
    return llvm::any_of(signs, [&](llvm::StringRef each) { return text.contains(each); });
  });
}

// Whether the simulator of gluond's Python package may run the kernels.
static bool maySimulate(llvm::ArrayRef<EvaluatedFile::Part> parts) {
  return llvm::any_of(parts, [&](const EvaluatedFile::Part& part) {
    return syntax::importsPackage(*part.tree, "gluond");
  });
}

// Whether torch may make tensors on the GPU without being asked, or the simulator runs kernels: if
// something says where all tensors are, or if it may be said where nobody looks, in a module that
// was not found or, `isElsewhere`, in a file that calls this one or for a kernel that the CPU runs.
static bool mayNotNeedGpu(llvm::ArrayRef<EvaluatedFile::Part> parts, bool isElsewhere,
                          llvm::ArrayRef<evaluate::MissingImport> missing) {
  if (hasAny(parts, {"set_default_device", "set_default_tensor_type", "with torch.device"}))
    return true;
  if (hasAny(parts, {"\"cuda", "'cuda", ".cuda("})) return false;
  return isElsewhere || llvm::any_of(missing, [](const evaluate::MissingImport& each) {
           return each.kind == evaluate::MissingImport::Kind::NotFound;
         });
}

static llvm::StringLiteral codeOf(evaluate::Run run) {
  switch (run) {
  case evaluate::Run::Module:
    return "running this module";
  case evaluate::Run::Test:
    return "running this test";
  case evaluate::Run::Function:
    return "calling this function";
  }
  llvm_unreachable("no run");
}

// Whether the author says in the line of a name, `# noqa: F821`, that it is defined elsewhere: for
// example by the compiler of another language of kernels.
static bool isSaidToBeDefined(text::Range name, const text::SourceText& source) {
  text::Offset begin = source.lineStart(source.lineOf(name.begin));
  llvm::StringRef rest = source.text().drop_front(begin);
  llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
  llvm::StringRef codes = line.split("# noqa").second;
  return line.contains("# noqa") && (!codes.starts_with(":") || codes.contains("F821"));
}

// Which releases of Triton have the name that a module's code uses, if the file's release is known
// to lack it: ": it exists since Triton 3.8". No kernel of such a file can be launched.
static std::string lifeElsewhere(const evaluate::PythonError& error, releases::Release release) {
  if (error.run != evaluate::Run::Module || error.cause.kind != evaluate::ErrorKind::MissingMember)
    return {};
  std::optional<releases::Life> life = releases::lifeOf(error.cause.owner, error.cause.subject);
  if (!life) life = releases::lifeOfModule(error.cause.owner + "." + error.cause.subject);
  return life && !life->holds(release) ? ": " + releases::textOf(*life) : std::string();
}

// Shows a launch that fails where it is written, which may be in a function of another file: all
// callers share one mistake.
static void moveToLaunch(diagnostics::Diagnostic& told, const evaluate::PythonError& error,
                         const EvaluatedFile& program) {
  for (const evaluate::Place& place : llvm::reverse(error.frames)) {
    const EvaluatedFile::Part* written = place.module ? program.part(*place.module) : nullptr;
    if (!written) continue;
    if (written->file->id() == told.location.file) return;
    told.related.insert(told.related.begin(),
                        {told.location, diagnostics::note(diagnostics::NoteId::CalledFrom)});
    told.location = {written->file->id(), place.range};
    told.fixes.clear(); // they are of the caller's file
    return;
  }
}

namespace {

// The places of a file's syntax errors.
class SyntaxErrorPlaces {
public:
  explicit SyntaxErrorPlaces(const syntax::SyntaxTree& tree) {
    for (const diagnostics::Diagnostic& each : tree.errors())
      if (each.severity == diagnostics::Severity::Error) places_.push_back(each.location.range);
    llvm::sort(places_, [](text::Range a, text::Range b) { return a.begin < b.begin; });
    for (size_t i = places_.size(); i-- > 1;)
      places_[i - 1].end = std::min(places_[i - 1].end, places_[i].end);
  }

  // Whether one of them is within a range.
  bool areIn(text::Range range) const {
    const auto* first = llvm::lower_bound(
        places_, range.begin, [](text::Range a, text::Offset begin) { return a.begin < begin; });
    return first != places_.end() && first->end <= range.end;
  }

private:
  // By their beginnings. The end is the first end of this one and all that begin later.
  llvm::SmallVector<text::Range, 4> places_;
};

} // namespace

// Reports errors of Triton's library and other uncaught exceptions at the innermost place in this
// file. An exception during import also occurs when the file is run.
void EvaluatedFile::takeErrors() {
  using evaluate::ErrorKind;
  diagnostics::Reporter emit(diagnostics_, file().id());
  llvm::DenseSet<std::pair<text::Offset, text::Offset>> told;
  SyntaxErrorPlaces broken(tree()); // what a syntax error is part of fails as a consequence
  auto newPlaceOf = [&](const evaluate::PythonError& error) -> const text::Range* {
    for (const evaluate::Place& place : llvm::reverse(error.frames)) {
      if (place.module != module() && place.module != evaluation_->mainModule()) continue;
      bool isNew = told.insert({place.range.begin, place.range.end}).second;
      return isNew && !broken.areIn(place.range) ? &place.range : nullptr;
    }
    return nullptr;
  };
  Advice advice(file().text().size());
  chips::Target chip = chips::Target::parse(target()).value_or(chips::Target());
  auto advise = [&](diagnostics::InFlight made, const evaluate::PythonError& error,
                    text::Range here) {
    if (advice.take()) offerLaunchFixes(made, error, here, module(), tree(), chip);
  };
  std::array<std::optional<bool>, 2> isGpuOptional; // for what is all here, and others
  std::optional<bool> isSimulator;
  auto mayBeSimulated = [&] {
    if (!isSimulator) isSimulator = maySimulate(parts_);
    return *isSimulator;
  };
  for (const evaluate::Refusal& refusal : evaluation_->refusals()) {
    const text::Range* here = newPlaceOf(refusal.error);
    llvm::StringRef problem = refusal.error.message;
    if (!here) continue;
    problem.consume_front(refusal.kernel + "() ");
    ErrorKind kind = refusal.error.cause.kind;
    bool isOnHost = kind == ErrorKind::HostTensor;
    if (isOnHost) {
      // The owner is what may run the kernel on the CPU. A decorator that is not Triton's does so
      // for the tensors that it gets, whatever other code of the file uses.
      llvm::StringRef runner = refusal.error.cause.owner;
      if (!runner.empty() && runner != evaluate::tritonInterpreter) continue;
      bool isElsewhere = refusal.isUncalled || !refusal.error.cause.owner.empty();
      std::optional<bool>& isOptional = isGpuOptional[isElsewhere];
      if (!isOptional)
        isOptional =
            mayBeSimulated() || mayNotNeedGpu(parts_, isElsewhere, evaluation_->missingImports());
      if (*isOptional) continue;
    }
    if (kind == ErrorKind::HostArray && mayBeSimulated()) continue;
    size_t before = diagnostics_.size();
    if (kind == ErrorKind::KernelFunction)
      reportKernelFunction(emit, refusal.kernel, *here, module(), tree());
    else if (refusal.kernel.empty())
      offerDescriptorFixes(emit(diagnostics::Id::InvalidDescriptor, *here, problem), problem, *here,
                           module(), tree());
    else {
      bool isLaunched = refusal.error.exceptionClass == "RuntimeWarning";
      advise(isLaunched ? emit(diagnostics::Id::UnusualGrid, *here, refusal.kernel, problem)
             : isOnHost ? emit(diagnostics::Id::HostTensor, *here, refusal.kernel,
                               launchProblem(refusal.error, refusal.kernel))
                        : emit(diagnostics::Id::LaunchArgument, *here, refusal.kernel,
                               "fails: " + launchProblem(refusal.error, refusal.kernel)),
             refusal.error, *here);
    }
    // The caller has made a tensor that is on the CPU; the launch says what it lacks itself.
    bool isOfCaller = isOnHost || kind == ErrorKind::HostArray;
    for (diagnostics::Diagnostic& each : llvm::drop_begin(diagnostics_, before))
      if (each.id == diagnostics::Id::LaunchArgument && !isOfCaller)
        moveToLaunch(each, refusal.error, *this);
  }
  for (const evaluate::PythonError& error : evaluation_->errors()) {
    const text::Range* here = newPlaceOf(error);
    if (!here) continue;
    // The program raises one whose class is unknown, such as unittest.SkipTest, or skips the tests.
    if (!error.exhausted && (error.exceptionClass == "?" || error.exceptionClass == "Skipped"))
      continue;
    if (error.cause.kind == ErrorKind::MissingName && isSaidToBeDefined(*here, file().text()))
      continue;
    if (error.exhausted) {
      auto stopped = emit(diagnostics::Id::BudgetExhausted, *here, error.message);
      const evaluate::Place* last = error.place();
      if (const Part* of = last->module ? part(*last->module) : nullptr; of && last->range != *here)
        stopped.related(diagnostics::NoteId::EndedHere, {of->file->id(), last->range});
    } else {
      std::string life = lifeElsewhere(error, evaluation_->release());
      auto made = emit(diagnostics::Id::ModuleException, *here, codeOf(error.run),
                       error.exceptionClass, error.message + life);
      if (!life.empty()) made.severity(diagnostics::Severity::Error);
      advise(made, error, *here);
    }
  }
}

bool EvaluatedFile::isCurrent(const Snapshot& snapshot) const {
  return llvm::all_of(imports_, [&](const Import& import) {
    return findImport(snapshot, import.importingPath, import.module, import.level) == import.found;
  });
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
