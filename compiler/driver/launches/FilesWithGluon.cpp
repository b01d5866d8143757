#include "driver/launches/FilesWithGluon.h"

#include "codegen/suggestions/Suggest.h"
#include "driver/notebooks/NotebookFile.h"
#include "driver/users/Importers.h"
#include "driver/users/NameScan.h"
#include "driver/workspace/AbsentModules.h"
#include "driver/workspace/Imports.h"
#include "driver/workspace/ProjectPrograms.h"
#include "files/ReadFile.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringMap.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>

#include <map>

namespace gluond::driver {

namespace {

constexpr llvm::StringLiteral word = "gluon";

// Returns the files of the projects to which the paths belong, without the paths.
std::vector<std::string> othersOf(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> folders = snapshot.folders();
  llvm::StringSet<> parents, projects, given;
  std::vector<std::string> others;
  for (const std::string& file : paths)
    given.insert(file);
  for (const std::string& file : paths) {
    if (!parents.insert(llvm::sys::path::parent_path(file)).second) continue;
    SearchedFolder project = searchedFolderOf(file, snapshot.settings().roots, folders);
    if (project.path.empty() || !project.isDeep || !projects.insert(project.path).second) continue;
    auto programs = programsOf(snapshot, project, {});
    for (const std::string& other : *programs->files)
      if (given.insert(other).second) others.push_back(other);
  }
  return others;
}

// Files that imports may mean, found by the last part of a module's name: each import of thousands
// of files is compared with those of that name, and not with hundreds of files.
class FilesByName {
public:
  void add(llvm::StringRef file) {
    files_[moduleNameOf(file)].push_back(file.str());
    isAny_ = true;
  }
  // Whether mayMean() holds for one of them.
  bool mayBeMeant(llvm::StringRef user, llvm::StringRef module, unsigned level) const {
    if (module.empty() && level == 0) return isAny_;
    // `from . import name` means a package.
    auto found = files_.find(module.empty() ? llvm::sys::path::filename(folderOfImport(user, level))
                                            : module.substr(module.rfind('.') + 1));
    return found != files_.end() && llvm::any_of(found->second, [&](llvm::StringRef file) {
             return mayMean(user, module, level, file);
           });
  }

private:
  llvm::StringMap<std::vector<std::string>> files_;
  bool isAny_ = false;
};

// Imports that fail beside kernels: such a file was meant to use one.
class FailedImports {
public:
  // `sources` are the files with kernels, and those that others import kernels from.
  FailedImports(const Snapshot& snapshot, llvm::ArrayRef<std::string> kernels,
                const llvm::StringSet<>& sources)
      : snapshot_(snapshot), kernels_(kernels), sources_(sources) {
    for (const std::string& kernel : kernels)
      folders_.insert(llvm::sys::path::parent_path(kernel));
    for (llvm::StringRef source : sources.keys())
      sourcesByName_.add(source);
  }

  bool contains(const std::string& file, const ScannedImport& import) {
    if (lacksModule(file, import)) return true;
    return import.isFrom && !import.isStar && lacksName(file, import);
  }

private:
  // A module in a folder with kernels.
  bool lacksModule(const std::string& file, const ScannedImport& import) {
    llvm::StringRef module = import.module;
    if (module.empty()) return false;
    llvm::StringRef here = llvm::sys::path::parent_path(file);
    llvm::StringRef folder = module.contains('.') ? module.rsplit('.').first : "";
    bool isNear = false;
    if (import.level == 0 && folder.empty())
      isNear = llvm::any_of(kernels_, [&](llvm::StringRef kernel) {
        return llvm::sys::path::parent_path(kernel) == here &&
               codegen::isSlip(module, moduleNameOf(kernel));
      });
    else
      isNear = llvm::any_of(folders_.keys(), [&](llvm::StringRef each) {
        return mayMean(file, folder, import.level, each.str() + "/__init__.py");
      });
    if (!isNear || findImport(snapshot_, file, module, import.level)) return false;
    if (import.level == 0 && folder.empty()) return true;
    llvm::SmallVector<llvm::StringRef> parts;
    module.split(parts, '.');
    return absentModule(snapshot_, file, parts, import.level).has_value();
  }

  // A name of a file with kernels, or of one that imports them.
  bool lacksName(const std::string& file, const ScannedImport& import) {
    if (!sourcesByName_.mayBeMeant(file, import.module, import.level)) return false;
    auto from = findImport(snapshot_, file, import.module, import.level);
    if (!from || !sources_.contains(from->path())) return false;
    const std::optional<llvm::StringSet<>>& bound = boundBy(*from);
    return bound && llvm::any_of(import.names, [&](const auto& name) {
             std::string module = (import.module.empty() ? "" : import.module + ".") + name.first;
             return !bound->contains(name.first) &&
                    !findImport(snapshot_, file, module, import.level);
           });
  }

  // The names that the top level of a file binds; nullopt if they are not known by its text.
  const std::optional<llvm::StringSet<>>& boundBy(const File& file) {
    auto [known, isNew] = bound_.try_emplace(file.path());
    if (!isNew) return known->second; // nullopt for a circle of imports
    llvm::StringRef text = file.text().text();
    if (text.contains("__getattr__") || text.contains("globals()")) return known->second;
    auto scan = NameScan::of(text, nullptr);
    if (!scan) return known->second;
    llvm::StringSet<> names;
    for (const auto& piece : scan->pieces())
      for (llvm::StringRef name : piece->statement.binds)
        names.insert(name);
    for (const ScannedImport& import : scan->imports()->imports) {
      if (!import.isStar) continue;
      auto from = findImport(snapshot_, file.path(), import.module, import.level);
      const std::optional<llvm::StringSet<>>* inner = from ? &boundBy(*from) : nullptr;
      if (!inner || !*inner) return bound_[file.path()];
      for (llvm::StringRef name : (*inner)->keys())
        names.insert(name);
    }
    return bound_[file.path()] = std::move(names);
  }

  const Snapshot& snapshot_;
  llvm::ArrayRef<std::string> kernels_;
  const llvm::StringSet<>& sources_;
  FilesByName sourcesByName_;
  llvm::StringSet<> folders_;
  std::map<std::string, std::optional<llvm::StringSet<>>> bound_;
};

} // namespace

std::vector<bool> concernedWithGluon(const Snapshot& snapshot, llvm::ArrayRef<std::string> paths) {
  std::vector<std::string> folders = snapshot.folders();
  auto textOf = [&](const std::string& file) {
    size_t most = isNotebook(file) ? mostNotebookBytes : snapshot.settings().maxFileBytes;
    return files::readFileBeneath(folders, file, most);
  };
  std::vector<bool> concerned(paths.size(), false);
  std::vector<std::string> kernels; // files that define some
  for (size_t i = 0; i < paths.size(); ++i) {
    auto text = textOf(paths[i]);
    if (isNotebook(paths[i])) { // nothing imports it
      concerned[i] = text && llvm::StringRef(*text).contains(word);
      continue;
    }
    concerned[i] = !text || llvm::StringRef(*text).contains(word); // read errors are reported later
    if (text && concerned[i] && llvm::StringRef(*text).contains("jit")) kernels.push_back(paths[i]);
  }
  for (std::string& other : othersOf(snapshot, paths))
    if (auto text = textOf(other);
        text && llvm::StringRef(*text).contains(word) && llvm::StringRef(*text).contains("jit"))
      kernels.push_back(std::move(other));
  if (kernels.empty()) return concerned;
  llvm::StringSet<> users, known;
  for (const std::string& file : paths)
    known.insert(file);
  for (const std::string& kernel : kernels) {
    // Importing it runs the packages that contain it.
    for (auto folder = llvm::sys::path::parent_path(kernel); !folder.empty();
         folder = llvm::sys::path::parent_path(folder)) {
      std::string package = (folder + "/__init__.py").str();
      if (!known.contains(package)) break;
      users.insert(package);
    }
    if (auto file = snapshot.found(kernel))
      if (auto importers = importersOf(snapshot, file, {}, Names::OfKernels, Importers::User::near))
        for (const auto& user : importers->files)
          if (user.isNear()) users.insert(user.file->path());
  }
  // An import may be wrong, so that its file uses no kernel.
  FilesByName kernelsByName;
  for (const std::string& kernel : kernels)
    kernelsByName.add(kernel);
  auto isImportOfKernels = [&](const std::string& file, const ScannedImport& import) {
    return kernelsByName.mayBeMeant(file, import.module, import.level) ||
           llvm::any_of(import.names, [&](const auto& name) {
             return kernelsByName.mayBeMeant(
                 file, import.module.empty() ? name.first : import.module + "." + name.first,
                 import.level);
           });
  };
  llvm::StringSet<> sources = users;
  for (const std::string& kernel : kernels)
    sources.insert(kernel);
  FailedImports failed(snapshot, kernels, sources);
  for (size_t i = 0; i < paths.size(); ++i) {
    if (!concerned[i]) concerned[i] = users.contains(paths[i]);
    if (concerned[i] || isNotebook(paths[i])) continue;
    auto text = textOf(paths[i]);
    auto imported = text ? scanImports(*text) : std::nullopt;
    concerned[i] =
        imported && llvm::any_of(imported->imports, [&](const ScannedImport& import) {
          return isImportOfKernels(paths[i], import) || failed.contains(paths[i], import);
        });
  }
  return concerned;
}

} // namespace gluond::driver
