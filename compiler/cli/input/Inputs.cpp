#include "cli/input/Inputs.h"

#include "driver/settings/Configuration.h"
#include "driver/workspace/WorkspaceFiles.h"
#include "files/GitIgnore.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <tuple>

namespace gluond::cli {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

// The files of a folder, then those of the folders in it, one after another.
bool isBefore(llvm::StringRef a, llvm::StringRef b) {
  while (true) {
    auto [firstOfA, restOfA] = a.split('/');
    auto [firstOfB, restOfB] = b.split('/');
    if (restOfA.empty() != restOfB.empty()) return restOfA.empty();
    if (firstOfA != firstOfB || restOfA.empty()) return firstOfA < firstOfB;
    a = restOfA;
    b = restOfB;
  }
}

std::vector<std::string> collectFolder(const std::string& folder,
                                       const std::vector<std::string>& excluded,
                                       std::vector<std::string>& problems,
                                       std::vector<std::string>& notes) {
  bool hasExcluded = false;
  auto isExcluded = [&](llvm::StringRef name) {
    bool matches = isExcludedBy(excluded, name);
    hasExcluded |= matches;
    return matches;
  };
  files::Walked walked = driver::programsBelow(absolutePath(folder), isExcluded, {},
                                               {.files = 100'000}, {".py", ".ipynb"});
  if (!walked.problem.empty())
    problems.push_back("cannot read '" + folder + "': " + walked.problem);
  else if (!walked.isWhole)
    problems.push_back("'" + folder + "' has more files or deeper folders than gluond searches");
  if (walked.files.empty()) {
    std::string what = "no *.py or *.ipynb in '" + folder + "'";
    if (hasExcluded)
      notes.push_back(what + " is left by --exclude");
    else
      problems.push_back(what);
  }
  llvm::sort(walked.files, isBefore);
  for (std::string& name : walked.files) {
    llvm::SmallString<256> whole(folder);
    path::append(whole, name);
    name = whole.str().str();
  }
  return std::move(walked.files);
}

} // namespace

std::string absolutePath(const std::string& given) {
  llvm::SmallString<256> absolute(given);
  std::ignore = fs::make_absolute(absolute); // without a current folder it stays unchanged
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

std::string asSeenFromHere(llvm::StringRef path) {
  path.consume_front(absolutePath(".") + "/");
  return path.str();
}

driver::SettingValues settingsOf(const std::vector<std::string>& given) {
  driver::SettingValues values;
  for (const std::string& each : given) {
    auto setting = driver::readSetting(each);
    if (!setting) continue;
    // A list is given one entry at a time.
    auto* entries = std::get_if<std::vector<std::string>>(&setting->value);
    auto earlier = llvm::find_if(
        values, [&](const driver::NamedSetting& known) { return known.name == setting->name; });
    if (entries && earlier != values.end())
      llvm::append_range(std::get<std::vector<std::string>>(earlier->value), *entries);
    else
      values.push_back(std::move(*setting));
  }
  return values;
}

bool isExcludedBy(const std::vector<std::string>& patterns, llvm::StringRef name) {
  return llvm::any_of(patterns, [&](llvm::StringRef pattern) {
    pattern.consume_front("./");
    pattern.consume_back("/");
    for (llvm::StringRef up = name; !up.empty(); up = path::parent_path(up))
      if (files::matchesGlob(pattern, up) ||
          (!pattern.contains('/') && files::matchesGlob(pattern, path::filename(up))))
        return true;
    return false;
  });
}

Inputs collectInputs(const std::vector<std::string>& paths,
                     const std::vector<std::string>& excluded) {
  Inputs inputs;
  llvm::StringSet<> seen;
  auto add = [&](const std::string& file, bool isNamed) {
    std::string absolute = absolutePath(file);
    if (!isNamed && !fs::exists(absolute)) return; // a dangling link
    if (seen.insert(absolute).second) inputs.files.push_back({absolute, file, isNamed});
  };
  for (const std::string& given : paths) {
    fs::file_status status;
    if (std::error_code error = fs::status(given, status)) {
      inputs.problems.push_back("cannot read '" + given + "': " + error.message());
    } else if (fs::is_directory(status)) {
      inputs.folders.push_back(absolutePath(given));
      for (const std::string& file : collectFolder(given, excluded, inputs.problems, inputs.notes))
        add(file, false);
    } else {
      add(given, true);
    }
  }
  return inputs;
}

} // namespace gluond::cli
