#include "driver/workspace/ProjectPrograms.h"

#include "driver/workspace/WorkspaceFiles.h"
#include "support/Allowance.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

namespace {

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
  programs->files = std::move(files);
  return programs;
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

} // namespace gluond::driver
