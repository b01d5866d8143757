#include "driver/findings/FindingSet.h"

#include "diagnostics/FixTitles.h"
#include "diagnostics/Reporter.h"
#include "driver/findings/IgnoredFindings.h"
#include "driver/findings/OneCause.h"
#include "driver/launches/VariantLabels.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using diagnostics::Diagnostic;
using diagnostics::Id;

// A mistake in a function that runs at compile time shows the calls of all kernels, because
// Triton refuses each kernel at its call.
static void addCaller(Diagnostic& told, const Diagnostic& again) {
  if (told.severity != diagnostics::Severity::Error || again.related.empty() ||
      !llvm::is_contained({Id::UndefinedName, Id::KernelException}, told.id))
    return;
  constexpr size_t most = 16;
  const std::string launched = diagnostics::note(diagnostics::NoteId::LaunchedHere);
  for (const diagnostics::Related& call : again.related) {
    if (call.message == launched || told.related.size() >= most) break;
    bool isKnown = llvm::any_of(told.related, [&](const diagnostics::Related& each) {
      return each.location.file == call.location.file && each.location.range == call.location.range;
    });
    if (!isKnown) told.related.push_back(call);
  }
}

void FindingSet::add(Diagnostic diagnostic, const std::string& kernel, const std::string& launch) {
  const diagnostics::Location& at = diagnostic.location;
  std::tuple key(at.file.id, at.range.begin, at.range.end, static_cast<unsigned>(diagnostic.id));
  auto [known, isNew] = seen_.try_emplace(key, all_.size());
  if (isNew)
    all_.push_back({{std::move(diagnostic), kernel, launch}, all_.size(), {launch}});
  else
    addCaller(all_[known->second].finding.diagnostic, diagnostic);
  if (!isNew && all_[known->second].finding.kernel == kernel)
    all_[known->second].launches.push_back(launch);
}

void FindingSet::nameConfigurations(const std::string& kernel,
                                    llvm::ArrayRef<Configuration> tried) {
  std::vector<llvm::StringRef> labels;
  for (const Configuration& each : tried)
    labels.push_back(each.label);
  for (Ordered& each : all_) {
    Diagnostic& told = each.finding.diagnostic;
    bool isLint = told.severity == diagnostics::Severity::Warning ||
                  told.severity == diagnostics::Severity::Hint;
    if (!isLint || each.finding.kernel != kernel) continue;
    size_t count = 0;
    llvm::StringRef first;
    for (const Configuration& configuration : tried)
      if (llvm::is_contained(each.launches, configuration.launch)) {
        ++count;
        // The message is that of the first one.
        if (configuration.launch == each.finding.launch || first.empty())
          first = configuration.label;
      }
    if (count == 0 || count == tried.size()) continue;
    told.message += " (in " + std::to_string(count) + " of the " + std::to_string(tried.size()) +
                    " configurations that are tried" + (count > 1 ? ", such as " : ": ") +
                    differenceOf(first, labels) + ")";
  }
}

void FindingSet::keepUnexplained(const BrokenText& broken) {
  llvm::erase_if(all_, [&](const Ordered& each) {
    return each.order >= syntaxErrors_ &&
           broken.explains(each.finding.diagnostic, each.finding.kernel);
  });
}

// Whether a finding says that others may be unknown: an error ends the analysis of a kernel.
static bool mayHideOthers(const Diagnostic& diagnostic) {
  return diagnostic.severity == diagnostics::Severity::Error ||
         llvm::is_contained({Id::BudgetExhausted, Id::NotAnalyzed, Id::TooLarge}, diagnostic.id);
}

std::vector<Finding> FindingSet::take(const Snapshot& snapshot, const Checked* checked) {
  IgnoredFindings silence(snapshot);
  bool isWhole = llvm::none_of(
      all_, [](const Ordered& each) { return mayHideOthers(each.finding.diagnostic); });
  llvm::erase_if(all_,
                 [&](const Ordered& each) { return silence.covers(each.finding.diagnostic); });
  if (checked) {
    std::vector<Diagnostic> unused;
    silence.tellUnused(
        checked->file, [&](text::Offset at) { return isWhole && checked->isWhole(at); }, unused);
    for (Diagnostic& each : unused)
      if (!silence.isSwitchedOff(each)) add(std::move(each), "", "");
  }
  // Diagnostics at equal places keep their order: the first explains the rest.
  llvm::sort(all_, [](const Ordered& a, const Ordered& b) {
    const auto &x = a.finding.diagnostic.location, &y = b.finding.diagnostic.location;
    return std::tuple(x.file, x.range.begin, x.range.end, a.order) <
           std::tuple(y.file, y.range.begin, y.range.end, b.order);
  });
  std::vector<Finding> sorted;
  for (Ordered& each : all_)
    sorted.push_back(std::move(each.finding));
  keepOneOfEachCause(sorted, snapshot);
  for (Finding& each : sorted)
    if (!each.diagnostic.fixes.empty())
      if (auto file = snapshot.found(snapshot.path(each.diagnostic.location.file)))
        diagnostics::titleFixes(each.diagnostic.fixes, file->text());
  return sorted;
}

} // namespace gluond::driver
