#include "driver/Check.h"

#include "cli/Commands.h"
#include "cli/CrashGuard.h"
#include "cli/EmitRecords.h"
#include "cli/Inputs.h"
#include "cli/Output.h"
#include "cli/Render.h"
#include "cli/Sandbox.h"
#include "driver/Configuration.h"
#include "driver/FixTrial.h"
#include "driver/Kernels.h"
#include "support/Parallel.h"

#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <unistd.h>

namespace gluond::cli {

int check(const CheckOptions& options) {
  Inputs inputs = collectInputs(options.paths);
  for (const std::string& problem : inputs.problems)
    complain(problem);

  driver::Settings settings;
  settings.overrides = settingsOf(options.settings);
  if (!options.target.empty()) settings.overrides.push_back({"target", options.target});
  for (const std::string& file : options.launches)
    settings.recordFiles.push_back(absolutePath(file));
  if (!settings.recordFiles.empty())
    settings.overrides.push_back({"recordFiles", settings.recordFiles});
  settings.roots.push_back(absolutePath("."));
  settings.roots.insert(settings.roots.end(), inputs.folders.begin(), inputs.folders.end());
  // Nobody waits at a cursor.
  settings.analysisSeconds = 8; // a file ends within 10: what does not poll for a moment is in them
  settings.analysisMegabytes = 2048;
  giveUpWriting();
  CrashGuard guard(options.arguments, options.ended);
  driver::Workspace workspace(std::move(settings));
  for (const Input& input : inputs.files)
    if (std::string why = guard.whyNot(input.path); !why.empty())
      if (auto file = workspace.snapshot()->file(input.path))
        workspace.quarantine(input.path, {file->hash(), why});
  auto snapshot = workspace.snapshot();
  for (const std::string& file : options.launches)
    snapshot->file(absolutePath(file)); // the user's word
  Report report(snapshot);
  // Past a few, one file's specializations are done before they start.
  driver::Crew crew(snapshot->names(), std::min(machineThreads(), 4u));
  bool unreadable = !inputs.problems.empty();
  std::set<std::string> projects; // whose settings were used
  for (const Input& input : inputs.files) {
    report.name(input.path, input.asGiven);
    // All before the first is checked: what is the workspace does not depend on their order.
    if (input.isNamed) snapshot->file(input.path);
  }
  for (const Input& input : inputs.files) {
    auto file = input.isNamed ? snapshot->file(input.path) : snapshot->found(input.path);
    if (!file) {
      complain(whyUnreadable(*snapshot, input.path, input.isNamed));
      // A link out of the folder is said and passed over: nobody asked for that file.
      unreadable |= input.isNamed || !llvm::sys::fs::is_symlink_file(input.path);
      continue;
    }
    guard.begin(input.path);
    if (auto result = driver::check(*snapshot, file, crew, {})) {
      driver::tryFixes(*snapshot, *file, result->findings,
                       [](const driver::Finding&) { return true; }, crew, {});
      report.add(std::move(result->findings), input.path);
    }
    snapshot->kernelLists().forget(file);
    if (auto project = driver::projectOf(*snapshot, llvm::sys::path::parent_path(input.path)))
      projects.insert(project->path);
  }
  for (const std::string& path : projects)
    if (auto file = snapshot->found(path))
      if (auto result = driver::check(*snapshot, file, crew, {}))
        report.add(std::move(result->findings), path);
  report.sort();

  Output out(options.format == "text" ? Content::Painted : Content::Data);
  if (options.format == "json")
    out << renderJson(report);
  else if (options.format == "sarif")
    out << renderSarif(report);
  else
    out << renderText(report, ::isatty(1) && !std::getenv("NO_COLOR"));
  out.flush();
  leave(guard.hasAny()                 ? failed
        : unreadable                   ? wrongUse
        : report.failed() || !out.ok() ? findings
                                       : fine);
}

} // namespace gluond::cli
