#include "driver/analysis/Check.h"

#include "cli/input/Commands.h"
#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/output/Baseline.h"
#include "cli/output/FixWriter.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"
#include "cli/process/CrashGuard.h"
#include "cli/process/Sandbox.h"
#include "diagnostics/Reporter.h"
#include "driver/fixes/FixTrial.h"
#include "driver/fixes/Fixes.h"
#include "driver/fixes/ReleaseShim.h"
#include "driver/fixes/UnusedImports.h"
#include "driver/launches/FilesWithGluon.h"
#include "driver/launches/Kernels.h"
#include "driver/notebooks/NotebookFile.h"
#include "driver/notebooks/SyntaxErrors.h"
#include "driver/program/FileWork.h"
#include "driver/records/RecordFiles.h"
#include "driver/settings/Configuration.h"
#include "driver/workspace/ProjectSettings.h"
#include "support/MachineMemory.h"
#include "support/Parallel.h"
#include "support/Plural.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <set>
#include <unistd.h>

namespace gluond::cli {

namespace {

namespace path = llvm::sys::path;

// "a,b" and "c" are a, b and c.
std::vector<std::string> withoutCommas(const std::vector<std::string>& given) {
  std::vector<std::string> values;
  for (llvm::StringRef rest : given)
    while (!rest.empty()) {
      auto [value, after] = rest.split(',');
      if (!value.trim().empty()) values.push_back(value.trim().str());
      rest = after;
    }
  return values;
}

// Reads standard input, up to a few bytes more than `most`.
std::string readStandardInput(size_t most) {
  std::string text;
  char buffer[65536];
  while (text.size() <= most) {
    ssize_t got = ::read(0, buffer, sizeof buffer);
    if (got <= 0) break;
    text.append(buffer, static_cast<size_t>(got));
  }
  return text;
}

diagnostics::Severity severityNamed(llvm::StringRef name) {
  using diagnostics::Severity;
  for (Severity severity : {Severity::Error, Severity::Warning, Severity::Information})
    if (diagnostics::severityName(severity) == name) return severity;
  return Severity::Hint;
}

// The findings of a file that was checked, which may be in other files.
struct Checked {
  std::string path;
  std::vector<driver::Finding> findings;
  bool isNamed = true;
};

// Problems of record files are found for every program that such a file names.
class RecordProblems {
public:
  explicit RecordProblems(const std::vector<std::string>& named) : named_(named) {}
  // Keeps each problem once, and none of the record files that the user named.
  void keepNew(std::vector<driver::Finding>& findings) {
    llvm::erase_if(findings, [&](const driver::Finding& finding) {
      const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
      if (diagnostic.id != diagnostics::Id::MalformedRecord) return false;
      bool isNamed = llvm::any_of(named_, [&](const std::string& file) {
        return llvm::StringRef(diagnostic.message).contains(path::filename(file).str() + ", line ");
      });
      return isNamed || !said_.insert(diagnostic.message).second;
    });
  }

private:
  const std::vector<std::string>& named_;
  std::set<std::string> said_;
};

// Reports problems of record files that the user named, at their places.
void tellRecordFiles(const driver::Snapshot& snapshot, const std::vector<std::string>& named,
                     std::vector<Checked>& all) {
  for (const std::string& file : named) {
    auto records = driver::readRecordFile(snapshot, absolutePath(file));
    if (!records) continue;
    const text::SourceText& text = records->file->text();
    std::vector<diagnostics::Diagnostic> problems;
    diagnostics::Reporter emit(problems, records->file->id());
    for (const driver::RecordProblem& problem : records->content.problems) {
      uint32_t line = problem.line ? static_cast<uint32_t>(problem.line) - 1 : 0;
      text::Offset begin = text.lineStart(std::min(line, text.lineCount() - 1));
      emit(diagnostics::Id::MalformedRecord, text::Range{begin, begin}, problem.message);
    }
    Checked& own = all.emplace_back(Checked{absolutePath(file), {}});
    for (diagnostics::Diagnostic& problem : problems)
      own.findings.push_back({std::move(problem), "", ""});
  }
}

// The project's settings exclude this file, or the command line does.
bool isExcluded(const driver::Snapshot& snapshot, const Input& input, const CheckOptions& options) {
  if (input.isNamed) {
    if (!options.forceExclude) return false;
    if (isExcludedBy(withoutCommas(options.excluded), asSeenFromHere(input.path))) return true;
  }
  auto settings = snapshot.settingsOf(input.path);
  if (settings->excluded.empty()) return false;
  llvm::StringRef name = input.path;
  if (auto project = driver::projectOf(snapshot, path::parent_path(input.path)))
    name = name.drop_front(path::parent_path(project->path).size()).ltrim('/');
  return isExcludedBy(settings->excluded, name);
}

// A file that the user did not name is reported and skipped if it is a link out of the folder, or
// larger than what is read.
bool isSkipped(const driver::Snapshot& snapshot, const std::string& file) {
  uint64_t size = 0;
  return llvm::sys::fs::is_symlink_file(file) ||
         (!llvm::sys::fs::file_size(file, size) && size > mostBytesOf(snapshot, file));
}

// What a diff shows, and what it does not: suggested fixes are shown only on demand.
std::string aboutDiff(size_t fixed, const FixCounts& left, const CheckOptions& options) {
  bool withholds = left.suggested && !options.unsafeFixes;
  std::string text = fixed       ? "would fix " + counted(fixed, "finding")
                     : withholds ? "no finding has a safe fix"
                                 : "no finding has a fix";
  if (withholds)
    text += "; " + counted(left.suggested, "finding has", "findings have") +
            " a suggested fix: --diff --unsafe-fixes shows it, --fix --unsafe-fixes applies it";
  return text;
}

class Checker {
public:
  Checker(const CheckOptions& options, driver::Workspace& workspace)
      : options_(options), workspace_(workspace),
        // Past a few, one file's specializations are done before they start.
        workers_(workspace.snapshot()->names(), std::min(machineThreads(), 4u)) {}

  // Checks a file for each release of Triton that was named. Findings that not all of them have say
  // which ones have them.
  std::optional<driver::CheckResult> check(const std::string& file, bool isNamed) {
    const std::vector<std::string> releases = withoutCommas({options_.triton});
    if (releases.size() < 2) return checkOnce(file, isNamed);
    std::optional<driver::CheckResult> all;
    std::vector<std::vector<std::string>> having; // of each finding
    for (const std::string& release : releases) {
      driver::Settings settings = workspace_.settings();
      llvm::erase_if(settings.overrides, [](const auto& each) { return each.name == "triton"; });
      settings.overrides.push_back({"triton", release});
      workspace_.changeSettings(std::move(settings));
      auto result = checkOnce(file, isNamed);
      if (!result) return std::nullopt;
      if (!all) all = driver::CheckResult{{}, true, result->coverage};
      for (driver::Finding& finding : result->findings) {
        auto known = llvm::find_if(all->findings, [&](const driver::Finding& other) {
          return other.diagnostic.id == finding.diagnostic.id &&
                 other.diagnostic.location.file == finding.diagnostic.location.file &&
                 other.diagnostic.location.range == finding.diagnostic.location.range &&
                 other.diagnostic.message == finding.diagnostic.message;
        });
        auto place = static_cast<size_t>(std::distance(all->findings.begin(), known));
        if (place == all->findings.size()) {
          all->findings.push_back(std::move(finding));
          having.emplace_back();
        } else {
          keepCommonFixes(known->diagnostic.fixes, finding.diagnostic.fixes);
        }
        if (having[place].empty() || having[place].back() != release)
          having[place].push_back(release);
      }
    }
    for (auto [finding, in] : llvm::zip(all->findings, having)) {
      if (in.size() == releases.size()) continue;
      finding.diagnostic.message +=
          " (Triton " + llvm::join(in, ", ") + (in.size() == 1 ? " only)" : ")");
      // For the other releases the text is right.
      auto shim =
          driver::shimFor(*workspace_.snapshot(), *workspace_.snapshot()->file(file), finding);
      finding.diagnostic.fixes.clear();
      if (shim) finding.diagnostic.fixes.push_back(std::move(*shim));
    }
    return all;
  }

  // What is right for all releases.
  static void keepCommonFixes(std::vector<diagnostics::Fix>& fixes,
                              llvm::ArrayRef<diagnostics::Fix> others) {
    llvm::erase_if(fixes, [&](const diagnostics::Fix& fix) {
      return llvm::none_of(others,
                           [&](const diagnostics::Fix& other) { return other.edits == fix.edits; });
    });
  }

  std::optional<driver::CheckResult> checkOnce(const std::string& file, bool isNamed) {
    auto snapshot = workspace_.snapshot();
    auto text = isNamed ? snapshot->file(file) : snapshot->found(file);
    auto result = text ? driver::check(*snapshot, text, workers_, {}) : std::nullopt;
    if (result) // a fix that does not help is not offered
      driver::tryFixes(*snapshot, *text, result->findings,
                       [](const driver::Finding&) { return true; }, workers_, {});
    if (text) snapshot->shared<driver::KernelLists>().forget(text);
    returnFreeMemory();
    return result;
  }

  // Fixes are not written through links, so that nothing is fixed.
  void refuseLink(const Input& input, const driver::CheckResult& result) const {
    auto file = workspace_.snapshot()->file(input.path);
    if (!driver::fixesOf(result.findings, file->id(), leastFix()).edits.empty())
      complain("cannot fix '" + input.asGiven + "': it is a link; fix the file that it leads to");
  }

  // Applies fixes in memory until there are none left, because one may make another possible.
  // Returns the findings of the resulting text.
  driver::CheckResult fix(const Input& input, driver::CheckResult result) {
    constexpr int mostRounds = 10;
    const auto original = workspace_.snapshot()->file(input.path);
    for (int round = 0; round < mostRounds; ++round) {
      auto file = workspace_.snapshot()->file(input.path);
      driver::FixSet set = driver::fixesOf(result.findings, file->id(), leastFix());
      if (set.edits.empty()) break;
      bool wasSound = isSound(file);
      auto edited = workspace_.snapshot()->withEdits(*file, set.edits);
      if (!edited) break;
      open(*edited->file(input.path), round + 1);
      auto next = check(input.path, true);
      auto fixed = workspace_.snapshot()->file(input.path);
      bool isStopped = Spending::isSpent(); // what it found would be a part only
      if (isStopped || !next || !fixed ||
          (wasSound && !isSound(fixed))) { // no text is broken by a fix
        open(*file, round + 2);
        if (isStopped)
          complain("'" + input.asGiven +
                   "' has findings that could not be fixed: its analysis took "
                   "too long to try another " +
                   counted(set.findings.size(), "fix", "fixes"));
        break;
      }
      fixes_ += set.findings.size();
      result = std::move(*next);
    }
    if (removeUnusedImports(input.path, *original))
      if (auto next = check(input.path, true)) result = std::move(*next);
    auto fixed = workspace_.snapshot()->file(input.path);
    if (fixed->text().text() != original->text().text())
      changed_.push_back({input, original, std::move(fixed)});
    return result;
  }

  struct Changed {
    Input input;
    std::shared_ptr<const driver::File> before, after;
  };
  llvm::ArrayRef<Changed> changed() const { return changed_; }
  size_t fixes() const { return fixes_; }
  driver::WorkerPool& workers() { return workers_; }

private:
  // Of imports, those that the fixes left without a use.
  bool removeUnusedImports(const std::string& path, const driver::File& original) {
    bool isChanged = false;
    for (int version = 100; !Spending::isSpent(); ++version) { // one name at a time
      auto file = workspace_.snapshot()->file(path);
      if (file->text().text() == original.text().text()) break;
      auto edit = driver::unusedImport(*workspace_.snapshot(), original, *file, {});
      auto edited = edit ? workspace_.snapshot()->withEdits(*file, {*edit}) : nullptr;
      if (!edited) break;
      open(*edited->file(path), version);
      isChanged = true;
    }
    return isChanged;
  }

  diagnostics::Applicability leastFix() const {
    return options_.unsafeFixes ? diagnostics::Applicability::Suggested
                                : diagnostics::Applicability::Safe;
  }
  void open(const driver::File& file, int version) {
    if (file.notebook())
      workspace_.open(file.path(), version, file.notebook());
    else
      workspace_.open(file.path(), version, file.text().text().str());
  }
  bool isSound(const std::shared_ptr<const driver::File>& file) {
    auto tree = file->tree(workspace_.snapshot()->names(), {});
    return tree && !driver::hasSyntaxErrors(*tree, file->path());
  }

  const CheckOptions& options_;
  driver::Workspace& workspace_;
  driver::WorkerPool workers_;
  std::vector<Changed> changed_;
  size_t fixes_ = 0;
};

// Errors are always reported: says which of the codes have no effect.
void complainOfErrors(const std::vector<std::string>& ignored) {
  for (const std::string& code : ignored)
    if (auto id = diagnostics::idOf(code);
        id && diagnostics::row(*id).severity == diagnostics::Severity::Error)
      complain("--ignore has no effect on '" + code +
               "', which is an error: Triton does not compile such a kernel. --baseline leaves out "
               "the findings that a project has, --exclude leaves out files");
}

// A recording without launches checks nothing, which nobody means.
void complainOfEmptyRecords(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (!llvm::sys::fs::is_regular_file(file)) continue; // a pipe can be read once
    auto text = llvm::MemoryBuffer::getFile(file);
    if (text && (*text)->getBuffer().trim().empty())
      complain("the record file '" + file + "' contains no launches");
  }
}

driver::Settings settingsFor(const CheckOptions& options, const Inputs& inputs) {
  driver::Settings settings;
  settings.overrides = settingsOf(options.settings);
  if (!options.target.empty()) settings.overrides.push_back({"target", options.target});
  if (std::vector<std::string> releases = withoutCommas({options.triton}); releases.size() == 1)
    settings.overrides.push_back({"triton", releases.front()});
  if (!options.selected.empty())
    settings.overrides.push_back({"select", withoutCommas(options.selected)});
  if (!options.ignored.empty())
    settings.overrides.push_back({"ignored", withoutCommas(options.ignored)});
  for (const std::string& file : options.launches)
    settings.recordFiles.push_back(absolutePath(file));
  if (!settings.recordFiles.empty())
    settings.overrides.push_back({"recordFiles", settings.recordFiles});
  settings.roots.push_back(absolutePath("."));
  settings.roots.insert(settings.roots.end(), inputs.folders.begin(), inputs.folders.end());
  // There is no cursor that waits for the result. A file ends within 10 s and 2 GB: code that polls
  // late, and its output, take the rest.
  settings.analysisSeconds = 8;
  settings.analysisMegabytes = 1792;
  return settings;
}

} // namespace

int check(const CheckOptions& options) {
  bool isStandardInput = llvm::is_contained(options.paths, "-");
  if (isStandardInput && options.paths.size() > 1) {
    complain("'-' is standard input, and the only path where it is given");
    return wrongUse;
  }
  Inputs inputs;
  if (isStandardInput) {
    std::string name = options.stdinFilename.empty() ? "stdin.py" : options.stdinFilename;
    inputs.files.push_back(
        {absolutePath(name), options.stdinFilename.empty() ? "-" : options.stdinFilename, true});
  } else {
    inputs = collectInputs(options.paths.empty() ? std::vector<std::string>{"."} : options.paths,
                           withoutCommas(options.excluded));
  }
  complainOfErrors(withoutCommas(options.ignored));
  complainOfEmptyRecords(options.launches);

  bool writes = options.fix && !options.diff && !isStandardInput;
  bool fixes = options.fix || options.diff;
  std::string baselinePath = options.baseline.empty() ? "" : absolutePath(options.baseline);
  std::optional<Baseline> baseline;
  if (!baselinePath.empty()) {
    bool isNew = options.updatesBaseline && !llvm::sys::fs::exists(baselinePath);
    auto read = isNew ? Baseline::empty(baselinePath) : Baseline::read(baselinePath);
    if (!read) {
      complain(read.error());
      return wrongUse;
    }
    baseline = std::move(*read);
  }
  // It writes files, and the baseline after them.
  std::optional<FixWriter> writer;
  if (writes || options.updatesBaseline) {
    std::vector<std::string> paths;
    for (const Input& input : inputs.files)
      paths.push_back(input.path);
    paths.push_back(baselinePath);
    writer.emplace(paths);
  }
  bool isGivenNotebook = isStandardInput && driver::isNotebook(inputs.files.front().path);
  std::string given;
  if (isStandardInput)
    given = readStandardInput(isGivenNotebook ? driver::mostNotebookBytes : size_t{16} << 20);
  giveUpWriting();
  CrashGuard guard(options.arguments, options.ended);
  driver::Workspace workspace(settingsFor(options, inputs));
  if (isGivenNotebook) {
    const Input& input = inputs.files.front();
    if (auto notebook = driver::NotebookFile::read(std::move(given)))
      workspace.open(input.path, 0,
                     std::make_shared<const driver::NotebookFile>(std::move(*notebook)));
    else
      inputs.problems.push_back("'" + input.asGiven + "' " + notebook.error());
  } else if (isStandardInput) {
    workspace.open(inputs.files.front().path, 0, std::move(given));
  }
  llvm::for_each(inputs.problems, complain);
  if (!options.quiet) llvm::for_each(inputs.notes, complain);
  for (const Input& input : inputs.files)
    if (std::string why = guard.whyNot(input.path); !why.empty())
      if (auto file = workspace.snapshot()->file(input.path))
        workspace.quarantine(input.path, {file->hash(), why});
  for (const std::string& file : options.launches)
    workspace.snapshot()->file(absolutePath(file)); // the user's word

  Checker checker(options, workspace);
  bool unreadable = !inputs.problems.empty();
  std::set<std::string> projects; // whose settings were used
  std::vector<Checked> all;
  CheckSummary summary;
  std::vector<std::string> found;
  for (const Input& input : inputs.files)
    if (input.isNamed) // first add all, because their order must not affect the workspace
      workspace.snapshot()->file(input.path);
    else
      found.push_back(input.path);
  std::vector<bool> concerned = driver::concernedWithGluon(*workspace.snapshot(), found);
  auto reportOn = [&](std::shared_ptr<const driver::Snapshot> snapshot) {
    Report report(std::move(snapshot));
    for (const Input& input : inputs.files)
      report.name(input.path, input.asGiven);
    if (llvm::any_of(inputs.files,
                     [](const Input& input) { return path::is_relative(input.asGiven); }))
      report.showRelativeTo(absolutePath("."));
    for (const std::string& file : options.launches)
      report.name(absolutePath(file), file);
    return report;
  };
  Output out(options.format == "text" ? Content::Painted : Content::Data);
  bool isColored = ::isatty(1) && !std::getenv("NO_COLOR");
  // Text is printed file by file, where nothing changes it later.
  std::optional<Report> growing;
  if (options.format == "text" && !fixes && !baseline) growing = reportOn(workspace.snapshot());
  size_t printed = 0, before = 0; // findings; those that earlier runs of this command printed
  for (size_t each : options.printed)
    before = std::max(before, each);
  auto print = [&](std::optional<std::string> upTo) {
    llvm::SmallVector<size_t> due;
    for (size_t index : growing->takeDue(std::move(upTo)))
      if (++printed > before) due.push_back(index);
    out << renderFindings(*growing, due, isColored);
    out.flush();
  };
  RecordProblems problems(options.launches);
  size_t place = 0;
  size_t stale = 0; // of `all`: checked before a later file was changed, whose text they may show
  for (const Input& input : inputs.files) {
    if (guard.leavesOut(input.path)) break;
    // Files that were not named are checked only if they use Gluon.
    bool isConcerned = input.isNamed || concerned[place++];
    auto snapshot = workspace.snapshot();
    // It may be no notebook, whatever its name says, or one of another language.
    if (isConcerned && !input.isNamed && driver::isNotebook(input.path))
      isConcerned = snapshot->found(input.path) != nullptr;
    if (!isConcerned) {
      ++summary.unconcerned;
      continue;
    }
    if (isExcluded(*snapshot, input, options)) continue;
    auto file = input.isNamed ? snapshot->file(input.path) : snapshot->found(input.path);
    if (!file) {
      if (isStandardInput) continue; // why was said
      complain(whyUnreadable(*snapshot, input.path, input.isNamed));
      unreadable |= input.isNamed || !isSkipped(*snapshot, input.path);
      continue;
    }
    guard.begin(input.path, std::max(printed, before));
    // Its analysis, the trials of its fixes and the rounds of fixing share one allowance.
    Allowance allowance(driver::limitsOf(*snapshot->settingsOf(input.path)));
    Spending spending(&allowance);
    if (auto result = checker.check(input.path, input.isNamed)) {
      size_t changed = checker.changed().size();
      if (writes && llvm::sys::fs::is_symlink_file(input.path))
        checker.refuseLink(input, *result);
      else if (fixes)
        result = checker.fix(input, std::move(*result));
      if (checker.changed().size() > changed) stale = all.size();
      ++summary.files;
      summary.add(input.asGiven, result->coverage);
      if (growing) {
        problems.keepNew(result->findings);
        growing->add(std::exchange(result->findings, {}), input.path);
        print(input.path);
      }
      all.push_back({input.path, std::move(result->findings), input.isNamed});
    }
    if (auto project = driver::projectOf(*snapshot, path::parent_path(input.path)))
      projects.insert(project->path);
  }
  for (Checked& each : llvm::MutableArrayRef(all).take_front(stale)) {
    Allowance allowance(driver::limitsOf(*workspace.snapshot()->settingsOf(each.path)));
    Spending spending(&allowance);
    if (auto result = checker.check(each.path, each.isNamed))
      each.findings = std::move(result->findings);
  }
  auto snapshot = workspace.snapshot();
  for (const std::string& project : projects)
    if (auto file = snapshot->found(project))
      if (auto result = driver::check(*snapshot, file, checker.workers(), {}))
        all.push_back({project, std::move(result->findings)});
  summary.fixed = checker.fixes();
  summary.coverage.addElsewhere([&](const std::string& path) {
    return llvm::any_of(all, [&](const Checked& each) { return each.path == path; });
  });
  for (Checked& each : all)
    problems.keepNew(each.findings);
  tellRecordFiles(*snapshot, options.launches, all);

  Report finished = growing ? Report(snapshot) : reportOn(snapshot);
  Report& report = growing ? *growing : finished;
  for (const std::string& project : projects)
    report.name(project, asSeenFromHere(project));
  for (Checked& each : all)
    report.add(std::move(each.findings), each.path);
  if (growing)
    print(std::nullopt);
  else
    report.sort();
  if (baseline) {
    std::set<std::string> checked;
    for (const Input& input : inputs.files)
      checked.insert(input.path);
    if (options.updatesBaseline)
      writer->write(inputs.files.size(), baseline->updated(report, checked));
    size_t known = options.updatesBaseline
                       ? report.remove([](const driver::Finding&) { return true; })
                       : baseline->withhold(report);
    summary.known = known;
    if (!options.updatesBaseline) summary.gone = baseline->gone(checked);
  }

  // As it is on disk, or would be after the fixes.
  auto fileText = [&](const std::string& path) {
    auto file = snapshot->file(path);
    return file ? file->stored() : llvm::StringRef();
  };
  bool hasChanges = !checker.changed().empty();
  if (options.diff) {
    for (const Checker::Changed& each : checker.changed())
      out << driver::diffOf(each.input.asGiven, *each.before, *each.after);
  } else if (isStandardInput && fixes) {
    out << fileText(inputs.files.front().path);
  } else if (const Format* format =
                 llvm::find_if(formats(), [&](auto& each) { return each.name == options.format; });
             format != formats().end()) {
    out << format->render(report, summary);
  } else {
    out << (growing ? renderCounts(report) : renderText(report, isColored));
    if (!options.quiet) out << renderSummary(report, summary, options.fix && options.unsafeFixes);
  }
  out.flush();
  if (options.diff && !options.quiet)
    complain(aboutDiff(checker.fixes(), fixable(report), options));
  bool isWritten = true;
  if (writer) {
    for (const Checker::Changed& each :
         writes ? checker.changed() : llvm::ArrayRef<Checker::Changed>())
      for (size_t i = 0; i < inputs.files.size(); ++i)
        if (inputs.files[i].path == each.input.path) writer->write(i, fileText(each.input.path));
    isWritten = writer->finish();
  }
  bool isFailed = options.diff ? hasChanges : report.failed(severityNamed(options.failOn));
  leave(guard.hasCrashed()        ? failed
        : unreadable              ? wrongUse
        : !out.ok() || !isWritten ? findings
        : options.exitZero        ? fine
        : isFailed                ? findings
                                  : fine);
}

} // namespace gluond::cli
