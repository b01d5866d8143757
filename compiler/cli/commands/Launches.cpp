#include "cli/input/Commands.h"
#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/output/Output.h"
#include "driver/findings/MissingLaunch.h"
#include "driver/launches/Kernels.h"
#include "driver/launches/RecordWriter.h"
#include "driver/workspace/FileLine.h"

#include <nlohmann/json.hpp>

namespace gluond::cli {

namespace {

// The place of a launch in another file than its kernel's: " tests/test_add.py, line 12".
std::string placeOf(const driver::Snapshot& snapshot, const driver::Variant& variant) {
  if (!variant.isElsewhere || !variant.source) return {};
  std::string path = snapshot.path(variant.source->file);
  auto file = snapshot.found(path);
  if (!file) return {};
  return "  " + asSeenFromHere(path) + ", " +
         driver::lineInWords(*file, variant.source->range.begin);
}

// The part of its condition that is not known.
llvm::StringRef conditionOf(const driver::Variant& variant) {
  if (!variant.launch || variant.record.record) return {};
  if (variant.launch->isBlind) return "  (no call of the function around it was found)";
  return variant.launch->isCertain ? "" : "  (only under a condition that is unknown)";
}

} // namespace

int launches(const LaunchesOptions& options) {
  driver::Settings settings;
  settings.overrides = settingsOf(options.settings);
  if (!options.target.empty()) settings.overrides.push_back({"target", options.target});
  settings.roots.push_back(absolutePath("."));
  settings.useRecords = options.withRecords;
  driver::Workspace workspace(std::move(settings));
  auto snapshot = workspace.snapshot();
  std::string path = absolutePath(options.file);
  auto file = snapshot->file(path);
  if (!file) {
    return unreadable(*snapshot, path);
  }
  auto kernels = driver::kernelsOf(*snapshot, file, {});
  auto elsewhere = driver::launchedElsewhere(*snapshot, file, {});

  if (kernels->kernels.empty() && elsewhere->kernels.empty())
    complain("'" + options.file +
             "' has no kernel, and no launch of another file's kernel was found");

  Output out(options.format == "text" ? Content::Text : Content::Data);
  bool first = true;
  size_t guesses = 0; // launches that a record file must not state
  if (options.format == "json") out << "[";
  std::optional<driver::WrittenLaunches> written;
  auto whyNone = [&](const driver::Kernel& kernel) {
    if (const driver::FailedLaunch* failed = kernels->failedLaunchOf(kernel))
      return "the code that launches it raises " + failed->exception;
    if (kernels->programs.empty()) return std::string("no launch was found");
    if (!written) written.emplace(*kernels->programs.front(), snapshot->names());
    return written->explain(kernel).reason;
  };
  auto shown = [&](const driver::Kernel& kernel, const std::string& kernelFile) {
    if (options.format == "text")
      out << kernel.qualname << " (" << (kernel.file == file ? "" : kernelFile + ", ")
          << driver::lineInWords(*kernel.file, kernel.name.begin) << ")\n";
    for (const driver::Variant& variant : kernel.variants) {
      bool isFound = variant.origin != driver::Origin::Default;
      if (options.format == "text") {
        out << "  " << variant.id << "  " << variant.label << placeOf(*snapshot, variant)
            << (isFound ? conditionOf(variant) : llvm::StringRef())
            << (isFound ? std::string() : "  typed defaults: " + whyNone(kernel)) << "\n";
      } else if (isFound) {
        auto record = driver::recordOf(variant, kernelFile, snapshot->names());
        if (options.format == "jsonl" && record.contains("assumed")) {
          ++guesses;
          continue;
        }
        if (options.format == "json") out << (first ? "\n" : ",\n");
        out << jsonText(record);
        if (options.format == "jsonl") out << "\n";
        first = false;
      }
    }
  };
  for (const driver::Kernel& kernel : kernels->kernels)
    shown(kernel, options.file);
  for (const driver::Kernel& kernel : elsewhere->kernels)
    shown(kernel, asSeenFromHere(kernel.file->path()));
  if (options.format == "json") out << "\n]\n";
  out.flush();
  if (guesses)
    complain(std::to_string(guesses) + (guesses == 1 ? " launch is" : " launches are") +
             " left out, because a record file states facts and the values of some arguments are "
             "not known; --format json lists them with their \"assumed\" arguments");
  return out.ok() ? fine : findings;
}

} // namespace gluond::cli
