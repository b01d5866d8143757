#include "driver/fixes/FixTrial.h"

#include "diagnostics/Reporter.h"
#include "diagnostics/Traits.h"
#include "driver/fixes/Fixes.h"
#include "driver/program/FileWork.h"
#include "driver/settings/Configuration.h"
#include "driver/users/Importers.h"
#include "driver/workspace/Caches.h"
#include "support/ThreadClock.h"
#include "syntax/ErrorLimit.h"
#include "syntax/SyntaxTree.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <map>
#include <mutex>
#include <tuple>

namespace gluond::driver {

using diagnostics::Applicability;
using diagnostics::Diagnostic;
using diagnostics::Fix;
using diagnostics::Severity;

namespace {

// The limit for one file, because a file of nonsense has a mistake in every line. Each trial reads
// the text anew, finds and compares all findings of the file, so that megabytes and thousands of
// findings leave time for a few; and so do thousands of broken lines, of which not all are known.
size_t mostTrials(size_t findings, size_t bytes, size_t syntaxErrors) {
  constexpr size_t most = 64, least = 4, mostCompared = 12800, mostRead = size_t{32} << 20;
  if (syntaxErrors >= syntax::maxErrors) return least;
  return std::clamp(
      std::min(mostCompared / std::max<size_t>(findings, 1), mostRead / std::max<size_t>(bytes, 1)),
      least, most);
}

// Edits in order of place, which map places in the old text to the new one.
class Moves {
public:
  explicit Moves(llvm::ArrayRef<text::Edit> edits) : edits_(edits.begin(), edits.end()) {
    llvm::sort(edits_, [](const text::Edit& a, const text::Edit& b) {
      return a.range.begin < b.range.begin;
    });
  }
  // Returns the places in the new text that may correspond to `at`: one, or any in the text that
  // replaced it.
  text::Range operator()(text::Offset at) const {
    int64_t shift = 0;
    for (const text::Edit& edit : edits_) {
      if (at < edit.range.begin) break;
      auto begin = static_cast<text::Offset>(edit.range.begin + shift);
      auto size = static_cast<text::Offset>(edit.text.size());
      if (at < edit.range.end || (at == edit.range.begin && edit.range.begin == edit.range.end))
        return {begin, begin + size};
      shift += int64_t(size) - (edit.range.end - edit.range.begin);
    }
    auto moved = static_cast<text::Offset>(at + shift);
    return {moved, moved};
  }
  // Returns the lines of the new text that an edit made or changed, each with its line break.
  std::vector<text::Range> editedLines(const text::SourceText& now) const {
    std::vector<text::Range> lines;
    int64_t shift = 0;
    for (const text::Edit& edit : edits_) {
      auto begin = static_cast<text::Offset>(edit.range.begin + shift);
      auto end = static_cast<text::Offset>(begin + edit.text.size());
      uint32_t next = now.lineOf(end) + 1;
      lines.push_back({now.lineStart(now.lineOf(begin)),
                       next < now.lineCount() ? now.lineStart(next) : now.size() + 1});
      shift += int64_t(edit.text.size()) - (edit.range.end - edit.range.begin);
    }
    return lines;
  }

  // Whether a range of the new text has something in it that an edit wrote, or a place where one
  // removed text.
  bool touches(text::Range now) const {
    int64_t shift = 0;
    for (const text::Edit& edit : edits_) {
      auto begin = static_cast<text::Offset>(edit.range.begin + shift);
      auto end = static_cast<text::Offset>(begin + edit.text.size());
      if (begin <= now.end && now.begin <= end) return true;
      shift += int64_t(edit.text.size()) - (edit.range.end - edit.range.begin);
    }
    return false;
  }

private:
  std::vector<text::Edit> edits_;
};

bool isFlaw(const Finding& finding) {
  return finding.diagnostic.severity != Severity::Information;
}

// The result of trying a fix of `finding`.
enum class Verdict : uint8_t { Holds, HoldsForOneLaunch, Fails, Unknown };

// A fix that was tried, and what the analysis of the text with its edits found. Thousands of
// findings may share one.
class Trial {
public:
  Trial(const std::vector<text::Edit>& edits, const File& file, std::optional<FixEffect> effect)
      : edits_(edits), moves_(edits),
        editedLines_(moves_.editedLines(text::SourceText(text::withEdits(file.text(), edits)))),
        file_(file.id()), effect_(std::move(effect)) {
    if (!effect_) return;
    for (const Finding& left : effect_->kept) {
      const Diagnostic& said = left.diagnostic;
      kept_[{said.id, said.location.file}].push_back(&left);
    }
    for (auto& [row, all] : kept_)
      llvm::sort(all, [](const Finding* a, const Finding* b) {
        return std::pair(beginOf(*a), a) < std::pair(beginOf(*b), b);
      });
  }
  Trial(const Trial&) = delete;

  bool isOf(const std::vector<text::Edit>& edits) const { return edits_ == edits; }
  Verdict judge(const Finding& finding, bool isSafe) const;
  // Whether errors came, or an exception of the module.
  bool bringsErrors() const { return errorsBrought() > 0; }
  ptrdiff_t errorsBrought() const {
    if (!effect_) return 0;
    return llvm::count_if(effect_->come, [](const Finding& each) {
      return each.diagnostic.severity == Severity::Error ||
             each.diagnostic.id == diagnostics::Id::ModuleException;
    });
  }

  // Returns the fix with another one, of an error that came with it, as the reader would go on;
  // each alternative, as many as `most`. None if several errors came.
  std::vector<Fix> completed(const Fix& fix, size_t most) const;

  bool isKnown() const { return effect_ && effect_->isComplete; }
  size_t findings() const { return effect_ ? effect_->kept.size() + effect_->come.size() : 0; }
  bool bringsFlaws() const { return effect_ && llvm::any_of(effect_->come, isFlaw); }

private:
  bool isInEditedLine(text::Offset at) const {
    return llvm::any_of(editedLines_, [&](text::Range line) { return line.contains(at); });
  }
  static text::Offset beginOf(const Finding& finding) {
    return finding.diagnostic.location.range.begin;
  }

  std::vector<text::Edit> edits_;
  Moves moves_;
  std::vector<text::Range> editedLines_;
  diagnostics::FileId file_;
  std::optional<FixEffect> effect_; // nullopt if cancelled
  // The findings that it left, by row and file, and then by place.
  std::map<std::pair<diagnostics::Id, diagnostics::FileId>, std::vector<const Finding*>> kept_;
};

Verdict Trial::judge(const Finding& finding, bool isSafe) const {
  if (!isKnown()) return Verdict::Unknown;
  const Diagnostic& mistake = finding.diagnostic;
  // A module that raises runs no further, and of a module that was not found nothing is known. With
  // the fix, the findings that depend on it appear.
  bool isError = mistake.severity == Severity::Error ||
                 diagnostics::has(mistake.id, diagnostics::Trait::EndsModule);
  bool holdsElsewhere = true;
  // One launch is reported for several: if another one is reported now, this one has no finding.
  auto isOfOtherLaunch = [&](const Finding& other) {
    return !finding.launch.empty() && other.kernel == finding.kernel &&
           other.launch != finding.launch;
  };
  text::Range place = moves_(beginOf(finding));
  if (auto row = kept_.find({mistake.id, mistake.location.file}); row != kept_.end()) {
    auto left = llvm::lower_bound(row->second, place.begin, [](const Finding* each, auto begin) {
      return beginOf(*each) < begin;
    });
    for (; left != row->second.end() && place.touches(beginOf(**left)); ++left) {
      if (!isOfOtherLaunch(**left)) return Verdict::Fails;
      holdsElsewhere = false;
    }
  }
  for (const Finding& come : effect_->come) {
    if (Spending::isSpent()) return Verdict::Unknown;
    if (come.diagnostic.id == diagnostics::Id::NotAnalyzed) {
      // It hides, not mends. A safe one keeps what the program means: what is not known now was not
      // known before, which the mistake did not let us say.
      if (!isSafe || !isError) return Verdict::Fails;
      continue;
    }
    if (!isFlaw(come)) continue;
    // After a mistake there may be another one that existed before; a mere suggestion is judged
    // more strictly.
    if (isError) {
      const Diagnostic& said = come.diagnostic;
      bool isOfFix = said.location.file == file_ && isInEditedLine(said.location.range.begin);
      bool isInKernel = !isSafe && come.kernel == finding.kernel;
      // The next exception of the same line was there before, if it is of another expression.
      bool isRaised = said.id == diagnostics::Id::ModuleException && isOfFix &&
                      (mistake.id != said.id || moves_.touches(said.location.range));
      bool isErrorOfFix = said.severity == Severity::Error && (isOfFix || isInKernel);
      if (!isErrorOfFix && !isRaised) continue;
    }
    if (isError || !isOfOtherLaunch(come)) return Verdict::Fails;
    holdsElsewhere = false;
  }
  return holdsElsewhere ? Verdict::Holds : Verdict::HoldsForOneLaunch;
}

using TrialHandle = std::shared_ptr<const Trial>;

// Returns a range of the text that edits have made in the text before; nullopt if it touches what
// they wrote.
std::optional<text::Range> beforeEdits(text::Range now, llvm::ArrayRef<text::Edit> sorted) {
  int64_t shift = 0;
  for (const text::Edit& edit : sorted) {
    auto begin = static_cast<text::Offset>(edit.range.begin + shift);
    auto end = static_cast<text::Offset>(begin + edit.text.size());
    if (now.end < begin) break;
    if (now.begin <= end) return std::nullopt;
    shift += int64_t(edit.text.size()) - (edit.range.end - edit.range.begin);
  }
  return text::Range{static_cast<text::Offset>(now.begin - shift),
                     static_cast<text::Offset>(now.end - shift)};
}

std::vector<Fix> Trial::completed(const Fix& fix, size_t most) const {
  std::vector<Fix> all;
  if (!effect_) return all;
  const Diagnostic* error = nullptr;
  for (const Finding& each : effect_->come) {
    if (each.diagnostic.severity != Severity::Error) continue;
    if (error || each.diagnostic.location.file != file_) return all;
    error = &each.diagnostic;
  }
  std::vector<text::Edit> sorted = edits_;
  llvm::sort(sorted, [](const text::Edit& a, const text::Edit& b) {
    return a.range.begin < b.range.begin;
  });
  for (const Fix& next : error ? llvm::ArrayRef(error->fixes) : llvm::ArrayRef<Fix>()) {
    if (all.size() == most) break;
    Fix both = fix;
    bool fits = true;
    for (const text::Edit& edit : next.edits) {
      auto range = beforeEdits(edit.range, sorted);
      fits &= range.has_value();
      if (range) both.edits.push_back({*range, edit.text});
    }
    if (!fits) continue;
    std::string also = next.title.text;
    also[0] = llvm::toLower(also[0]);
    both.title = {fix.title.text + ", and " + also, Applicability::Suggested};
    all.push_back(std::move(both));
  }
  return all;
}

// The trials of a snapshot: a cursor that moves over the same findings asks for the same fixes
// again. They are new texts and cost what analysing them costs, so that requests one after another
// would burn as much as they like: their time is limited for all requests on a file together.
class TrialCache : public Cache {
public:
  // `before` is the number of findings that trials compare with.
  TrialHandle find(const File& file, size_t before, const std::vector<text::Edit>& edits) {
    std::lock_guard lock(mutex_);
    for (const TrialHandle& each : rows_[{file.id().id, file.hash(), before}].trials)
      if (each->isOf(edits)) return each;
    return nullptr;
  }
  void keep(const File& file, size_t before, TrialHandle trial, int64_t nanoseconds) {
    std::lock_guard lock(mutex_);
    Row& row = rows_[{file.id().id, file.hash(), before}];
    row.nanoseconds += nanoseconds;
    if (!trial->isKnown()) return;
    constexpr size_t most = 64;
    findings_ += trial->findings();
    row.trials.push_back(std::move(trial));
    if (row.trials.size() > most) dropOldest(row);
    // Nobody asks again for those of files that were checked before: `check` has one snapshot for
    // all files of a repository.
    constexpr size_t mostFindings = 12'800;
    for (auto other = rows_.begin(); findings_ > mostFindings && other != rows_.end(); ++other)
      while (&other->second != &row && !other->second.trials.empty())
        dropOldest(other->second);
  }
  // What trials of a file may cost now: `limit` together, and again after ten times as long.
  std::chrono::nanoseconds left(const File& file, size_t before, std::chrono::nanoseconds limit) {
    std::lock_guard lock(mutex_);
    Row& row = rows_[{file.id().id, file.hash(), before}];
    auto now = std::chrono::steady_clock::now();
    if (now - row.since >= 10 * limit) {
      row.since = now;
      row.nanoseconds = 0;
    }
    return std::max(limit - std::chrono::nanoseconds(row.nanoseconds), std::chrono::nanoseconds(0));
  }

private:
  struct Row {
    std::deque<TrialHandle> trials;
    int64_t nanoseconds = 0; // of CPU time since `since`
    std::chrono::steady_clock::time_point since = std::chrono::steady_clock::now();
  };
  void dropOldest(Row& row) { // its oldest trial
    findings_ -= row.trials.front()->findings();
    row.trials.pop_front();
  }
  std::mutex mutex_;
  std::map<std::tuple<uint32_t, uint64_t, size_t>, Row> rows_;
  size_t findings_ = 0; // of all trials
};

// Findings by row, file and the place where they are after the edits, so that a file with thousands
// of them is compared in one walk.
class FindingIndex {
public:
  FindingIndex(llvm::ArrayRef<Finding> before, const Moves& moves, const File& file) {
    for (auto [i, each] : llvm::enumerate(before)) {
      const Diagnostic& then = each.diagnostic;
      text::Offset begin = then.location.range.begin;
      text::Range place =
          then.location.file == file.id() ? moves(begin) : text::Range{begin, begin};
      Places& places = byRow_[{then.id, then.location.file.id}];
      places.all.push_back({place, i});
      places.longest = std::max(places.longest, place.end - place.begin);
    }
    for (auto& [row, places] : byRow_)
      llvm::sort(places.all, [](const Place& a, const Place& b) {
        return std::pair(a.range.begin, a.finding) < std::pair(b.range.begin, b.finding);
      });
  }

  // Returns the number of a finding that is not taken yet and is the same as `now`.
  std::optional<size_t> find(const Diagnostic& now, const std::vector<bool>& isTaken) const {
    auto row = byRow_.find({now.id, now.location.file.id});
    if (row == byRow_.end()) return std::nullopt;
    text::Offset at = now.location.range.begin;
    const Places& places = row->second;
    text::Offset first = at - std::min(at, places.longest);
    auto place = llvm::lower_bound(
        places.all, first, [](const Place& a, text::Offset to) { return a.range.begin < to; });
    for (; place != places.all.end() && place->range.begin <= at; ++place)
      if (!isTaken[place->finding] && place->range.touches(at)) return place->finding;
    return std::nullopt;
  }

private:
  struct Place {
    text::Range range;
    size_t finding;
  };
  struct Places {
    std::vector<Place> all;
    text::Offset longest = 0;
  };
  std::map<std::pair<diagnostics::Id, uint32_t>, Places> byRow_;
};

} // namespace

// A global that becomes a constexpr is another object for the host code that imports it.
static void suggestForImporters(const Snapshot& snapshot, const File& file, Diagnostic& diagnostic,
                                const CancellationToken& token) {
  constexpr diagnostics::ArgumentOf name(diagnostics::Id::GlobalNotConstexpr, "name");
  if (diagnostic.id != diagnostics::Id::GlobalNotConstexpr ||
      llvm::none_of(diagnostic.fixes, [](const Fix& fix) { return fix.isSafe(); }) ||
      !isMentionedElsewhere(snapshot, file, argument(diagnostic, name), token))
    return;
  for (Fix& fix : diagnostic.fixes)
    if (fix.isSafe())
      fix.title = {fix.title.text + ", also for the files that import it",
                   Applicability::Suggested};
}

std::optional<FixEffect> effectOf(const Snapshot& snapshot, const File& file,
                                  llvm::ArrayRef<Finding> before, llvm::ArrayRef<text::Edit> edits,
                                  WorkerPool& workers, CancellationToken token) {
  auto trial = snapshot.with(file, text::withEdits(file.text(), edits));
  auto result = check(*trial, trial->found(file.path()), workers, token);
  if (!result) return std::nullopt;
  Moves moves(edits);
  FixEffect effect;
  effect.isComplete = result->isComplete;
  FindingIndex index(before, moves, file);
  std::vector<bool> isLeft(before.size(), false);
  for (Finding& after : result->findings) {
    const Diagnostic& now = after.diagnostic;
    effect.isComplete &= now.id != diagnostics::Id::BudgetExhausted;
    std::optional<size_t> same = index.find(now, isLeft);
    if (same) isLeft[*same] = true;
    (same ? effect.kept : effect.come).push_back(std::move(after));
  }
  for (auto [i, each] : llvm::enumerate(before))
    if (!isLeft[i]) effect.gone.push_back(each);
  return effect;
}

void tryFixes(const Snapshot& snapshot, const File& file, std::vector<Finding>& findings,
              llvm::function_ref<bool(const Finding&)> isWanted, WorkerPool& workers,
              CancellationToken token) {
  // All trials together cost at most what the analysis itself left of the file's time, because each
  // is a text of its own and has an allowance of its own otherwise.
  Allowance::Limits limits = limitsOf(snapshot, file);
  std::chrono::nanoseconds left = limits.cpu;
  left -= std::min(left, file.longestWork());
  auto& cache = snapshot.shared<TrialCache>();
  limits.cpu = std::chrono::duration_cast<std::chrono::milliseconds>(
      cache.left(file, findings.size(), left));
  Allowance allowance(limits);
  Spending spending(&allowance);
  bool isStopped = false;
  // Trials compare with the original findings, including their fixes.
  const std::vector<Finding> before = findings;
  auto tree = file.tree(snapshot.names(), token);
  const size_t most =
      mostTrials(before.size(), file.text().size(), tree ? tree->errors().size() : 0);
  // Several findings often have the same cause, and so the same fix.
  std::vector<TrialHandle> tried;
  auto tryEdits = [&](const std::vector<text::Edit>& edits) -> TrialHandle {
    if (TrialHandle known = cache.find(file, before.size(), edits)) return known;
    if (isStopped || limits.cpu.count() == 0 || mustStop(token)) return nullptr;
    int64_t began = threadNanoseconds();
    auto trial = std::make_shared<const Trial>(
        edits, file, effectOf(snapshot, file, before, edits, workers, token));
    cache.keep(file, before.size(), trial, threadNanoseconds() - began);
    return trial;
  };
  auto trialOf = [&](const Fix& fix) -> const Trial* {
    auto known =
        llvm::find_if(tried, [&](const TrialHandle& each) { return each->isOf(fix.edits); });
    return known == tried.end() ? nullptr : known->get();
  };
  for (Finding& finding : findings) {
    if (finding.diagnostic.location.file != file.id() || !isWanted(finding)) continue;
    // Of many alternatives most are guesses, and only a trial tells which one is right.
    constexpr size_t fewAlternatives = 4;
    bool isGuess = finding.diagnostic.fixes.size() > fewAlternatives;
    llvm::erase_if(finding.diagnostic.fixes, [&](Fix& fix) {
      auto verdict = Verdict::Unknown;
      const Trial* trial = trialOf(fix);
      if (!trial && tried.size() < most)
        if (TrialHandle made = tryEdits(fix.edits)) trial = tried.emplace_back(made).get();
      if (trial) {
        verdict = trial->judge(finding, fix.isSafe());
        isStopped |= verdict == Verdict::Unknown; // the next one would cost as much
      }
      // Where a fix brings an error that has a fix itself, both together are the fix.
      constexpr size_t mostCompletions = 2;
      if (trial && !fix.isSafe() && trial->isKnown() && trial->bringsErrors())
        for (Fix& both : trial->completed(fix, mostCompletions)) {
          TrialHandle made = tried.size() < most ? tryEdits(both.edits) : nullptr;
          if (!made) break;
          tried.push_back(made);
          Verdict of = made->judge(finding, /*isSafe=*/false);
          if (made->bringsErrors() ||
              !llvm::is_contained({Verdict::Holds, Verdict::HoldsForOneLaunch}, of))
            continue;
          verdict = of;
          trial = made.get();
          fix = std::move(both);
          break;
        }
      // One error may have been hidden by the mistake; several come of a fix that is not meant.
      constexpr ptrdiff_t mostHidden = 1;
      bool isMeant = fix.isSafe() || verdict == Verdict::Unknown ||
                     diagnostics::has(finding.diagnostic.id, diagnostics::Trait::EndsModule) ||
                     finding.diagnostic.severity != Severity::Error ||
                     trial->errorsBrought() <= mostHidden;
      // In a file of nonsense the fixes after the first ones are not tried: those that were only
      // suggested anyway are left out.
      bool isLeftOut = isGuess || (!trial && tried.size() >= most && !fix.isSafe());
      if (verdict == Verdict::Unknown) fix.title.applicability = Applicability::Suggested;
      if (verdict == Verdict::HoldsForOneLaunch && isForAllLaunches(fix))
        fix.title = diagnostics::fixTitle(diagnostics::FixId::ForThisLaunch, fix.title.text);
      return !isMeant || verdict == Verdict::Fails || (isLeftOut && verdict == Verdict::Unknown);
    });
    suggestForImporters(snapshot, file, finding.diagnostic, token);
    // An error may appear because another one is mended, and a launch may need another text; but
    // not where an alternative has no such drawback.
    auto keepWithout = [&](llvm::function_ref<bool(const Trial&)> hasDrawback) {
      auto isWorse = [&](const Fix& fix) {
        const Trial* trial = trialOf(fix);
        return trial && hasDrawback(*trial);
      };
      std::vector<Fix>& fixes = finding.diagnostic.fixes;
      if (!llvm::all_of(fixes, isWorse)) llvm::erase_if(fixes, isWorse);
    };
    keepWithout([](const Trial& trial) { return trial.bringsErrors(); });
    keepWithout([&](const Trial& trial) {
      return trial.judge(finding, false) == Verdict::HoldsForOneLaunch;
    });
    // Slow code is still right, and it is another choice where it only adds to the program, as a
    // conversion does; not where it is another text in the place of one that is not slow.
    std::vector<Fix> quick, slow;
    for (Fix& fix : finding.diagnostic.fixes) {
      const Trial* trial = trialOf(fix);
      (trial && trial->bringsFlaws() ? slow : quick).push_back(std::move(fix));
    }
    auto onlyAdds = [&](const Fix& fix) {
      return llvm::all_of(fix.edits, [&](const text::Edit& edit) {
        return llvm::StringRef(edit.text).contains(file.text().slice(edit.range));
      });
    };
    if (!quick.empty()) llvm::erase_if(slow, [&](const Fix& fix) { return !onlyAdds(fix); });
    llvm::append_range(quick, slow);
    finding.diagnostic.fixes = std::move(quick);
  }
}

} // namespace gluond::driver
