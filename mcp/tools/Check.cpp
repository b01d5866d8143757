// The tool check.
#include "driver/analysis/Check.h"

#include "diagnostics/Table.h"
#include "driver/fixes/FixTrial.h"
#include "driver/users/Importers.h"
#include "driver/workspace/WorkspaceFiles.h"
#include "mcp/tools/Findings.h"

#include <llvm/ADT/STLExtras.h>

#include <set>
#include <tuple>

namespace gluond::mcp {

namespace {

struct CheckParams {
  std::optional<std::vector<std::string>> files;
  std::optional<std::string> target, severity;
  std::optional<uint32_t> limit;
  static constexpr auto fields() {
    return std::make_tuple(
        told("files", &CheckParams::files,
             "Python files and notebooks, relative to the folder; if left out, every one that "
             "uses Gluon."),
        told("target", &CheckParams::target, targetHelp),
        told("severity", &CheckParams::severity, "Return only findings that are at least as bad.",
             "error|warning|information|hint"),
        told("limit", &CheckParams::limit, "The most findings to return; 100 if left out."));
  }
};

struct Gap {
  std::string kernel, reason;
  static constexpr auto fields() {
    return std::make_tuple(field("kernel", &Gap::kernel), field("reason", &Gap::reason));
  }
};
struct CheckResult : Counts {
  bool ok = true;
  std::vector<FindingInfo> findings;
  uint32_t omitted = 0, files = 0, kernels = 0, launches = 0, withoutLaunch = 0;
  std::vector<Gap> notAnalyzed;
  std::vector<std::string> targets, modulesNotFound;
  static constexpr auto fields() {
    return std::tuple_cat(
        std::make_tuple(told("ok", &CheckResult::ok, "There are no errors and no warnings.")),
        Counts::fields(),
        std::make_tuple(
            told("findings", &CheckResult::findings, "By file and place."),
            told("omitted", &CheckResult::omitted, "Findings beyond the limit."),
            told("files", &CheckResult::files, "Files that were checked."),
            field("kernels", &CheckResult::kernels),
            told("launches", &CheckResult::launches,
                 "Launches of these kernels that were checked."),
            told("withoutLaunch", &CheckResult::withoutLaunch,
                 "Kernels without any launch: what depends on types and constants was not "
                 "checked."),
            told("notAnalyzed", &CheckResult::notAnalyzed,
                 "Kernels that gluond could not check completely."),
            field("targets", &CheckResult::targets),
            told("modulesNotFound", &CheckResult::modulesNotFound,
                 "Imports that were not found: their names are unknown.")));
  }
};

// Every file that uses Gluon, or launches kernels of such a file.
std::vector<std::shared_ptr<const driver::File>> concerned(const Context& context) {
  auto files = driver::filesWith(*context.snapshot, "gluon", context.token);
  llvm::append_range(files, driver::notebooksWith(*context.snapshot, "gluon", context.token));
  for (size_t i = 0, count = files.size(); i < count; ++i)
    if (auto users = driver::importersOf(*context.snapshot, files[i], context.token))
      for (const auto& user : users->files)
        if (user.isNear() && !llvm::is_contained(files, user.file)) files.push_back(user.file);
  return files;
}

Answer<CheckResult> check(const CheckParams& params, const Context& context) {
  std::vector<std::shared_ptr<const driver::File>> files;
  if (params.files && params.files->empty())
    return tl::unexpected(
        std::string("files: the list is empty; leave it out to check every file that uses Gluon"));
  if (params.files) {
    for (const std::string& name : *params.files) {
      auto file = findFile(name, context);
      if (!file) return tl::unexpected(std::move(file.error()));
      if (!llvm::is_contained(files, *file)) files.push_back(std::move(*file));
    }
  } else {
    files = concerned(context);
  }
  auto least = diagnostics::Severity::Hint;
  using diagnostics::Severity;
  for (Severity each : {Severity::Error, Severity::Warning, Severity::Information})
    if (params.severity && diagnostics::severityName(each) == *params.severity) least = each;

  CheckResult result;
  std::set<std::tuple<uint32_t, uint32_t, uint32_t, unsigned>> told;
  std::vector<driver::Finding> findings;
  driver::WorkerPool workers(context.worker);
  driver::Coverage coverage;
  for (const auto& [i, file] : llvm::enumerate(files)) {
    context.progress(static_cast<double>(i), static_cast<double>(files.size()),
                     nameOf(file->path(), context));
    context.worksOn(*file);
    auto checked = driver::check(*context.snapshot, file, workers, context.token);
    if (checked) // a fix that does not help is not offered
      driver::tryFixes(
          *context.snapshot, *file, checked->findings, [](const driver::Finding&) { return true; },
          workers, context.token);
    context.snapshot->shared<driver::KernelLists>().forget(file);
    if (!checked || context.token.isCancelled()) return cancelled();
    ++result.files;
    coverage.add(checked->coverage);
    for (driver::Finding& finding : checked->findings) {
      const diagnostics::Diagnostic& each = finding.diagnostic;
      bool isNew = told.emplace(each.location.file.id, each.location.range.begin,
                                each.location.range.end, static_cast<unsigned>(each.id))
                       .second;
      if (!isNew) continue;
      result.add(each.severity);
      if (each.severity <= least) findings.push_back(std::move(finding));
    }
  }
  coverage.addElsewhere([&](const std::string& path) {
    return llvm::any_of(files, [&](const auto& each) { return each->path() == path; });
  });
  constexpr size_t most = 100; // of each list
  result.kernels = coverage.kernels;
  result.launches = coverage.specializations;
  result.withoutLaunch = coverage.withoutLaunch;
  for (const auto& gap : llvm::ArrayRef(coverage.gaps).take_front(most))
    result.notAnalyzed.push_back({gap.kernel, gap.reason});
  result.targets = std::move(coverage.targets);
  for (const std::string& module : llvm::ArrayRef(coverage.modulesNotFound).take_front(most))
    result.modulesNotFound.push_back(module);
  result.ok = result.errors == 0 && result.warnings == 0;
  // If not all are returned, the worst ones are.
  llvm::sort(findings, [](const driver::Finding& a, const driver::Finding& b) {
    auto key = [](const diagnostics::Diagnostic& each) {
      return std::tuple(each.severity, each.location.file, each.location.range.begin, each.id);
    };
    return key(a.diagnostic) < key(b.diagnostic);
  });
  size_t limit = std::clamp<uint32_t>(params.limit.value_or(100), 0, 1000);
  if (findings.size() > limit) {
    result.omitted = static_cast<uint32_t>(findings.size() - limit);
    findings.resize(limit);
  }
  for (const driver::Finding& finding : findings)
    result.findings.push_back(encodeFinding(finding, context));
  llvm::sort(result.findings, [](const FindingInfo& a, const FindingInfo& b) {
    return std::tie(a.file, a.cell, a.line, a.column, a.code) <
           std::tie(b.file, b.cell, b.line, b.column, b.code);
  });
  return result;
}

} // namespace

Tool checkTool() {
  return makeTool<check>(
      "check", "Check kernels",
      "Reports mistakes, races, slow accesses and resource problems in Gluon kernels, in every "
      "launch that the host code makes, without running anything. Each finding says where, why, "
      "and what fixes it; fixes were tried. Call it after every edit, and until ok is true.",
      Cost::File);
}

} // namespace gluond::mcp
