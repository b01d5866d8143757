#include "cli/Commands.h"
#include "cli/EmitRecords.h"
#include "cli/Inputs.h"
#include "cli/Output.h"
#include "driver/Kernels.h"
#include "driver/RecordWriter.h"

#include <nlohmann/json.hpp>

namespace gluond::cli {

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

  Output out(options.format == "text" ? Content::Text : Content::Data);
  bool first = true;
  if (options.format == "json") out << "[";
  for (const driver::Kernel& kernel : kernels->kernels) {
    if (options.format == "text")
      out << kernel.qualname << " (line "
          << std::to_string(file->text().lineOf(kernel.name.begin) + 1) << ")\n";
    for (const driver::Variant& variant : kernel.variants) {
      bool isFound = variant.origin != driver::Origin::Default;
      if (options.format == "text") {
        out << "  " << variant.id << "  " << variant.label
            << (isFound ? "" : "  typed defaults: no launch was found") << "\n";
      } else if (isFound) {
        if (options.format == "json") out << (first ? "\n" : ",\n");
        out << jsonText(driver::recordOf(variant, options.file, snapshot->names()));
        if (options.format == "jsonl") out << "\n";
        first = false;
      }
    }
  }
  if (options.format == "json") out << "\n]\n";
  out.flush();
  return out.ok() ? fine : findings;
}

} // namespace gluond::cli
