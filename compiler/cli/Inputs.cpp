#include "cli/Inputs.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

namespace gluond::cli {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

bool skipped(llvm::StringRef folder) {
  return folder.starts_with(".") || folder == "__pycache__" || folder == "node_modules";
}

void collectFolder(const std::string& folder, std::vector<std::string>& files,
                   std::vector<std::string>& problems) {
  std::error_code error;
  std::vector<std::string> inside, folders;
  for (fs::directory_iterator it(folder, error, /*follow_symlinks=*/true), end; it != end && !error;
       it.increment(error)) {
    llvm::StringRef name = path::filename(it->path());
    llvm::ErrorOr<fs::basic_file_status> status = it->status();
    if (!status) continue; // a dangling link
    if (status->type() == fs::file_type::directory_file && !skipped(name) &&
        !fs::is_symlink_file(it->path()))
      folders.push_back(it->path());
    else if (status->type() == fs::file_type::regular_file && name.ends_with(".py"))
      inside.push_back(it->path());
  }
  if (error) problems.push_back("cannot read '" + folder + "': " + error.message());
  llvm::sort(inside);
  llvm::sort(folders);
  llvm::append_range(files, inside);
  for (const std::string& each : folders)
    collectFolder(each, files, problems);
}

} // namespace

std::string absolutePath(const std::string& given) {
  llvm::SmallString<256> absolute(given);
  fs::make_absolute(absolute);
  path::remove_dots(absolute, /*remove_dot_dot=*/true);
  return absolute.str().str();
}

Inputs collectInputs(const std::vector<std::string>& paths) {
  Inputs inputs;
  llvm::StringSet<> seen;
  auto add = [&](const std::string& file) {
    std::string absolute = absolutePath(file);
    if (seen.insert(absolute).second) inputs.files.push_back({absolute, file});
  };
  for (const std::string& given : paths) {
    fs::file_status status;
    if (std::error_code error = fs::status(given, status)) {
      inputs.problems.push_back("cannot read '" + given + "': " + error.message());
    } else if (fs::is_directory(status)) {
      std::vector<std::string> files;
      collectFolder(given, files, inputs.problems);
      llvm::for_each(files, add);
      if (files.empty()) inputs.problems.push_back("no *.py in '" + given + "'");
    } else {
      add(given);
    }
  }
  return inputs;
}

} // namespace gluond::cli
