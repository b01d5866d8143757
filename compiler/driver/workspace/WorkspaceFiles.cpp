#include "driver/workspace/WorkspaceFiles.h"

#include "driver/notebooks/NotebookFile.h"
#include "driver/workspace/ProjectFolder.h"
#include "files/GitIgnore.h"
#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <algorithm>

namespace gluond::driver {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

files::Walked programsBelow(llvm::StringRef folder,
                            llvm::function_ref<bool(llvm::StringRef)> isExcluded,
                            const CancellationToken& token, const files::WalkLimits& limits,
                            llvm::ArrayRef<llvm::StringRef> endings) {
  files::GitIgnore git(folder);
  auto hasPrograms = [&](llvm::StringRef inner) {
    llvm::StringRef name = path::filename(inner);
    return !name.starts_with(".") && !isPassedOver(name) && name != "site-packages" &&
           !isExcluded(inner) && !fs::exists(folder + "/" + inner + "/pyvenv.cfg") &&
           !git.ignores(inner, true);
  };
  auto isProgram = [&](llvm::StringRef file) {
    return llvm::any_of(endings, [&](llvm::StringRef each) { return file.ends_with(each); }) &&
           !isExcluded(file) && !git.ignores(file, false);
  };
  return files::walk(folder, hasPrograms, isProgram, token, limits);
}

std::shared_ptr<const std::vector<std::string>> pythonFiles(const Snapshot& snapshot,
                                                            CancellationToken token) {
  FileListing& kept = snapshot.cache<FileListing>();
  std::lock_guard lock(kept.mutex);
  const std::vector<std::string>& roots = snapshot.settings().roots;
  if (!kept.files || kept.generation != snapshot.diskGeneration() || kept.roots != roots) {
    std::vector<std::string> files;
    auto isNever = [](llvm::StringRef) { return false; };
    for (const std::string& root : roots)
      for (const std::string& file : programsBelow(root, isNever, token).files)
        files.push_back((llvm::StringRef(root).rtrim('/') + "/" + file).str());
    if (token.isCancelled()) return std::make_shared<std::vector<std::string>>();
    std::sort(files.begin(), files.end());
    files.erase(std::unique(files.begin(), files.end()), files.end());
    kept.files = std::make_shared<std::vector<std::string>>(std::move(files));
    kept.generation = snapshot.diskGeneration();
    kept.roots = roots;
    kept.withWord.clear();
  }
  return kept.files;
}

// Those on disk that have `word`, read once per generation.
static std::vector<std::string> onDiskWith(const Snapshot& snapshot, llvm::StringRef word,
                                           const std::vector<std::string>& files,
                                           const CancellationToken& token) {
  constexpr size_t mostWords = 8;
  FileListing& kept = snapshot.cache<FileListing>();
  {
    std::lock_guard lock(kept.mutex);
    for (const auto& [known, paths] : kept.withWord)
      if (known == word && kept.generation == snapshot.diskGeneration()) return paths;
  }
  std::vector<std::string> paths, folders = snapshot.folders();
  for (const std::string& path : files) {
    if (token.isCancelled()) return {};
    auto text = files::readFileBeneath(folders, path, snapshot.settings().maxFileBytes);
    if (text && llvm::StringRef(*text).contains(word)) paths.push_back(path);
  }
  std::lock_guard lock(kept.mutex);
  if (kept.generation == snapshot.diskGeneration()) {
    kept.withWord.remove_if([&](const auto& each) { return each.first == word; });
    kept.withWord.emplace_back(word.str(), paths);
    if (kept.withWord.size() > mostWords) kept.withWord.pop_front();
  }
  return paths;
}

std::vector<std::shared_ptr<const File>> filesWith(const Snapshot& snapshot, llvm::StringRef word,
                                                   CancellationToken token) {
  std::vector<std::shared_ptr<const File>> found;
  auto listed = pythonFiles(snapshot, token);
  std::vector<std::string> paths = onDiskWith(snapshot, word, *listed, token);
  llvm::append_range(paths, snapshot.openPaths());
  std::sort(paths.begin(), paths.end());
  paths.erase(std::unique(paths.begin(), paths.end()), paths.end());
  for (const std::string& path : paths) {
    if (token.isCancelled()) return {};
    auto file = snapshot.found(path);
    if (file && file->text().text().contains(word)) found.push_back(std::move(file));
  }
  return found;
}

std::vector<std::shared_ptr<const File>>
notebooksWith(const Snapshot& snapshot, llvm::StringRef word, const CancellationToken& token) {
  std::vector<std::shared_ptr<const File>> found;
  auto isNever = [](llvm::StringRef) { return false; };
  for (const std::string& root : snapshot.settings().roots)
    for (const std::string& name : programsBelow(root, isNever, token, {}, {".ipynb"}).files) {
      std::string path = (llvm::StringRef(root).rtrim('/') + "/" + name).str();
      if (token.isCancelled()) return {};
      auto json = files::readFileBeneath(snapshot.folders(), path, mostNotebookBytes);
      if (!json || !llvm::StringRef(*json).contains(word)) continue;
      if (auto file = snapshot.found(path)) found.push_back(std::move(file));
    }
  llvm::sort(found, [](const auto& a, const auto& b) { return a->path() < b->path(); });
  return found;
}

} // namespace gluond::driver
