#include "driver/analysis/Check.h"

#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"
#include "driver/analysis/Analysis.h"
#include "driver/findings/BrokenText.h"
#include "driver/findings/FindingSet.h"
#include "driver/findings/MissingLaunch.h"
#include "driver/launches/Kernels.h"
#include "driver/notebooks/SyntaxErrors.h"
#include "driver/program/DecoratorProblems.h"
#include "driver/program/Directives.h"
#include "driver/program/FileWork.h"
#include "driver/program/ImportProblems.h"
#include "driver/settings/Configuration.h"
#include "driver/workspace/ProjectSettings.h"
#include "language/JitDecorator.h"
#include "syntax/PythonWarnings.h"
#include "syntax/tree/Children.h"
#include "syntax/tree/Visitor.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

#include <set>
#include <tuple>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;

namespace {

// Findings in code that Triton accepts silently: slow, racy or wasteful code.
bool isLint(diagnostics::Severity severity) {
  return severity == diagnostics::Severity::Warning || severity == diagnostics::Severity::Hint;
}

BrokenText brokenTextOf(const syntax::SyntaxTree& tree, const File& file,
                        const KernelList& kernels) {
  std::vector<BrokenText::Source> imported;
  if (!kernels.programs.empty())
    for (const EvaluatedFile::Part& part : kernels.programs.front()->parts())
      if (part.tree) imported.push_back({part.tree.get(), part.file->path()});
  return {{&tree, file.path()}, imported};
}

// ", and without values for 'BLOCK' and 'STAGES'": the constants of a kernel without a launch.
std::string withoutValues(const Kernel& kernel, const Interner& names) {
  const evaluate::Launch* launch = kernel.variants.front().launch;
  if (!launch || !launch->kernel) return "";
  std::vector<std::string> unknown;
  for (auto [argument, parameter] : llvm::zip(launch->arguments, launch->kernel->def->parameters))
    if (argument.isConstexpr && argument.constant.isUnknown())
      unknown.push_back("'" + names.text(parameter.name.name).str() + "'");
  if (unknown.empty()) return "";
  std::string last = std::move(unknown.back());
  unknown.pop_back();
  return ", and without " + std::string(unknown.empty() ? "a value" : "values") + " for " +
         llvm::join(unknown, ", ") + (unknown.empty() ? "" : " and ") + last;
}

// "ops.py:12".
std::string placeText(const diagnostics::Location& place, const Snapshot& snapshot) {
  std::string path = snapshot.path(place.file);
  auto file = snapshot.found(path);
  std::string line =
      file ? ":" + std::to_string(file->text().lineOf(place.range.begin) + 1) : std::string();
  return llvm::sys::path::filename(path).str() + line;
}

// Returns why a kernel without a mistake was not analysed to its end, or nullopt if it was, or if
// the reason is reported by a diagnostic of its own.
std::optional<std::string> gapOf(FindingSet& findings, const Kernel& kernel, const Variant& variant,
                                 const KernelResult& result, const File& file,
                                 const FailedLaunch* failed, const Snapshot& snapshot) {
  Interner& names = snapshot.names();
  if (!result.incomplete || result.isStopped) return std::nullopt;
  bool isTold = llvm::any_of(result.diagnostics, [](const Diagnostic& each) {
    return each.severity == diagnostics::Severity::Error ||
           each.severity == diagnostics::Severity::Information || each.id == Id::TooLarge;
  });
  if (isTold) return "a diagnostic says why";
  const language::FunctionObject* function =
      variant.launch ? variant.launch->kernel : variant.program->kernel(kernel.qualname);
  auto lost = function ? lostImportOf(*variant.program, names, *function) : std::nullopt;
  // Without a launch the values of its parameters are not known, which another diagnostic reports.
  if (!lost && variant.origin == Origin::Default) return std::nullopt;
  std::string reason = lost ? "'" + lost->name + "', which is imported from '" + lost->module + "',"
                            : result.incompleteBecause;
  std::vector<Diagnostic> said;
  auto told =
      diagnostics::Reporter(said, file.id())(Id::NotAnalyzed, kernel.name, kernel.qualname, reason);
  if (lost && !lost->hasModule)
    told.related(diagnostics::NoteId::ModuleNotFound, lost->place, lost->module);
  bool isForLackOfLaunch = !lost && failed && variant.launch && variant.launch->isBlind;
  if (isForLackOfLaunch) told.related(diagnostics::NoteId::EndedHere, failed->place);
  findings.add(std::move(said.front()), kernel.qualname, variant.id);
  reason += " is unknown";
  if (isForLackOfLaunch)
    reason += ": no launch could be evaluated, because " + placeText(failed->place, snapshot) +
              " raises " + failed->exception;
  return reason;
}

// Reports functions that are no kernels only because a decorator or their class is unknown. Returns
// whether there are any.
bool addLostKernels(FindingSet& findings, Coverage& coverage, const KernelList& list,
                    const EvaluatedFile& own, const Interner& names) {
  bool isAny = false;
  for (const LostKernel& lost : lostKernelsOf(own, names)) {
    if (llvm::any_of(list.kernels,
                     [&](const Kernel& kernel) { return kernel.name == lost.def->name.range; }))
      continue; // another decorator makes a kernel of it
    isAny = true;
    std::vector<Diagnostic> said;
    diagnostics::Reporter(said, own.file().id())(Id::NotAnalyzed, lost.def->name.range,
                                                 lost.qualname, lost.unknown);
    findings.add(std::move(said.front()), lost.qualname, "");
    coverage.gaps.push_back({lost.qualname, lost.unknown + " is unknown"});
  }
  return isAny;
}

// Whether an exception comes from a function that was meant to be a kernel: the fix decorates it.
bool lacksDecorator(const Diagnostic& diagnostic) {
  return llvm::any_of(diagnostic.fixes, [](const diagnostics::Fix& fix) {
    return llvm::any_of(fix.edits, [](const text::Edit& edit) {
      return edit.range.begin == edit.range.end && llvm::StringRef(edit.text).starts_with("@");
    });
  });
}

// Reports where the analysis of the file stopped, and what was therefore not checked.
void tellStop(FindingSet& findings, const KernelList& list, llvm::ArrayRef<const Kernel*> unseen,
              const File& file) {
  std::string what = "the analysis of this file took " + FileWork::spentText() + "; ";
  if (unseen.empty())
    what += "launch records for other targets were not checked";
  else
    what += std::to_string(unseen.size()) + " of its " + std::to_string(list.kernels.size()) +
            " kernels were not checked completely";
  const Kernel* first = unseen.empty() ? nullptr : unseen.front();
  std::vector<Diagnostic> said;
  diagnostics::Reporter emit(said, file.id());
  emit(Id::BudgetExhausted, first ? first->name : text::Range{0, 0}, what);
  findings.add(std::move(said.front()), first ? first->qualname : "", "");
}

// One variant to analyze.
struct Job {
  const Kernel* kernel;
  const Variant* variant;
  bool isSelected;
  std::shared_ptr<const KernelResult> result;
  bool isMeantToFail = false; // its findings are no mistakes
};

// In the order in which results are preferred: for each kernel the selected variant comes first, so
// that if several differ, its message is shown.
std::vector<Job> jobsOf(const KernelList& list) {
  std::vector<Job> jobs;
  for (const Kernel& kernel : list.kernels) {
    const Variant* selected = &kernel.variants[kernel.selected];
    jobs.push_back({&kernel, selected, true, nullptr});
    for (const Variant& variant : kernel.variants)
      if (&variant != selected) jobs.push_back({&kernel, &variant, false, nullptr});
  }
  return jobs;
}

// The program expects that the launch fails, or it is a configuration that its autotuner leaves
// out: Triton's takes a failed assertion and missing resources as a time that is infinite. If no
// configuration fits, the launch fails, and none is left out.
void noteMeantToFail(llvm::MutableArrayRef<Job> jobs) {
  auto isRefused = [](const Job& job) {
    return job.result && llvm::any_of(job.result->diagnostics, [](const Diagnostic& each) {
             return diagnostics::has(each.id, diagnostics::Trait::SkippedByTuner);
           });
  };
  auto isTried = [](const Job& job) {
    return job.variant->launch && job.variant->launch->isOneOfConfigs;
  };
  std::set<const Kernel*> haveOneThatFits;
  for (const Job& job : jobs)
    if (isTried(job) && !isRefused(job)) haveOneThatFits.insert(job.kernel);
  for (Job& job : jobs)
    job.isMeantToFail = (job.variant->launch && job.variant->launch->isExpectedToFail) ||
                        (isTried(job) && haveOneThatFits.contains(job.kernel) && isRefused(job));
}

void runJobs(std::vector<Job>& jobs, const Snapshot& snapshot, WorkerPool& workers,
             CancellationToken token, Depth depth) {
  std::vector<std::unique_ptr<Analyzer>> analyzers;
  for (size_t member = 0; member < workers.size(); ++member)
    analyzers.push_back(std::make_unique<Analyzer>(snapshot, workers.worker(member), token));
  workers.forEach(jobs.size(), [&](size_t i, size_t member) {
    Job& job = jobs[i];
    if (job.isSelected)
      job.result = analyzers[member]->analyze(
          *job.variant, depth == Depth::Quick ? Analyzer::Effort::Hasty : Analyzer::Effort::Usual);
  });
  // The results of the selected variants decide how thoroughly the others are checked,
  // independently of the order in which workers finish.
  llvm::StringSet<> ranOut;
  for (const Job& job : jobs)
    if (job.result && job.result->ranOut) ranOut.insert(job.variant->kernel);
  workers.forEach(jobs.size(), [&](size_t i, size_t member) {
    Job& job = jobs[i];
    if (job.isSelected) return;
    auto effort =
        ranOut.contains(job.variant->kernel) ? Analyzer::Effort::Brief : Analyzer::Effort::Usual;
    job.result = depth == Depth::Quick ? analyzers[member]->atHand(*job.variant)
                                       : analyzers[member]->analyze(*job.variant, effort);
  });
  noteMeantToFail(jobs);
}

// The functions of a file all of whose findings are known: kernels with a launch, and what these
// call.
class WholeFunctions {
public:
  WholeFunctions(const File& file, const syntax::SyntaxTree& tree, llvm::ArrayRef<Job> jobs,
                 const Snapshot& snapshot, Worker& worker, CancellationToken token)
      : tree_(tree) {
    Analyzer analyzer(snapshot, worker, token);
    for (const Job& job : jobs)
      for (const Anchor& anchor : analyzer.reached(*job.variant)) {
        if (anchor.file != file.id()) continue;
        bool isAll = job.result && !job.isMeantToFail && job.variant->origin != Origin::Default;
        (isAll ? whole_ : partly_).insert(anchor.range.begin);
      }
  }
  // Whether the place is in such a function, or in the module's own statements.
  bool hasAt(text::Offset at) const {
    for (const syntax::Node* node : syntax::pathTo(tree_.body(), at))
      if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node)) {
        text::Offset begin = syntax::rangeWithDecorators(*function).begin;
        return whole_.contains(begin) && !partly_.contains(begin);
      }
    return true;
  }

private:
  const syntax::SyntaxTree& tree_;
  llvm::DenseSet<text::Offset> whole_, partly_;
};

// What Triton reports at least: it stops at an assertion that fails, which may guard what follows.
llvm::ArrayRef<Diagnostic> untilAssertion(llvm::ArrayRef<Diagnostic> all) {
  auto failed =
      llvm::find_if(all, [](const Diagnostic& each) { return each.id == Id::StaticAssertFailed; });
  return failed == all.end() ? all : all.take_front(static_cast<size_t>(failed - all.begin()) + 1);
}

// Adds the place of a launch in another file, and of the calls that led to it.
Diagnostic withLaunch(Diagnostic diagnostic, const Variant& variant) {
  if (!variant.isElsewhere) return diagnostic;
  constexpr size_t most = 4;
  std::vector<diagnostics::Location> places = launchPlaces(variant);
  for (const auto& [i, place] : llvm::enumerate(llvm::ArrayRef(places).take_front(most))) {
    bool isOwn = place.file == diagnostic.location.file && place.range == diagnostic.location.range;
    if (isOwn) continue;
    diagnostic.related.push_back({place, i == 0
                                             ? diagnostics::note(diagnostics::NoteId::LaunchedHere)
                                             : diagnostics::note(diagnostics::NoteId::CalledFrom)});
  }
  return diagnostic;
}

void addNew(std::vector<std::string>& all, const std::string& each) {
  if (!llvm::is_contained(all, each)) all.push_back(each);
}

// Where an autotuner tries all launches of a kernel, and all were checked to their end.
void nameConfigurations(FindingSet& findings, const Kernel& kernel, llvm::ArrayRef<Job> jobs) {
  std::vector<FindingSet::Configuration> tried;
  for (const Job& job : jobs) {
    if (job.isMeantToFail) continue;
    const evaluate::Launch* launch = job.variant->launch;
    bool isWhole = job.result && !job.result->isStopped && !job.result->isProvisional;
    if (!isWhole || !launch || !launch->isOneOfConfigs) return;
    tried.push_back({job.variant->id, job.variant->label});
  }
  findings.nameConfigurations(kernel.qualname, tried);
}

// Findings that involve kernels of other files: errors and warnings of those that this file
// launches, and findings in its functions that show only where other files' kernels call them.
struct Around {
  const Snapshot& snapshot;
  const std::shared_ptr<const File>& file;
  WorkerPool& workers;
  CancellationToken token;
  Depth depth;
  bool withLints;

  // Returns whether everything was checked, or nullopt if cancelled.
  std::optional<bool> check(const KernelList& own, FindingSet& findings, Coverage& coverage) {
    ForOthers others; // as for their own check
    bool isComplete = true;
    size_t leftOut = 0; // files
    auto launched = launchedElsewhere(snapshot, file, token);
    if (token.isCancelled()) return std::nullopt;
    for (const Kernel& kernel : launched ? launched->kernels : std::vector<Kernel>()) {
      std::vector<Job> jobs;
      for (const Variant& variant : kernel.variants)
        if (!variant.launch->isBlind)
          jobs.push_back({&kernel, &variant, depth == Depth::Full && jobs.empty(), nullptr});
      count(kernel, jobs, coverage);
      isComplete &= run(jobs, kernel.file, findings, [&](const Diagnostic& diagnostic) {
        return diagnostic.severity == diagnostics::Severity::Error ||
               (withLints && diagnostic.severity == diagnostics::Severity::Warning);
      });
    }
    for (const auto& caller : own.callers) {
      auto list = others.isSpent() ? nullptr : kernelsOf(snapshot, caller, token, depth);
      if (token.isCancelled()) return std::nullopt;
      if (!list) {
        ++leftOut;
        continue;
      }
      isComplete &= list->isComplete;
      std::vector<Job> jobs = jobsOf(*list);
      Analyzer analyzer(snapshot, workers.worker(0), token);
      llvm::erase_if(jobs, [&](const Job& job) {
        return llvm::none_of(analyzer.reached(*job.variant),
                             [&](const Anchor& anchor) { return anchor.file == file->id(); });
      });
      if (depth == Depth::Quick)
        for (Job& job : jobs)
          job.isSelected = false;
      isComplete &= run(jobs, caller, findings, [&](const Diagnostic& diagnostic) {
        return diagnostic.location.file == file->id() &&
               (withLints || !isLint(diagnostic.severity));
      });
    }
    if (token.isCancelled()) return std::nullopt;
    if (others.isSpent()) tellStop(findings, leftOut, own.callers.size());
    return isComplete;
  }

private:
  void tellStop(FindingSet& findings, size_t leftOut, size_t callers) const {
    std::string what = "the analysis of files that use this one took " + FileWork::spentText();
    if (leftOut > 0)
      what += "; " + std::to_string(leftOut) + " of the " + std::to_string(callers) +
              " files that call its functions were not checked for mistakes in these";
    std::vector<Diagnostic> said;
    diagnostics::Reporter(said, file->id())(Id::BudgetExhausted, text::Range{0, 0}, what);
    findings.add(std::move(said.front()), "", "");
  }

  static void count(const Kernel& kernel, llvm::ArrayRef<Job> jobs, Coverage& coverage) {
    if (jobs.empty()) return;
    Coverage::Elsewhere& one = coverage.elsewhere.emplace_back();
    one.path = kernel.file->path();
    one.kernel = kernel.qualname;
    one.specializations = static_cast<unsigned>(jobs.size());
    for (const Job& job : jobs)
      addNew(one.targets, job.variant->target);
  }

  bool run(std::vector<Job>& jobs, const std::shared_ptr<const File>& payer, FindingSet& findings,
           llvm::function_ref<bool(const Diagnostic&)> isWanted) {
    FileWork work(snapshot, payer);
    runJobs(jobs, snapshot, workers, token, depth);
    bool isComplete = true;
    for (const Job& job : jobs) {
      isComplete &= job.result != nullptr;
      if (!job.result || job.result->isStopped || job.isMeantToFail) continue;
      for (const Diagnostic& diagnostic : untilAssertion(job.result->diagnostics))
        if (isWanted(diagnostic)) {
          Diagnostic told = withLaunch(diagnostic, *job.variant);
          // Fixes are tried, and offered, where the other file is checked.
          if (told.location.file != file->id()) told.fixes.clear();
          findings.add(std::move(told), job.kernel->qualname, job.variant->id);
        }
    }
    return isComplete;
  }
};

// Whether the text has a kernel, even if the program cannot make it.
bool hasJitFunction(const syntax::SyntaxTree& tree, const Interner& names) {
  bool found = false;
  for (const syntax::Stmt* stmt : tree.body())
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* function = llvm::dyn_cast<syntax::FunctionDef>(node);
      found |= function && language::isJitFunction(*function, names);
      return !found && !llvm::isa<syntax::Expr>(node);
    });
  return found;
}

bool haveKernels(llvm::ArrayRef<EvaluatedFile::Part> parts, const Interner& names) {
  return llvm::any_of(
      parts, [&](const EvaluatedFile::Part& each) { return hasJitFunction(*each.tree, names); });
}

// Whether the file launches a member of a module, `module.name[grid](...)`, and imports a file with
// kernels.
bool launchesOfModule(const EvaluatedFile& program, const Interner& names) {
  if (!haveKernels(program.parts().drop_front(), names)) return false;
  bool found = false;
  for (const syntax::Stmt* stmt : program.tree().body())
    syntax::walk(stmt, [&](const syntax::Node* node) {
      auto* call = llvm::dyn_cast<syntax::Call>(node);
      auto* launcher = call ? llvm::dyn_cast<syntax::Subscript>(call->func) : nullptr;
      auto* member = launcher ? llvm::dyn_cast<syntax::Attribute>(launcher->value) : nullptr;
      auto* owner = member ? syntax::ownerOf(member) : nullptr;
      const language::ModuleObject* module = program.module();
      if (owner && module && module->globals)
        found |= module->globals->get(owner->name).as<language::ModuleObject>() != nullptr;
      return !found;
    });
  return found;
}

} // namespace

void Coverage::add(const Coverage& more) {
  kernels += more.kernels;
  specializations += more.specializations;
  withoutLaunch += more.withoutLaunch;
  llvm::append_range(gaps, more.gaps);
  for (const std::string& target : more.targets)
    addNew(targets, target);
  for (const std::string& module : more.modulesNotFound)
    addNew(modulesNotFound, module);
  llvm::append_range(elsewhere, more.elsewhere);
}

void Coverage::addElsewhere(llvm::function_ref<bool(const std::string&)> isChecked) {
  std::set<std::pair<llvm::StringRef, llvm::StringRef>> counted;
  for (const Elsewhere& each : elsewhere) {
    if (isChecked(each.path)) continue;
    kernels += counted.emplace(each.path, each.kernel).second;
    specializations += each.specializations;
    for (const std::string& target : each.targets)
      addNew(targets, target);
  }
}

std::optional<CheckResult> check(const Snapshot& snapshot, const std::shared_ptr<const File>& file,
                                 WorkerPool& workers, CancellationToken token, Depth depth) {
  FileWork work(snapshot, file);
  FindingSet findings;
  if (isProjectFile(file->path())) {
    for (const Diagnostic& problem : projectDiagnostics(*file))
      findings.add(problem, "", "");
    return CheckResult{findings.take(snapshot), true};
  }
  auto tree = file->tree(snapshot.names(), token);
  if (!tree) return std::nullopt;
  for (Diagnostic& error : syntaxErrors(*tree, file->path()))
    findings.add(std::move(error), "", "");
  findings.endSyntaxErrors();
  if (const Quarantined* why = snapshot.quarantined(*file)) {
    std::vector<Diagnostic> said;
    diagnostics::Reporter(said,
                          file->id())(Id::BudgetExhausted, text::Range{0, 0},
                                      "the analysis of this text ended gluond: " + why->why +
                                          "; gluond does not try it again until the text "
                                          "changes. Please report this problem, with the file")
        .severity(diagnostics::Severity::Warning);
    findings.add(std::move(said.front()), "", "");
    return CheckResult{findings.take(snapshot), true};
  }
  auto kernels = kernelsOf(snapshot, file, token, depth);
  if (!kernels) return std::nullopt;
  bool concernsKernels =
      !kernels->kernels.empty() || llvm::any_of(kernels->programs, [](const auto& program) {
        return !program->evaluation().launches().empty() || !program->failedLaunches().empty();
      });
  if (!concernsKernels && !kernels->programs.empty())
    concernsKernels = hasJitFunction(*tree, snapshot.names()) ||
                      !lostKernelsOf(*kernels->programs.front(), snapshot.names()).empty() ||
                      launchesOfModule(*kernels->programs.front(), snapshot.names());
  for (const auto& program : kernels->programs)
    for (Diagnostic diagnostic : program->diagnostics()) {
      // Users do not want gluond to judge Python code that has nothing to do with a kernel.
      if (diagnostic.id == Id::ModuleException && !concernsKernels && !lacksDecorator(diagnostic) &&
          !haveKernels(program->parts(), snapshot.names()))
        diagnostic.severity = diagnostics::Severity::Information;
      findings.add(std::move(diagnostic), "", "");
    }
  if (concernsKernels && !hasSyntaxErrors(*tree, file->path())) {
    std::vector<Diagnostic> warnings;
    diagnostics::Reporter emit(warnings, file->id());
    syntax::warnAsPython(tree->body(), file->text(), emit);
    for (Diagnostic& warning : warnings)
      findings.add(std::move(warning), "", "");
  }
  for (const Diagnostic& problem : kernels->problems)
    findings.add(problem, "", "");

  std::vector<Job> jobs = jobsOf(*kernels);
  runJobs(jobs, snapshot, workers, token, depth);
  if (token.isCancelled()) return std::nullopt;

  // Default types stand for an argument that Triton refuses, which is the mistake.
  auto isRefuted = [&](const Kernel& kernel, const Variant& variant) {
    return variant.origin == Origin::Default &&
           llvm::any_of(variant.program->evaluation().refusals(), [&](const auto& refusal) {
             return refusal.kernel == kernel.qualname &&
                    refusal.error.cause.kind == evaluate::ErrorKind::NoSpecialization;
           });
  };
  bool isComplete = kernels->isComplete, withLints = snapshot.settingsOf(file->path())->lints;
  llvm::SmallVector<const Kernel*> unseen; // not to their end
  const Job* job = jobs.data();
  Coverage coverage;
  std::optional<WrittenLaunches> written;
  for (const Kernel& kernel : kernels->kernels) {
    ++coverage.kernels;
    coverage.specializations += kernel.variants.size();
    for (const Variant& variant : kernel.variants)
      addNew(coverage.targets, variant.target);
    coverage.withoutLaunch += kernel.variants.front().origin == Origin::Default;
    bool isChecked = !job->result || !job->result->isStopped;
    if (const KernelResult* selected = job->result.get()) {
      if (auto gap = gapOf(findings, kernel, *job->variant, *selected, *file,
                           kernels->failedLaunchOf(kernel), snapshot))
        coverage.gaps.push_back({kernel.qualname, std::move(*gap)});
      else if (selected->isStopped)
        coverage.gaps.push_back({kernel.qualname, selected->incompleteBecause});
      else if (selected->isUndecided && withLints)
        coverage.gaps.push_back({kernel.qualname, "the order of its copies and barriers, because a "
                                                  "branch or loop depends on a value in memory"});
    }
    for (size_t i = 0; i < kernel.variants.size(); ++i, ++job) {
      if (!job->result) {
        isComplete = false;
        continue;
      }
      if (job->result->isProvisional) isComplete = false;
      if (job->result->isStopped && (unseen.empty() || unseen.back() != &kernel))
        unseen.push_back(&kernel);
      if (job->isMeantToFail || isRefuted(kernel, *job->variant)) continue;
      for (const Diagnostic& diagnostic : untilAssertion(job->result->diagnostics)) {
        if (!withLints && isLint(diagnostic.severity)) continue;
        findings.add(withLaunch(diagnostic, *job->variant), kernel.qualname, job->variant->id);
      }
    }
    nameConfigurations(findings, kernel, {job - kernel.variants.size(), job});
    if (isChecked && kernel.variants.front().origin == Origin::Default) {
      std::vector<Diagnostic> hint;
      if (!written) written.emplace(*kernels->programs.front(), snapshot.names());
      MissingLaunch missing = written->explain(kernel);
      if (const FailedLaunch* failed = kernels->failedLaunchOf(kernel))
        missing = {"the code that launches '" + kernel.qualname + "' raises " + failed->exception,
                   failed->place};
      auto told = diagnostics::Reporter(hint, file->id())(
          Id::TypedDefaults, kernel.name, missing.reason, withoutValues(kernel, snapshot.names()));
      if (missing.launchAt) told.related(diagnostics::NoteId::LaunchedHere, *missing.launchAt);
      findings.add(std::move(hint.front()), kernel.qualname, kernel.variants.front().id);
    }
  }
  if (!kernels->programs.empty()) {
    const EvaluatedFile& own = *kernels->programs.front();
    concernsKernels |= addLostKernels(findings, coverage, *kernels, own, snapshot.names());
    concernsKernels = concernsKernels || launchesLostName(own);
    std::vector<std::string> missing = modulesNotFound(own);
    if (concernsKernels ||
        llvm::any_of(missing, [](llvm::StringRef module) { return module.contains("gluon"); }))
      coverage.modulesNotFound = std::move(missing);
  }
  Around around{snapshot, file, workers, token, depth, withLints};
  auto others = around.check(*kernels, findings, coverage);
  if (!others) return std::nullopt;
  isComplete &= *others;
  if (!unseen.empty() || kernels->isStopped) tellStop(findings, *kernels, unseen, *file);
  findings.keepUnexplained(brokenTextOf(*tree, *file, *kernels));
  // Which functions a launch reaches matters for comments only.
  bool hasComments = !gluondCommentsIn(file->text()).empty();
  bool isWhole = hasComments && isComplete && depth == Depth::Full && withLints && unseen.empty() &&
                 !kernels->isStopped && coverage.gaps.empty() && coverage.modulesNotFound.empty() &&
                 kernels->failedLaunches.empty();
  std::optional<WholeFunctions> functions;
  if (isWhole) functions.emplace(*file, *tree, jobs, snapshot, workers.worker(0), token);
  auto isWholeAt = [&](text::Offset at) { return functions && functions->hasAt(at); };
  FindingSet::Checked checked{*file, isWholeAt};
  return CheckResult{findings.take(snapshot, &checked), isComplete, std::move(coverage)};
}

} // namespace gluond::driver
