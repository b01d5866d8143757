#include "cli/kernels/KernelChoice.h"

#include "cli/input/Inputs.h"
#include "cli/kernels/EmitRecords.h"
#include "cli/output/Output.h"
#include "cli/output/Render.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::cli {

tl::expected<KernelChoice, std::string> findKernel(const KernelQuery& query) {
  auto fail = [](const std::string& why) { return tl::unexpected(why); };
  driver::Settings settings;
  settings.overrides = settingsOf(query.settings);
  if (!query.target.empty()) settings.overrides.push_back({"target", query.target});
  settings.roots.push_back(absolutePath("."));
  for (const std::string& records : query.launches)
    settings.recordFiles.push_back(absolutePath(records));
  bool isRecords = llvm::StringRef(query.input).ends_with(".jsonl");
  if (isRecords) settings.recordFiles.push_back(absolutePath(query.input));
  driver::Workspace workspace(std::move(settings));
  KernelChoice choice;
  choice.snapshot = workspace.snapshot();
  choice.path = absolutePath(query.input);
  for (const std::string& records : query.launches)
    if (!choice.snapshot->file(absolutePath(records))) // named by the user, like the input
      return fail(whyUnreadable(*choice.snapshot, absolutePath(records), true));
  std::string name = query.kernel;
  if (isRecords) {
    choice.snapshot->file(choice.path);
    auto set = driver::readRecordFile(*choice.snapshot, choice.path);
    if (!set) return fail(whyUnreadable(*choice.snapshot, choice.path, true));
    auto it = llvm::find_if(set->content.records, [&](const driver::LaunchRecord& record) {
      return (query.launch.empty() || record.id == query.launch) &&
             (name.empty() || record.kernel == name);
    });
    if (it == set->content.records.end()) return fail("'" + query.input + "' has no such record");
    choice.path = it->path;
    name = it->kernel;
  }
  auto file = isRecords ? choice.snapshot->found(choice.path) : choice.snapshot->file(choice.path);
  if (!file) return fail(whyUnreadable(*choice.snapshot, choice.path, !isRecords));
  auto kernels = driver::kernelsOf(*choice.snapshot, file, {});
  if (name.empty() && kernels->kernels.size() == 1) name = kernels->kernels.front().qualname;
  const driver::Kernel* kernel = kernels->find(name);
  auto elsewhere = driver::launchedElsewhere(*choice.snapshot, file, {});
  if (!kernel) {
    if (name.empty() && kernels->kernels.empty() && elsewhere->kernels.size() == 1)
      name = elsewhere->kernels.front().qualname;
    kernel = elsewhere->find(name);
  }
  if (!kernel) {
    std::string names;
    for (const auto* list : {&kernels->kernels, &elsewhere->kernels})
      for (const driver::Kernel& each : *list)
        names += (names.empty() ? "" : ", ") + each.qualname;
    std::string lacks = "'" + query.input + "' has no kernel";
    if (name.empty() && names.empty()) return fail(lacks);
    return fail((name.empty()
                     ? query.kernelOption + " is missing: '" + query.input + "' has more than one"
                     : lacks + " '" + name + "'") +
                (names.empty() ? "" : "; it has " + names));
  }
  if (query.all) {
    choice.variants = kernel->variants;
  } else if (query.launch.empty()) {
    choice.variants.push_back(kernel->variants[kernel->selected]);
  } else {
    const driver::Variant* variant = kernel->find(query.launch);
    if (!variant)
      return fail("'" + name + "' has no launch '" + query.launch + "'; see gluond launches " +
                  query.input);
    choice.variants.push_back(*variant);
  }
  return choice;
}

std::optional<KernelChoice> chooseKernel(const KernelQuery& query) {
  auto choice = findKernel(query);
  if (choice) return std::move(*choice);
  complain(choice.error());
  return std::nullopt;
}

} // namespace gluond::cli
