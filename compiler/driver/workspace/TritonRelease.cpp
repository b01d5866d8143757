#include "driver/workspace/TritonRelease.h"

#include "driver/settings/ProjectReader.h"
#include "driver/workspace/ProjectSettings.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/Process.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

// Calls `look` for the names in a folder until it returns true. Folders are listed in part only if
// they are larger than any installation.
void eachIn(const llvm::Twine& folder, llvm::function_ref<bool(llvm::StringRef)> look) {
  constexpr size_t most = 20'000;
  std::error_code error;
  llvm::sys::fs::directory_iterator at(folder, error), end;
  for (size_t count = 0; !error && at != end && count < most; at.increment(error), ++count)
    if (look(path::filename(at->path()))) return;
}

// "triton-3.8.0.dist-info" holds the metadata of Triton 3.8.0.
std::string tritonIn(const llvm::Twine& packages) {
  std::string found;
  eachIn(packages, [&](llvm::StringRef name) {
    if (!name.consume_front("triton-") || !name.consume_back(".dist-info")) return false;
    if (!releases::closest(name)) return false;
    found = name.str();
    return true;
  });
  return found;
}

// Environments and requirements are looked up once until something on disk changes.
struct ReleaseCache : Cache {
  std::mutex mutex;
  uint64_t generation = ~uint64_t{0};
  llvm::StringMap<std::string> installed;
  llvm::StringMap<ChosenRelease> required; // by folder
};

// The files that list requirements: requirements.txt, what it includes ("-r other.txt"), and those
// of the folder "requirements", of which a program may use any.
std::vector<std::string> requirementFiles(const Snapshot& snapshot, llvm::StringRef folder) {
  constexpr size_t most = 32;
  std::vector<std::string> files = {"requirements.txt", "requirements-dev.txt"}, listed;
  eachIn(folder + "/requirements", [&](llvm::StringRef name) {
    if (name.ends_with(".txt")) listed.push_back(("requirements/" + name).str());
    return false;
  });
  llvm::sort(listed);
  llvm::append_range(files, listed);
  for (size_t at = 0; at < files.size() && files.size() < most; ++at)
    if (auto file = snapshot.found((folder + "/" + files[at]).str()))
      for (llvm::StringRef line : llvm::split(file->text().text(), '\n')) {
        line = line.trim();
        if (!line.consume_front("-r") && !line.consume_front("--requirement")) continue;
        llvm::SmallString<128> included(path::parent_path(files[at]));
        path::append(included, line.ltrim(" =\t").split('#').first.rtrim());
        if (!llvm::is_contained(files, included.str())) files.push_back(included.str().str());
      }
  return files;
}

std::optional<ChosenRelease> requiredIn(const Snapshot& snapshot, const std::string& folder) {
  auto choose = [](llvm::ArrayRef<std::string> requirements,
                   llvm::StringRef file) -> std::optional<ChosenRelease> {
    for (const std::string& each : requirements)
      if (auto release = releases::required(each))
        return ChosenRelease{*release, (file + " requires " + llvm::StringRef(each).trim()).str()};
    return std::nullopt;
  };
  if (auto file = snapshot.found(folder + "/" + projectFileName.str()))
    if (auto chosen = choose(readRequirements(file->text().text()), projectFileName)) return chosen;
  std::optional<ChosenRelease> oldest; // the one that all files allow
  for (const std::string& name : requirementFiles(snapshot, folder))
    if (auto file = snapshot.found(folder + "/" + name)) {
      std::vector<std::string> lines;
      for (llvm::StringRef line : llvm::split(file->text().text(), '\n'))
        lines.push_back(line.trim().str());
      auto chosen = choose(lines, name);
      if (chosen && (!oldest || chosen->release < oldest->release)) oldest = chosen;
    }
  return oldest;
}

ChosenRelease requiredFor(const Snapshot& snapshot, ReleaseCache& cache, llvm::StringRef folder) {
  std::vector<std::string> passed;
  ChosenRelease found;
  for (llvm::StringRef at = folder; !at.empty(); at = path::parent_path(at)) {
    if (auto it = cache.required.find(at); it != cache.required.end()) {
      found = it->second;
      break;
    }
    passed.push_back(at.str());
    if (auto chosen = requiredIn(snapshot, at.str())) {
      found = *chosen;
      break;
    }
  }
  for (const std::string& each : passed)
    cache.required[each] = found;
  return found;
}

} // namespace

std::string installedTriton(llvm::StringRef environment) {
  if (environment.empty()) return "";
  std::string found = tritonIn(environment + "/Lib/site-packages"); // Windows
  for (llvm::StringRef lib : {"lib", "lib64"})
    eachIn(environment + "/" + lib, [&](llvm::StringRef python) {
      if (found.empty() && python.starts_with("python"))
        found = tritonIn(environment + "/" + lib + "/" + python + "/site-packages");
      return !found.empty();
    });
  return found;
}

ChosenRelease tritonOf(const Snapshot& snapshot, llvm::StringRef file) {
  auto settings = snapshot.settingsOf(file);
  if (auto release = releases::parse(settings->triton)) return {*release, "the setting 'triton'"};
  ReleaseCache& cache = snapshot.cache<ReleaseCache>();
  std::lock_guard lock(cache.mutex);
  if (cache.generation != snapshot.diskGeneration()) {
    cache.installed.clear();
    cache.required.clear();
    cache.generation = snapshot.diskGeneration();
  }
  std::string environment = settings->pythonEnvironment;
  for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
    if (environment.empty()) environment = llvm::sys::Process::GetEnv(name).value_or("");
  auto [it, isNew] = cache.installed.try_emplace(environment);
  if (isNew) it->second = installedTriton(environment);
  if (auto release = releases::closest(it->second))
    return {*release, environment + " has Triton " + it->second};
  return requiredFor(snapshot, cache, path::parent_path(file));
}

} // namespace gluond::driver
