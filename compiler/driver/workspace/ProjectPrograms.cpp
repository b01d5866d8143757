#include "driver/workspace/ProjectPrograms.h"

#include "driver/workspace/WorkspaceFiles.h"
#include "support/Allowance.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

constexpr llvm::StringLiteral packageFile = "/__init__.py";

std::shared_ptr<const ProjectPrograms> list(const SearchedFolder& folder,
                                            const CancellationToken& token) {
  Unpaid everybodys; // listing a project is no file's own work
  files::Walked walked = programsBelow(
      folder.path, [&](llvm::StringRef name) { return !folder.isDeep && !name.ends_with(".py"); },
      token);
  if (token.isCancelled()) return nullptr;
  auto programs = std::make_shared<ProjectPrograms>();
  programs->isWhole = walked.isWhole;
  auto files = std::make_shared<std::vector<std::string>>();
  for (const std::string& file : walked.files)
    files->push_back((llvm::StringRef(folder.path).rtrim('/') + "/" + file).str());
  llvm::sort(*files);
  llvm::StringSet<> packages;
  for (llvm::StringRef file : *files)
    if (file.consume_back(packageFile)) packages.insert(file);
  for (llvm::StringRef file : *files)
    if (file.consume_back(packageFile) && !packages.contains(path::parent_path(file)))
      programs->packages[path::filename(file)].push_back(path::parent_path(file).str());
  programs->files = std::move(files);
  return programs;
}

// A distribution is installed from its folder or from one in it, such as src/ and python/.
bool isInstalledFrom(llvm::StringRef folder) {
  for (llvm::StringRef at : {folder, path::parent_path(folder)})
    for (llvm::StringRef marker : {"pyproject.toml", "setup.py", "setup.cfg"})
      if (llvm::sys::fs::exists(at + "/" + marker)) return true;
  return false;
}

size_t sharedLength(llvm::StringRef a, llvm::StringRef b) {
  return static_cast<size_t>(std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first -
                             a.begin());
}

} // namespace

std::shared_ptr<const ProjectPrograms>
programsOf(const Snapshot& snapshot, const SearchedFolder& folder, const CancellationToken& token) {
  ProjectListing& listing = snapshot.cache<ProjectListing>();
  std::lock_guard lock(listing.mutex);
  ProjectListing::Listed& kept = listing.listed[folder.path];
  if (kept.programs && kept.generation == snapshot.diskGeneration()) return kept.programs;
  auto programs = list(folder, token);
  if (programs) kept = {snapshot.diskGeneration(), programs};
  return programs;
}

SearchedFolder searchedFolderOf(const Snapshot& snapshot, llvm::StringRef file) {
  std::vector<std::string> folders = snapshot.folders();
  const std::vector<std::string>& roots = snapshot.settings().roots;
  ProjectListing& listing = snapshot.cache<ProjectListing>();
  std::lock_guard lock(listing.mutex);
  ProjectListing::Searched& kept = listing.searched[file];
  if (kept.generation != snapshot.diskGeneration() || kept.roots != roots ||
      kept.folders != folders)
    kept = {snapshot.diskGeneration(), roots, folders, searchedFolderOf(file, roots, folders)};
  return kept.folder;
}

std::vector<std::string> installedPackages(const Snapshot& snapshot, llvm::StringRef file,
                                           llvm::StringRef package) {
  SearchedFolder project = searchedFolderOf(snapshot, file);
  if (project.path.empty() || !project.isDeep) return {};
  auto programs = programsOf(snapshot, project, {});
  auto it = programs->packages.find(package);
  if (it == programs->packages.end()) return {};
  std::vector<std::string> folders;
  llvm::copy_if(it->second, std::back_inserter(folders), isInstalledFrom);
  llvm::sort(folders, [&](const std::string& a, const std::string& b) {
    return std::pair(sharedLength(b, file), a) < std::pair(sharedLength(a, file), b);
  });
  return folders;
}

} // namespace gluond::driver
