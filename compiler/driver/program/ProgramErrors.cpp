#include "driver/program/ProgramErrors.h"

#include "diagnostics/Reporter.h"
#include "driver/hostfixes/Advice.h"
#include "driver/hostfixes/GridProblem.h"
#include "driver/hostfixes/HostFixes.h"
#include "driver/program/EvaluatedFile.h"
#include "evaluate/interpreter/PythonError.h"
#include "releases/ApiChanges.h"
#include "syntax/PackageUses.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <array>
#include <set>
#include <tuple>

namespace gluond::driver {

using evaluate::ErrorKind;
using evaluate::Place;
using evaluate::PythonError;

namespace {

bool hasAny(llvm::ArrayRef<EvaluatedFile::Part> parts, llvm::ArrayRef<llvm::StringLiteral> signs) {
  return llvm::any_of(parts, [&](const EvaluatedFile::Part& part) {
    llvm::StringRef text = part.file->text().text();
    return llvm::any_of(signs, [&](llvm::StringRef each) { return text.contains(each); });
  });
}

// Whether the simulator of gluond's Python package may run the kernels.
bool maySimulate(llvm::ArrayRef<EvaluatedFile::Part> parts) {
  return llvm::any_of(parts, [&](const EvaluatedFile::Part& part) {
    return syntax::importsPackage(*part.tree, "gluond");
  });
}

// Whether torch may make tensors on the GPU without being asked, or the simulator runs kernels: if
// something says where all tensors are, or if it may be said where nobody looks, in a module that
// was not found or, `isElsewhere`, in a file that calls this one or for a kernel that the CPU runs.
bool mayNotNeedGpu(llvm::ArrayRef<EvaluatedFile::Part> parts, bool isElsewhere,
                   llvm::ArrayRef<evaluate::MissingImport> missing) {
  if (hasAny(parts, {"set_default_device", "set_default_tensor_type", "with torch.device"}))
    return true;
  if (hasAny(parts, {"\"cuda", "'cuda", ".cuda("})) return false;
  return isElsewhere || llvm::any_of(missing, [](const evaluate::MissingImport& each) {
           return each.kind == evaluate::MissingImport::Kind::NotFound;
         });
}

// What raises an exception; `isElsewhere` if it is shown in a function of another file.
llvm::StringRef codeOf(evaluate::Run run, bool isElsewhere) {
  switch (run) {
  case evaluate::Run::Module:
    return isElsewhere ? "running the program" : "running this module";
  case evaluate::Run::Test:
    return isElsewhere ? "running the tests" : "running this test";
  case evaluate::Run::Function:
    return "calling this function";
  }
  llvm_unreachable("no run");
}

// Whether the author says in the line of a name, `# noqa: F821`, that it is defined elsewhere: for
// example by the compiler of another language of kernels.
bool isSaidToBeDefined(text::Range name, const text::SourceText& source) {
  text::Offset begin = source.lineStart(source.lineOf(name.begin));
  llvm::StringRef rest = source.text().drop_front(begin);
  llvm::StringRef line = rest.take_until([](char c) { return c == '\n'; });
  llvm::StringRef codes = line.split("# noqa").second;
  return line.contains("# noqa") && (!codes.starts_with(":") || codes.contains("F821"));
}

// Which releases of Triton have the name that a module's code uses, if the file's release is known
// to lack it: ": it exists since Triton 3.8". No kernel of such a file can be launched.
std::string lifeElsewhere(const evaluate::PythonError& error, releases::Release release) {
  if (error.run != evaluate::Run::Module || error.cause.kind != evaluate::ErrorKind::MissingMember)
    return {};
  std::optional<releases::Life> life = releases::lifeOf(error.cause.owner, error.cause.subject);
  if (!life) life = releases::lifeOfModule(error.cause.owner + "." + error.cause.subject);
  return life && !life->holds(release) ? ": " + releases::textOf(*life) : std::string();
}

class ErrorTeller {
public:
  ErrorTeller(const EvaluatedFile& program, std::vector<diagnostics::Diagnostic>& out,
              std::vector<FailedLaunch>& failed)
      : program_(program), out_(out), failed_(failed), advice_(program.file().text().size()),
        chip_(chips::Target::parse(program.target()).value_or(chips::Target())) {}

  void tellAll() {
    for (const evaluate::Refusal& refusal : program_.evaluation().refusals())
      tell(refusal);
    for (const PythonError& error : program_.evaluation().errors())
      tell(error);
  }

private:
  // Where an exception is shown.
  struct Shown {
    const EvaluatedFile::Part* part;
    const language::ModuleObject* module;
    text::Range range;
    const Place* own; // the innermost place in the program's own file
    diagnostics::Location location() const { return {part->file->id(), range}; }
  };

  bool isOwnFile(const Place& place) const {
    return place.module && place.module->path == program_.module()->path;
  }
  const EvaluatedFile::Part* partOf(const Place& place) const {
    return place.module ? program_.part(*place.module) : nullptr;
  }
  bool isElsewhere(const Shown& shown) const { return shown.part != program_.parts().data(); }

  // Returns the innermost place in the workspace, or in the program's own file; nullopt if there is
  // none in that, or if something was reported there. `given` is a frame to take in their place.
  std::optional<Shown> newPlaceOf(const PythonError& error, bool inOwnFile,
                                  const Place* given = nullptr) {
    const Place *own = nullptr, *inner = nullptr;
    for (const Place& place : llvm::reverse(error.frames)) {
      if (!own && isOwnFile(place)) own = &place;
      if (!inner && place.module && program_.part(*place.module)) inner = &place;
    }
    if (!own) return std::nullopt;
    const Place& place = given && partOf(*given) ? *given : inOwnFile || !inner ? *own : *inner;
    Shown shown{program_.part(*place.module), place.module, place.range, own};
    if (!shown.part) return std::nullopt;
    // The program was run as a module and as a script: names are looked up in the former.
    if (!isElsewhere(shown)) shown.module = program_.module();
    bool isNew = told_.emplace(shown.location().file.id, place.range.begin, place.range.end).second;
    return isNew ? std::optional(shown) : std::nullopt;
  }

  void advise(diagnostics::InFlight made, const PythonError& error, const Shown& shown) {
    if (!advice_.take()) return;
    offerLaunchFixes(made, error, shown.range, shown.module, *shown.part->tree, chip_);
    if (isElsewhere(shown)) suggestOnly(made);
  }
  // Of fixes that nobody tries.
  static void suggestOnly(diagnostics::InFlight made) {
    if (!made.get()) return;
    for (diagnostics::Fix& fix : made.get()->fixes)
      fix.title.applicability = diagnostics::Applicability::Suggested;
  }
  // The call that leads to the place where the exception is shown.
  void addCaller(diagnostics::InFlight made, const PythonError& error, const Shown& shown) {
    const Place* caller = isElsewhere(shown) ? shown.own : nullptr;
    if (!caller && error.run == evaluate::Run::Test && isOwnFile(error.frames.front()) &&
        error.cause.kind != ErrorKind::DecoratorName)
      caller = &error.frames.front();
    if (caller && (isElsewhere(shown) || caller->range != shown.range))
      made.related(diagnostics::NoteId::CalledFrom, {program_.file().id(), caller->range});
  }

  bool mayBeSimulated() {
    if (!isSimulator_) isSimulator_ = maySimulate(program_.parts());
    return *isSimulator_;
  }
  // Whether the program may do without a GPU, so that a tensor on the CPU is no mistake.
  bool isGpuOptional(const evaluate::Refusal& refusal) {
    // The owner is what may run the kernel on the CPU. A decorator that is not Triton's does so
    // for the tensors that it gets, whatever other code of the file uses.
    llvm::StringRef runner = refusal.error.cause.owner;
    if (!runner.empty() && runner != evaluate::tritonInterpreter) return true;
    bool isElsewhere = refusal.isUncalled || !refusal.error.cause.owner.empty();
    std::optional<bool>& isOptional = isGpuOptional_[isElsewhere];
    if (!isOptional)
      isOptional = mayBeSimulated() || mayNotNeedGpu(program_.parts(), isElsewhere,
                                                     program_.evaluation().missingImports());
    return *isOptional;
  }

  void tell(const evaluate::Refusal& refusal) {
    const PythonError& error = refusal.error;
    ErrorKind kind = error.cause.kind;
    bool isOnHost = kind == ErrorKind::HostTensor;
    bool isUnusual = error.exceptionClass == "RuntimeWarning";
    // The caller has made a tensor that is on the CPU; the launch says what it lacks itself. All
    // callers share one launch that fails.
    bool isOfCaller =
        isOnHost || kind == ErrorKind::HostArray || isUnusual || kind == ErrorKind::KernelFunction;
    std::optional<Shown> shown = newPlaceOf(error, isOfCaller);
    if (!shown) return;
    if (isOnHost && isGpuOptional(refusal)) return;
    if (kind == ErrorKind::HostArray && mayBeSimulated()) return;
    diagnostics::Reporter emit(out_, shown->part->file->id());
    llvm::StringRef problem = error.message;
    problem.consume_front(refusal.kernel + "() ");
    if (kind == ErrorKind::KernelFunction)
      return reportKernelFunction(emit, refusal.kernel, shown->range, shown->module,
                                  *shown->part->tree);
    if (refusal.kernel.empty()) {
      auto told = emit(diagnostics::Id::InvalidDescriptor, shown->range, problem);
      if (isElsewhere(*shown)) addCaller(told, error, *shown);
      offerDescriptorFixes(told, problem, shown->range, shown->module, *shown->part->tree);
      if (isElsewhere(*shown)) suggestOnly(told);
      return;
    }
    const EvaluatedFile::Part* caller =
        error.frames.size() < 2 ? nullptr : partOf(error.frames[error.frames.size() - 2]);
    std::string raiser =
        raiserInLaunch(error, *shown->part->tree, caller ? caller->tree.get() : nullptr);
    auto made = isUnusual
                    ? emit(diagnostics::Id::UnusualGrid, shown->range, refusal.kernel, problem)
                : isOnHost ? emit(diagnostics::Id::HostTensor, shown->range, refusal.kernel,
                                  launchProblem(error, refusal.kernel, raiser))
                           : emit(diagnostics::Id::LaunchArgument, shown->range, refusal.kernel,
                                  "fails: " + launchProblem(error, refusal.kernel, raiser));
    if (isElsewhere(*shown)) addCaller(made, error, *shown);
    advise(made, error, *shown);
  }

  // A module that takes too long is told at its own statement, once for all files that import it;
  // a call that does is told where the program's own file makes it.
  void tellStop(const PythonError& error) {
    const Place* inModule = nullptr;
    for (const Place& place : llvm::reverse(error.frames)) {
      if (!place.function.empty() || !place.module || isOwnFile(place)) continue;
      inModule = &place;
      break;
    }
    std::optional<Shown> shown = newPlaceOf(error, /*inOwnFile=*/true, inModule);
    if (!shown) return;
    diagnostics::Reporter emit(out_, shown->part->file->id());
    auto stopped = emit(diagnostics::Id::BudgetExhausted, shown->range, error.message);
    const Place* last = error.place();
    const EvaluatedFile::Part* of = last->module ? program_.part(*last->module) : nullptr;
    if (of && last->range != shown->range)
      stopped.related(diagnostics::NoteId::EndedHere, {of->file->id(), last->range});
    addCaller(stopped, error, *shown);
  }

  void tell(const PythonError& error) {
    if (error.exhausted) return tellStop(error);
    std::optional<Shown> shown = newPlaceOf(error, /*inOwnFile=*/false);
    if (!shown) return;
    diagnostics::Reporter emit(out_, shown->part->file->id());
    // The program raises one whose class is unknown, such as unittest.SkipTest, or skips the tests.
    if (error.exceptionClass == "?" || error.exceptionClass == "Skipped") return;
    if (error.cause.kind == ErrorKind::MissingName &&
        isSaidToBeDefined(shown->range, shown->part->file->text()))
      return;
    std::string life = lifeElsewhere(error, program_.evaluation().release());
    bool isInFunction = isElsewhere(*shown) && !error.place()->function.empty();
    auto made = emit(diagnostics::Id::ModuleException, shown->range,
                     codeOf(error.run, isInFunction), error.exceptionClass, error.message + life);
    if (!life.empty()) made.severity(diagnostics::Severity::Error);
    addCaller(made, error, *shown);
    advise(made, error, *shown);
    addFailedLaunches(error, shown->location());
  }

  // The kernels that the functions on the way to the exception launch, as their text says.
  void addFailedLaunches(const PythonError& error, diagnostics::Location at) {
    for (const Place& place : error.frames) {
      const EvaluatedFile::Part* part = place.module ? program_.part(*place.module) : nullptr;
      if (!part || !calls_.emplace(place.module, place.range.begin).second) continue;
      const syntax::Node* code = nullptr; // the function around the place, else the statement
      for (const syntax::Node* node : syntax::pathTo(part->tree->body(), place.range.begin))
        if (!code || llvm::isa<syntax::FunctionDef>(node)) code = node;
      if (!code || !failedCode_.insert(code).second) continue;
      syntax::walk(code, [&](const syntax::Node* node) {
        auto* call = llvm::dyn_cast<syntax::Call>(node);
        auto* launcher = call ? llvm::dyn_cast<syntax::Subscript>(call->func) : nullptr;
        if (!launcher) return true;
        const language::FunctionObject* kernel = launchedFunction(launcher->value, place.module);
        if (kernel && kernel->module && failedKernels_.insert(kernel).second)
          failed_.push_back(
              {kernel->module->path.str(), kernel->qualname.str(), error.exceptionClass, at});
        return true;
      });
    }
  }

  const EvaluatedFile& program_;
  std::vector<diagnostics::Diagnostic>& out_;
  std::vector<FailedLaunch>& failed_;
  Advice advice_;
  chips::Target chip_;
  std::set<std::tuple<uint32_t, text::Offset, text::Offset>> told_; // files and ranges
  // What addFailedLaunches() has seen: exceptions, calls and launches may be thousands each.
  std::set<std::pair<const language::ModuleObject*, text::Offset>> calls_;
  llvm::DenseSet<const syntax::Node*> failedCode_;
  llvm::DenseSet<const language::FunctionObject*> failedKernels_;
  std::array<std::optional<bool>, 2> isGpuOptional_; // for what is all here, and others
  std::optional<bool> isSimulator_;
};

} // namespace

void tellProgramErrors(const EvaluatedFile& program, std::vector<diagnostics::Diagnostic>& out,
                       std::vector<FailedLaunch>& failed) {
  ErrorTeller(program, out, failed).tellAll();
}

} // namespace gluond::driver
