#include "driver/workspace/ProjectSettings.h"

#include "diagnostics/Reporter.h"

#include <llvm/Support/Path.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

std::vector<diagnostics::Diagnostic> projectDiagnostics(const File& file) {
  std::vector<diagnostics::Diagnostic> result;
  diagnostics::Reporter emit(result, file.id());
  for (const ProjectSettings::Problem& each : readProject(file.text().text()).problems) {
    auto told = emit(diagnostics::Id::ProjectSetting, each.place, each.text);
    if (!each.meant.empty())
      told.fix(diagnostics::FixId::DidYouMean, {{each.place, each.meant}},
               file.text().slice(each.place), each.meant);
  }
  return result;
}

std::shared_ptr<const Project> projectOf(const Snapshot& snapshot, llvm::StringRef folder) {
  ProjectCache& cache = snapshot.cache<ProjectCache>();
  std::lock_guard lock(cache.mutex);
  if (cache.generation != snapshot.diskGeneration()) {
    cache.projects.clear();
    cache.merged.clear();
    cache.generation = snapshot.diskGeneration();
  }
  std::vector<std::string> passed;
  std::shared_ptr<const Project> found;
  for (llvm::StringRef at = folder; !at.empty(); at = path::parent_path(at)) {
    if (auto it = cache.projects.find(at); it != cache.projects.end()) {
      found = it->second;
      break;
    }
    passed.push_back(at.str());
    auto file = snapshot.found((at + "/" + projectFileName).str());
    if (!file) continue;
    ProjectSettings settings = readProject(file->text().text());
    if (!settings.isPresent) continue;
    // Paths are relative to the file that contains them.
    for (NamedSetting& each : settings.values)
      if (auto* files = std::get_if<std::vector<std::string>>(&each.value);
          files && findSetting(each.name)->name == "recordFiles")
        for (std::string& name : *files)
          if (!path::is_absolute(name)) name = (at + "/" + name).str();
    found = std::make_shared<Project>(Project{file->path(), std::move(settings)});
    break;
  }
  for (const std::string& each : passed)
    cache.projects[each] = found;
  return found;
}

std::shared_ptr<const Settings> Snapshot::settingsOf(llvm::StringRef file) const {
  llvm::StringRef folder = path::parent_path(file);
  auto project = projectOf(*this, folder);
  if (!project && settings_->overrides.empty()) return settings_;
  ProjectCache& cache = Snapshot::cache<ProjectCache>();
  std::lock_guard lock(cache.mutex);
  if (cache.base != settings_) {
    cache.merged.clear();
    cache.base = settings_;
  }
  std::shared_ptr<const Settings>& slot = cache.merged[folder];
  if (!slot) {
    auto merged = std::make_shared<Settings>(*settings_);
    auto apply = [&](const SettingValues& values) {
      for (const NamedSetting& each : values)
        (void)applySetting(*merged, each.name, each.value); // mistakes are reported elsewhere
    };
    if (project) apply(project->settings.values);
    apply(settings_->overrides);
    slot = std::move(merged);
  }
  return slot;
}

} // namespace gluond::driver
