#include "driver/launches/Importers.h"

#include "driver/workspace/Imports.h"
#include "driver/workspace/ProjectFolder.h"
#include "driver/workspace/WorkspaceFiles.h"
#include "files/ReadFile.h"
#include "support/Allowance.h"
#include "support/Parallel.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

#include <deque>
#include <sys/stat.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

bool mayMean(llvm::StringRef user, llvm::StringRef module, unsigned level, llvm::StringRef file) {
  file.consume_back(".py");
  file.consume_back("/__init__");
  for (; !module.empty(); file = path::parent_path(file)) {
    auto [before, last] = module.rsplit('.');
    if (last.empty()) std::swap(before, last);
    if (path::filename(file) != last) return false;
    module = module == last ? llvm::StringRef() : before;
  }
  llvm::StringRef folder = path::parent_path(user);
  for (unsigned i = 1; i < level; ++i)
    folder = path::parent_path(folder);
  return level == 0 || file == folder;
}

namespace {

// The module names by which import statements refer to a file: its own, or its package's. The dots
// of relative imports may also refer to a package.
llvm::SmallVector<llvm::StringRef, 2> moduleNames(llvm::StringRef file) {
  if (path::stem(file) != "__init__") return {moduleNameOf(file)};
  return {moduleNameOf(file), "."};
}

std::shared_ptr<const NameScan> scanOf(const Snapshot& snapshot, const File& file) {
  ImportIndex& index = snapshot.cache<ImportIndex>();
  return file.derived<NameScan>([&] {
    std::shared_ptr<const NameScan> before;
    {
      std::lock_guard lock(index.scanMutex);
      before = index.scans.lookup(file.path());
    }
    auto scan = NameScan::of(file.text().text(), before.get());
    if (snapshot.isOpen(file.path())) { // the others do not change with each key
      std::lock_guard lock(index.scanMutex);
      index.scans[file.path()] = scan;
    }
    return scan;
  });
}

// Returns the imports of a folder's files as they are on disk now, or null if cancelled.
std::shared_ptr<const ImportIndex::Project>
projectIn(const Snapshot& snapshot, const SearchedFolder& folder, const CancellationToken& token) {
  ImportIndex& index = snapshot.cache<ImportIndex>();
  std::lock_guard lock(index.mutex);
  std::shared_ptr<const ImportIndex::Project>& kept = index.projects[folder.path];
  if (kept && kept->generation == snapshot.diskGeneration()) return kept;
  Unpaid everybodys; // reading a project is no file's own work
  auto project = std::make_shared<ImportIndex::Project>();
  files::Walked walked = programsBelow(
      folder.path, [&](llvm::StringRef name) { return !folder.isDeep && !name.ends_with(".py"); },
      token);
  if (token.isCancelled()) return nullptr;
  project->isWhole = walked.isWhole;
  auto files = std::make_shared<std::vector<std::string>>();
  for (const std::string& file : walked.files)
    files->push_back((llvm::StringRef(folder.path).rtrim('/') + "/" + file).str());
  llvm::sort(*files);
  std::vector<ImportIndex::Entry*> changed;
  std::vector<const std::string*> changedPaths;
  std::vector<ImportIndex::Entry*> entries;
  for (const std::string& file : *files) {
    ImportIndex::Entry& entry = index.entries[file];
    entries.push_back(&entry);
    struct stat status{};
    bool isFile = ::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    int64_t modified = status.st_mtim.tv_sec * 1'000'000'000 + status.st_mtim.tv_nsec;
    auto bytes = static_cast<uint64_t>(status.st_size);
    if (isFile && entry.imports && entry.modifiedNanoseconds == modified && entry.bytes == bytes)
      continue;
    entry = {nullptr, modified, bytes};
    if (!isFile) continue;
    changed.push_back(&entry);
    changedPaths.push_back(&file);
  }
  std::vector<std::string> folders = {folder.path};
  forEachInParallel(changed.size(), changed.size() < 64 ? 1 : std::min(machineThreads(), 8u),
                    [&](size_t i, unsigned) {
                      if (token.isCancelled()) return;
                      auto text = files::readFileBeneath(folders, *changedPaths[i],
                                                         snapshot.settings().maxFileBytes);
                      changed[i]->imports = std::make_shared<const ScannedImports>(
                          text ? scanImports(*text) : ScannedImports());
                    });
  if (token.isCancelled()) {
    for (ImportIndex::Entry* each : changed)
      each->imports = nullptr;
    return nullptr;
  }
  for (size_t i = 0; i < entries.size(); ++i) {
    project->imports.push_back(entries[i]->imports);
    if (!entries[i]->imports) continue;
    forEachWord(*entries[i]->imports, [&](llvm::StringRef word) {
      std::vector<uint32_t>& users = project->byWord[word];
      if (users.empty() || users.back() != i) users.push_back(static_cast<uint32_t>(i));
    });
  }
  project->files = std::move(files);
  project->generation = snapshot.diskGeneration();
  return kept = project;
}

// The names of interest in a file: those that it binds, and those that it can only reach as members
// (of an imported module).
struct Interest {
  llvm::StringSet<> names, members;

  bool covers(llvm::StringRef mention) const {
    char first = mention.front();
    if (first == '.') return members.contains(mention.drop_front());
    if (first == '"' || first == '\'') return members.contains(mention.drop_front());
    return names.contains(mention);
  }
  size_t size() const { return names.size() + members.size(); }
};

// Adds to `interest` the names bound by statements that mention one of its names. Returns true if
// there is such a statement besides imports.
bool spread(const NameScan& scan, Interest& interest) {
  std::vector<bool> isUsing(scan.pieces().size());
  bool isUsed = false;
  for (bool isGrowing = true; isGrowing;) {
    isGrowing = false;
    for (const auto& [i, piece] : llvm::enumerate(scan.pieces())) {
      const ScannedStatement& statement = piece->statement;
      if (isUsing[i] || statement.isImport ||
          llvm::none_of(statement.mentions,
                        [&](llvm::StringRef mention) { return interest.covers(mention); }))
        continue;
      isUsing[i] = isUsed = true;
      for (llvm::StringRef name : statement.binds)
        isGrowing |= interest.names.insert(name).second;
    }
  }
  return isUsed;
}

// The jit functions of a file, and names derived from them.
llvm::StringSet<> kernelNames(const NameScan& scan) {
  Interest interest;
  for (const auto& piece : scan.pieces()) {
    const ScannedStatement& statement = piece->statement;
    if (!statement.isImport && (statement.hasMention("jit") || statement.hasMention(".jit")))
      for (llvm::StringRef name : statement.binds)
        interest.names.insert(name);
  }
  if (!interest.names.empty()) spread(scan, interest);
  return std::move(interest.names);
}

class Search {
public:
  Search(const Snapshot& snapshot, const ImportIndex::Project& project,
         const CancellationToken& token)
      : snapshot_(snapshot), project_(project), token_(token) {
    for (const std::string& open : snapshot.openPaths())
      if (open.ends_with(".py") && path::is_absolute(open)) open_.push_back(open);
    llvm::sort(open_);
  }

  // Returns false if no other file mentions it in an import.
  bool mayBeImported(const std::string& file) const {
    if (path::filename(file) == "conftest.py") return true;
    bool isAny = false;
    forEachCandidate(
        file, [&](const std::string& user, const ScannedImports&) { isAny |= user != file; });
    return isAny;
  }

  // Returns false if cancelled.
  bool run(const std::string& file, llvm::StringSet<> names) {
    files_[file].interest.names = std::move(names);
    queue_.push_back(file);
    while (!queue_.empty()) {
      if (token_.isCancelled()) return false;
      std::string next = std::move(queue_.front());
      queue_.pop_front();
      if (files_.size() > mostFiles || ++steps_ > mostSteps) {
        isWhole = false;
        break;
      }
      importersOf(next);
    }
    files_.erase(file);
    return true;
  }

  // The users of the file, nearest first: by the number of imports between them, then by path.
  std::vector<std::string> users() const {
    std::vector<std::pair<unsigned, std::string>> sorted;
    for (const auto& [path, state] : files_)
      if (state.isUser) sorted.emplace_back(state.distance, path);
    llvm::sort(sorted);
    std::vector<std::string> paths;
    for (auto& [distance, path] : sorted)
      paths.push_back(std::move(path));
    return paths;
  }
  bool isWhole = true;

private:
  static constexpr size_t mostFiles = 1000, mostSteps = 4000;

  // Visits each file that imports something by one of the file's names.
  void forEachCandidate(
      const std::string& file,
      llvm::function_ref<void(const std::string&, const ScannedImports&)> visit) const {
    for (llvm::StringRef word : moduleNames(file)) {
      if (auto it = project_.byWord.find(word); it != project_.byWord.end())
        for (uint32_t i : it->second)
          if (!snapshot_.isOpen((*project_.files)[i]))
            visit((*project_.files)[i], *project_.imports[i]);
      for (const std::string& open : open_) {
        if (open == file) continue;
        auto scan = scanOf(snapshot_, *snapshot_.found(open));
        bool has = false;
        forEachWord(scan->imports(), [&](llvm::StringRef each) { has |= each == word; });
        if (has) visit(open, scan->imports());
      }
    }
  }

  void importersOf(const std::string& file) {
    forEachCandidate(file, [&](const std::string& user, const ScannedImports& imports) {
      look(user, imports, file);
    });
    if (path::filename(file) == "conftest.py") testsBeside(file);
  }

  // pytest passes the fixtures of a conftest.py to the tests in its folder and below.
  void testsBeside(const std::string& conftest) {
    std::string folder = path::parent_path(conftest).str() + "/";
    auto isTest = [&](llvm::StringRef each) {
      llvm::StringRef name = path::filename(each);
      return each.starts_with(folder) &&
             (name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py");
    };
    for (const std::string& each : *project_.files)
      if (isTest(each)) use(each, {files_[conftest].interest.names, {}}, {}, conftest);
    for (const std::string& each : open_)
      if (isTest(each)) use(each, {files_[conftest].interest.names, {}}, {}, conftest);
  }

  // Checks whether `user` imports `file`, whose names are known, and which of its names it uses.
  void look(const std::string& user, const ScannedImports& scanned, const std::string& file) {
    if (user == file) return;
    const llvm::StringSet<>& of = files_[file].interest.names; // of another file than grows
    Interest taken;
    const State& source = files_[file];
    llvm::StringSet<> modules; // that `user` binds
    bool isResolved = false, isModule = false;
    for (const ScannedImport& import : scanned.imports) {
      if (means(user, import.module, import.level, file)) {
        isResolved = true;
        isModule |= !import.isFrom;
        if (import.isStar) {
          for (const auto& name : of)
            taken.names.insert(name.getKey());
          isModule |= !source.modules.empty();
        }
        for (const auto& [name, bound] : import.names)
          if (of.contains(name))
            taken.names.insert(bound);
          else
            isModule |= source.modules.contains(name);
      }
      for (const auto& [name, bound] : import.names)
        if (means(user, import.module.empty() ? name : import.module + "." + name, import.level,
                  file)) {
          isResolved = isModule = true;
          modules.insert(bound);
        }
      // `import a.b` is also an import of a.
      llvm::StringRef above = import.module;
      while (!import.isFrom && above.contains('.')) {
        above = above.rsplit('.').first;
        if (means(user, above, import.level, file)) isResolved = isModule = true;
      }
    }
    // By sys.path, or by a name in a string.
    if (!isResolved && scanned.isDynamic) {
      isModule = true;
      for (const ScannedImport& import : scanned.imports) {
        if (!mayMean(user, import.module, import.level, file)) continue;
        for (const auto& name : of)
          if (import.isStar) taken.names.insert(name.getKey());
        for (const auto& [name, bound] : import.names)
          if (of.contains(name)) taken.names.insert(bound);
      }
    }
    if (isModule) {
      for (const auto& name : of)
        taken.members.insert(name.getKey());
      if (!source.modules.empty()) // whose members are members of members
        for (const auto& name : source.interest.members)
          taken.members.insert(name.getKey());
    }
    if (taken.size() > 0) use(user, taken, modules, file);
  }

  bool means(const std::string& user, llvm::StringRef module, unsigned level,
             const std::string& file) {
    if (!mayMean(user, module, level, file)) return false;
    auto found = findImport(snapshot_, user, module, level);
    return found && found->path() == file;
  }

  void use(const std::string& user, const Interest& taken, const llvm::StringSet<>& modules,
           const std::string& from) {
    auto file = snapshot_.found(user);
    if (!file) return;
    auto [it, isNew] = files_.try_emplace(user);
    State& state = it->second;
    if (isNew) state.distance = files_[from].distance + 1;
    size_t before = state.interest.size();
    for (const auto& name : taken.names)
      state.interest.names.insert(name.getKey());
    for (const auto& name : taken.members)
      state.interest.members.insert(name.getKey());
    size_t boundBefore = state.modules.size();
    for (const auto& name : modules)
      state.modules.insert(name.getKey());
    if (!isNew && state.interest.size() == before && state.modules.size() == boundBefore) return;
    state.isUser = spread(*scanOf(snapshot_, *file), state.interest);
    queue_.push_back(user);
  }

  const Snapshot& snapshot_;
  const ImportIndex::Project& project_;
  const CancellationToken& token_;
  std::vector<std::string> open_;
  struct State {
    Interest interest;
    llvm::StringSet<> modules; // that it imports under a name, and that others reach through it
    unsigned distance = 0;
    bool isUser = false;
  };
  std::map<std::string, State> files_;
  size_t steps_ = 0;
  std::deque<std::string> queue_;
};

uint64_t mix(uint64_t hash, uint64_t more) {
  return (hash ^ more) * 0x9E3779B97F4A7C15u + (hash >> 31);
}

// Everything that an answer depends on.
uint64_t keyOf(const Snapshot& snapshot, const std::string& file, const llvm::StringSet<>& names,
               const ScannedImports& imports) {
  uint64_t hash = snapshot.diskGeneration(), sum = 0;
  for (const auto& name : names)
    sum += llvm::xxh3_64bits(name.getKey());
  forEachWord(imports, [&](llvm::StringRef word) { hash = mix(hash, llvm::xxh3_64bits(word)); });
  hash = mix(hash, sum);
  for (const std::string& open : snapshot.openPaths())
    if (open != file) sum += mix(llvm::xxh3_64bits(open), snapshot.found(open)->hash());
  for (const std::string& folder : snapshot.folders())
    hash = mix(hash, llvm::xxh3_64bits(folder));
  return mix(hash, sum);
}

// searchedFolderOf(), which looks for repositories on disk, once until the disk or the workspace is
// another one.
SearchedFolder searchedFor(const Snapshot& snapshot, const std::string& file) {
  std::vector<std::string> folders = snapshot.folders();
  const std::vector<std::string>& roots = snapshot.settings().roots;
  ImportIndex& index = snapshot.cache<ImportIndex>();
  std::lock_guard lock(index.mutex);
  ImportIndex::Searched& kept = index.searched[file];
  if (kept.generation != snapshot.diskGeneration() || kept.roots != roots ||
      kept.folders != folders)
    kept = {snapshot.diskGeneration(), roots, folders, searchedFolderOf(file, roots, folders)};
  return kept.folder;
}

} // namespace

bool reachesGluon(const Snapshot& snapshot, const File& file) {
  constexpr size_t mostFiles = 64;
  if (file.text().text().contains("gluon")) return true;
  llvm::StringSet<> seen = {file.path()};
  std::vector<std::shared_ptr<const File>> queue;
  auto addImports = [&](const File& importer) {
    auto add = [&](const std::string& module, unsigned level) {
      auto found = findImport(snapshot, importer.path(), module, level);
      if (found && queue.size() < mostFiles && seen.insert(found->path()).second)
        queue.push_back(std::move(found));
    };
    auto scan = scanOf(snapshot, importer);
    for (const ScannedImport& import : scan->imports().imports) {
      add(import.module, import.level);
      for (const auto& [name, bound] : import.names)
        add(import.module.empty() ? name : import.module + "." + name, import.level);
    }
  };
  addImports(file);
  for (size_t i = 0; i < queue.size(); ++i) {
    const File& imported = *queue[i]; // stays where it is when the queue grows
    if (imported.text().text().contains("gluon")) return true;
    addImports(imported);
  }
  return false;
}

std::shared_ptr<const Importers> importersOf(const Snapshot& snapshot,
                                             const std::shared_ptr<const File>& file,
                                             CancellationToken token) {
  auto result = std::make_shared<Importers>();
  if (!path::is_absolute(file->path())) return result; // a document without a path on disk
  if (!file->text().text().contains("jit")) return result;
  SearchedFolder folder = searchedFor(snapshot, file->path());
  static const auto nothing = std::make_shared<const ImportIndex::Project>(
      ImportIndex::Project{0, std::make_shared<std::vector<std::string>>(), true, {}, {}});
  auto project = folder.path.empty() ? nothing : projectIn(snapshot, folder, token);
  if (!project) return nullptr;
  result->isWhole = project->isWhole;
  Search search(snapshot, *project, token);
  if (!search.mayBeImported(file->path())) return result;
  auto scan = scanOf(snapshot, *file);
  llvm::StringSet<> names = kernelNames(*scan);
  if (names.empty()) return result;
  uint64_t key = keyOf(snapshot, file->path(), names, scan->imports());
  ImportIndex& index = snapshot.cache<ImportIndex>();
  std::optional<ImportIndex::Answer> answer;
  {
    std::lock_guard lock(index.mutex);
    if (auto it = index.answers.find(file->path());
        it != index.answers.end() && it->second.key == key)
      answer = it->second;
  }
  if (!answer) {
    if (!search.run(file->path(), std::move(names))) return nullptr;
    answer.emplace();
    answer->key = key;
    answer->isWhole = search.isWhole && project->isWhole;
    answer->paths = search.users();
    std::lock_guard lock(index.mutex);
    index.answers[file->path()] = *answer;
  }
  result->isWhole = answer->isWhole;
  for (const std::string& user : answer->paths)
    if (auto found = snapshot.found(user)) result->files.push_back(std::move(found));
  return result;
}

} // namespace gluond::driver
