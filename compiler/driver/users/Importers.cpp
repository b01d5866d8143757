#include "driver/users/Importers.h"

#include "driver/users/HandedOver.h"
#include "driver/users/KernelNames.h"
#include "driver/workspace/Imports.h"
#include "driver/workspace/ProjectPrograms.h"
#include "evaluate/triton/TritonModules.h"
#include "files/ReadFile.h"
#include "support/Allowance.h"
#include "support/Parallel.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

#include <deque>
#include <optional>
#include <sys/stat.h>
#include <tuple>
#include <utility>

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
  return level == 0 || file == folderOfImport(user, level);
}

namespace {

// The module names by which import statements refer to a file: its own, or its package's. The dots
// of relative imports may also refer to a package.
llvm::SmallVector<llvm::StringRef, 2> moduleNames(llvm::StringRef file) {
  if (path::stem(file) != "__init__") return {moduleNameOf(file)};
  return {moduleNameOf(file), "."};
}

// What reading a project may cost at most, each time that files changed on disk, and what making an
// index of the names that they import may. The largest files are read last, so that they do not
// hide the others.
constexpr Allowance::Limits readingLimits{std::chrono::seconds(1), size_t{128} << 20};
constexpr Allowance::Limits indexLimits{std::chrono::milliseconds(500), size_t{128} << 20};

// Returns the imports of a folder's files as they are on disk now, or null if cancelled.
std::shared_ptr<const ImportIndex::Project>
projectIn(const Snapshot& snapshot, const SearchedFolder& folder, const CancellationToken& token) {
  ImportIndex& index = snapshot.cache<ImportIndex>();
  std::lock_guard lock(index.mutex);
  std::shared_ptr<const ImportIndex::Project>& kept = index.projects[folder.path];
  if (kept && kept->generation == snapshot.diskGeneration()) return kept;
  Unpaid everybodys; // reading a project is no file's own work
  Allowance allowanceOfReading(readingLimits), allowanceOfIndex(indexLimits);
  std::optional<Spending> spending(std::in_place, &allowanceOfReading);
  auto programs = programsOf(snapshot, folder, token);
  if (!programs) return nullptr;
  auto project = std::make_shared<ImportIndex::Project>();
  project->folder = folder.path;
  project->isWhole = programs->isWhole;
  struct Changed {
    ImportIndex::Entry* entry;
    const std::string* path;
    off_t bytes;
  };
  std::vector<Changed> changed;
  std::vector<ImportIndex::Entry*> entries;
  for (const std::string& file : *programs->files) {
    ImportIndex::Entry& entry = index.entries[file];
    entries.push_back(&entry);
    struct stat status{};
    bool isFile = ::lstat(file.c_str(), &status) == 0 && S_ISREG(status.st_mode);
    if (isFile && entry.imports && entry.stamp.isStillOf(status)) continue;
    entry = {nullptr, files::FileStamp(status)};
    if (!isFile) continue;
    changed.push_back({&entry, &file, status.st_size});
  }
  llvm::sort(changed, [](const Changed& a, const Changed& b) {
    return std::tie(a.bytes, *a.path) < std::tie(b.bytes, *b.path);
  });
  std::vector<std::string> folders = {folder.path};
  forEachInParallel(changed.size(), changed.size() < 64 ? 1 : std::min(machineThreads(), 8u),
                    [&](size_t i, unsigned) {
                      if (mustStop(token)) return;
                      auto text = files::readFileBeneath(folders, *changed[i].path,
                                                         snapshot.settings().maxFileBytes);
                      auto imports = text ? scanImports(*text) : ScannedImports();
                      if (imports) // otherwise it had to stop
                        changed[i].entry->imports =
                            std::make_shared<const ScannedImports>(std::move(*imports));
                    });
  if (token.isCancelled()) {
    for (const Changed& each : changed)
      each.entry->imports = nullptr;
    return nullptr;
  }
  project->isWhole &=
      llvm::all_of(changed, [](const Changed& each) { return each.entry->imports != nullptr; });
  spending.reset();
  spending.emplace(&allowanceOfIndex);
  for (size_t i = 0; i < entries.size(); ++i) {
    project->imports.push_back(entries[i]->imports);
    if (!entries[i]->imports) continue;
    if (Spending::isSpent()) {
      project->isWhole = false;
      continue;
    }
    forEachWord(*entries[i]->imports, [&](llvm::StringRef word) {
      std::vector<uint32_t>& users = project->byWord[word];
      if (users.empty() || users.back() != i) users.push_back(static_cast<uint32_t>(i));
    });
  }
  project->files = programs->files;
  project->generation = snapshot.diskGeneration();
  return kept = project;
}

using Link = ImportIndex::Link;
using Links = ImportIndex::Links;

uint64_t mix(uint64_t hash, uint64_t more) {
  return (hash ^ more) * 0x9E3779B97F4A7C15u + (hash >> 31);
}

// Finds the files that import a file. What is found is kept until files come or go, or the imports
// of an open document change.
class LinkFinder {
public:
  LinkFinder(const Snapshot& snapshot, const ImportIndex::Project& project)
      : snapshot_(snapshot), project_(project), index_(snapshot.cache<ImportIndex>()) {
    uint64_t files = snapshot.diskGeneration();
    for (const std::string& folder : snapshot.folders())
      files = mix(files, llvm::xxh3_64bits(folder));
    for (const std::string& open : snapshot.openPaths()) {
      files += llvm::xxh3_64bits(open);
      if (open.ends_with(".py") && path::is_absolute(open)) open_.push_back(open);
    }
    llvm::sort(open_);
    static const auto none = std::make_shared<const ScannedImports>();
    for (const std::string& open : open_) {
      auto scan = scanOf(snapshot, *snapshot.found(open));
      isWhole_ &= scan != nullptr;
      importsOfOpen_.push_back(scan ? scan->imports() : none);
    }
    std::lock_guard lock(index_.mutex);
    if (index_.filesOfLinks != files || index_.importsOfOpen != importsOfOpen_)
      index_.links.clear();
    index_.filesOfLinks = files;
    index_.importsOfOpen = importsOfOpen_;
  }

  llvm::ArrayRef<std::string> open() const { return open_; } // documents
  bool isWhole() const { return isWhole_; }                  // has the imports of all of them

  // Visits each file that imports something by one of the file's names.
  void forEachCandidate(
      const std::string& file,
      llvm::function_ref<void(const std::string&, const ScannedImports&)> visit) const {
    for (llvm::StringRef word : moduleNames(file)) {
      if (auto it = project_.byWord.find(word); it != project_.byWord.end())
        for (uint32_t i : it->second)
          if (const std::string& user = (*project_.files)[i];
              user != file && !snapshot_.isOpen(user))
            visit(user, *project_.imports[i]);
      for (const auto& [user, imports] : llvm::zip(open_, importsOfOpen_)) {
        if (user == file) continue;
        bool has = false;
        forEachWord(*imports, [&](llvm::StringRef each) { has |= each == word; });
        if (has) visit(user, *imports);
      }
    }
  }

  std::shared_ptr<const Links> linksTo(const std::string& file) const {
    std::string key = project_.folder + "\n" + file;
    {
      std::lock_guard lock(index_.mutex);
      if (auto it = index_.links.find(key); it != index_.links.end()) return it->second;
    }
    auto links = std::make_shared<Links>();
    forEachCandidate(file, [&](const std::string& user, const ScannedImports& imports) {
      Link link = linkOf(user, imports, file);
      if (link.isModule || link.isStar || !link.names.empty()) links->push_back(std::move(link));
    });
    std::lock_guard lock(index_.mutex);
    return index_.links[key] = std::move(links);
  }

private:
  Link linkOf(const std::string& user, const ScannedImports& imports,
              const std::string& file) const {
    Link link;
    link.user = user;
    bool isResolved = false; // for certain
    auto take = [&](const ScannedImport& import) {
      link.isStar |= import.isStar;
      llvm::append_range(link.names, import.names);
    };
    for (const ScannedImport& import : imports.imports) {
      if (means(user, import.module, import.level, file)) {
        isResolved = true;
        link.isModule |= !import.isFrom;
        take(import);
      }
      for (const auto& [name, bound] : import.names)
        if (means(user, import.module.empty() ? name : import.module + "." + name, import.level,
                  file)) {
          isResolved = link.isModule = true;
          link.modules.push_back(bound);
        }
      // `import a.b` is also an import of a.
      llvm::StringRef above = import.module;
      while (!import.isFrom && above.contains('.')) {
        above = above.rsplit('.').first;
        if (means(user, above, import.level, file)) isResolved = link.isModule = true;
      }
    }
    // By sys.path, or by a name in a string.
    if (isResolved || !imports.isDynamic) return link;
    link.isModule = true;
    for (const ScannedImport& import : imports.imports)
      if (mayMean(user, import.module, import.level, file)) take(import);
    return link;
  }

  bool means(const std::string& user, llvm::StringRef module, unsigned level,
             const std::string& file) const {
    if (!mayMean(user, module, level, file)) return false;
    auto found = findImport(snapshot_, user, module, level);
    return found && found->path() == file;
  }

  const Snapshot& snapshot_;
  const ImportIndex::Project& project_;
  ImportIndex& index_;
  std::vector<std::string> open_;
  std::vector<std::shared_ptr<const ScannedImports>> importsOfOpen_; // in the same order
  bool isWhole_ = true;
};

class Search {
public:
  // `pool` has the names of the kernels that are followed.
  Search(const Snapshot& snapshot, const ImportIndex::Project& project, NamePool& pool,
         unsigned farthest, const CancellationToken& token)
      : snapshot_(snapshot), project_(project), pool_(pool), farthest_(farthest), token_(token),
        links_(snapshot, project) {}

  // Returns false if no other file mentions it in an import.
  bool mayBeImported(const std::string& file) const {
    if (path::filename(file) == "conftest.py") return true;
    bool isAny = false;
    links_.forEachCandidate(file, [&](const auto&...) { isAny = true; });
    return isAny;
  }

  // Follows the names of `kernels` from file to file. Returns false if cancelled.
  bool run(const std::string& file, NameFlow kernels) {
    enqueue(file, files_.try_emplace(file, std::move(kernels)).first->second);
    for (size_t steps = 0; !queue_.empty(); ++steps) {
      if (token_.isCancelled()) return false;
      if (files_.size() > mostFiles || steps == mostSteps || Spending::isSpent()) {
        isWhole = false;
        break;
      }
      std::string next = std::move(queue_.front());
      queue_.pop_front();
      passOn(next, files_.at(next));
    }
    isWhole &= links_.isWhole() && !Spending::isSpent(); // otherwise users were left out
    files_.erase(file);
    return !token_.isCancelled();
  }

  // The users of the file as Importers.h says, those at one distance by whether they run something,
  // then by path.
  std::vector<std::pair<unsigned, std::string>> users() const {
    std::vector<std::tuple<unsigned, bool, std::string>> sorted;
    for (const auto& [path, state] : files_)
      if (state.flow.isUsed() && ((state.distance == 1 && !state.isTable) || state.flow.isRun()))
        sorted.emplace_back(state.distance, !state.flow.isRun(), path);
    llvm::sort(sorted);
    std::vector<std::pair<unsigned, std::string>> users;
    for (auto& [distance, isPassive, path] : sorted)
      users.emplace_back(distance, std::move(path));
    return users;
  }
  bool isWhole = true;

private:
  static constexpr size_t mostFiles = 1000, mostSteps = 4000;

  struct State; // of a file that names were followed into
  // A file that imports another one.
  struct User {
    const Link* link;
    bool hasMembers = false, hasMembersOfMembers = false; // all that were there before
  };
  struct State {
    explicit State(NameFlow names) : flow(std::move(names)) {}
    NameFlow flow;
    NameSet modules; // that it imports under a name, and that others reach through it
    std::shared_ptr<const Links> links; // null until its names are passed on
    std::vector<User> users;
    llvm::StringSet<> handed; // names that it gave what it has
    unsigned distance = 0;
    bool isQueued = false;
    bool isTable = false; // it only keeps what others give it
  };

  void enqueue(const std::string& file, State& state) {
    if (!std::exchange(state.isQueued, true)) queue_.push_back(file);
  }

  // Gives the names that a file has since the last time to the files that import it.
  void passOn(const std::string& file, State& state) {
    state.isQueued = false;
    Interest fresh = state.flow.takeNew();
    if (!state.links) {
      state.links = links_.linksTo(file);
      for (const Link& link : *state.links)
        state.users.push_back({&link});
    }
    for (User& user : state.users)
      if (!mustStop(token_)) passTo(user, state, fresh); // which reads the user
    if (path::filename(file) == "conftest.py") testsBeside(file, state, fresh);
    if (!mustStop(token_)) handOver(file, state);
  }

  void passTo(User& user, const State& source, const Interest& fresh) {
    const Link& link = *user.link;
    const Interest& all = source.flow.all();
    Interest taken;
    bool isModule = link.isModule || (link.isStar && !source.modules.empty());
    if (link.isStar) taken.names.insertAll(fresh.names);
    for (const auto& [name, bound] : link.names) {
      std::optional<uint32_t> number = pool_.find(name);
      if (!number) continue;
      if (fresh.names.contains(*number))
        taken.names.insert(pool_.number(bound));
      else
        isModule |= source.modules.contains(*number);
    }
    if (isModule)
      taken.members.insertAll(std::exchange(user.hasMembers, true) ? fresh.names : all.names);
    if (isModule && !source.modules.empty()) // whose members are members of members
      taken.members.insertAll(std::exchange(user.hasMembersOfMembers, true) ? fresh.members
                                                                            : all.members);
    if (!taken.empty()) use(link.user, taken, link.modules, source);
  }

  // Who uses a table that a file puts its kernels in uses them.
  void handOver(const std::string& file, State& state) {
    auto found = snapshot_.found(file);
    auto scan = found ? scanOf(snapshot_, *found) : nullptr;
    if (!scan) return;
    auto theirs = [&](const std::string& user, llvm::StringRef module, unsigned level) {
      auto imported = findImport(snapshot_, user, module, level);
      auto names = imported ? scanOf(snapshot_, *imported) : nullptr;
      return names ? ScannedFile{imported->path(), std::move(names)} : ScannedFile();
    };
    for (const HandedOver& each : handedOver({file, scan}, state.flow, state.handed, theirs))
      if (!mustStop(token_)) keep(each, state);
  }
  void keep(const HandedOver& given, const State& from) {
    auto it = files_.find(given.file);
    if (it == files_.end()) {
      auto found = snapshot_.found(given.file);
      std::optional<NameFlow> flow = found ? flowOf(snapshot_, *found, pool_) : std::nullopt;
      if (!flow) return; // run() says that users were left out
      it = files_.try_emplace(given.file, std::move(*flow)).first;
      it->second.distance = std::max(from.distance, 1u);
      it->second.isTable = true;
    }
    State& state = it->second;
    if (!given.tables.contains(given.filler)) state.flow.leaveOut(given.filler);
    Interest taken;
    for (llvm::StringRef table : given.tables.keys())
      taken.names.insert(pool_.number(table));
    if (state.flow.add(taken)) enqueue(given.file, state);
  }

  // pytest passes the fixtures of a conftest.py to the tests in its folder and below.
  void testsBeside(const std::string& conftest, const State& source, const Interest& fresh) {
    std::string folder = path::parent_path(conftest).str() + "/";
    auto isTest = [&](llvm::StringRef each) {
      llvm::StringRef name = path::filename(each);
      return each.starts_with(folder) && each != conftest &&
             (name.starts_with("test_") || name.ends_with("_test.py") || name == "conftest.py");
    };
    Interest fixtures;
    fixtures.names = fresh.names;
    if (fixtures.empty()) return;
    for (const std::string& each : *project_.files)
      if (isTest(each) && !mustStop(token_)) use(each, fixtures, {}, source);
    for (const std::string& each : links_.open())
      if (isTest(each)) use(each, fixtures, {}, source);
  }

  void use(const std::string& user, const Interest& taken, llvm::ArrayRef<std::string> modules,
           const State& from) {
    auto it = files_.find(user);
    if (it == files_.end()) {
      // Files that only hand the names on do not count.
      unsigned distance = std::max(from.distance + from.flow.isUsed(), 1u);
      auto file = distance <= farthest_ ? snapshot_.found(user) : nullptr;
      if (!file) return;
      std::optional<NameFlow> flow = flowOf(snapshot_, *file, pool_);
      if (!flow) return; // run() says that users were left out
      it = files_.try_emplace(user, std::move(*flow)).first;
      it->second.distance = distance;
    }
    State& state = it->second;
    state.isTable = false;
    bool isGrowing = state.flow.add(taken);
    for (const std::string& name : modules)
      isGrowing |= state.modules.insert(pool_.number(name));
    if (isGrowing) enqueue(user, state);
  }

  const Snapshot& snapshot_;
  const ImportIndex::Project& project_;
  NamePool& pool_;
  unsigned farthest_;
  const CancellationToken& token_;
  LinkFinder links_;
  std::map<std::string, State> files_;
  std::deque<std::string> queue_;
};

// Everything that an answer depends on.
uint64_t keyOf(const Snapshot& snapshot, const std::string& file, const NameSet& names,
               const NamePool& pool, const ScannedImports& imports) {
  uint64_t hash = snapshot.diskGeneration(), sum = 0;
  names.forEach([&](uint32_t name) { sum += llvm::xxh3_64bits(pool.text(name)); });
  forEachWord(imports, [&](llvm::StringRef word) { hash = mix(hash, llvm::xxh3_64bits(word)); });
  hash = mix(hash, sum);
  for (const std::string& open : snapshot.openPaths())
    if (open != file) sum += mix(llvm::xxh3_64bits(open), snapshot.found(open)->hash());
  for (const std::string& folder : snapshot.folders())
    hash = mix(hash, llvm::xxh3_64bits(folder));
  return mix(hash, sum);
}

} // namespace

bool isMentionedElsewhere(const Snapshot& snapshot, const File& file, llvm::StringRef name,
                          const CancellationToken& token) {
  SearchedFolder folder = searchedFolderOf(snapshot, file.path());
  if (!path::is_absolute(file.path()) || folder.path.empty()) return false;
  auto project = projectIn(snapshot, folder, token);
  if (!project || !project->isWhole) return true;
  return llvm::any_of(*LinkFinder(snapshot, *project).linksTo(file.path()), [&](const Link& link) {
    auto user = snapshot.found(link.user);
    return user && user->text().text().contains(name);
  });
}

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
    if (!scan) return;
    for (const ScannedImport& import : scan->imports()->imports) {
      if (Spending::isSpent()) return;
      add(import.module, import.level);
      for (const auto& [name, bound] : import.names)
        add(import.module.empty() ? name : import.module + "." + name, import.level);
    }
  };
  addImports(file);
  for (size_t i = 0; i < queue.size() && !Spending::isSpent(); ++i) {
    const File& imported = *queue[i]; // stays where it is when the queue grows
    if (imported.text().text().contains("gluon")) return true;
    addImports(imported);
  }
  return false;
}

bool mayDefineForKernels(llvm::StringRef text) {
  return text.contains("jit") || text.contains("constexpr_function");
}

std::shared_ptr<const Importers> importersOf(const Snapshot& snapshot,
                                             const std::shared_ptr<const File>& file,
                                             CancellationToken token, Names wanted,
                                             unsigned farthest) {
  auto result = std::make_shared<Importers>();
  if (!path::is_absolute(file->path())) return result; // a document without a path on disk
  if (wanted == Names::OfKernels && !mayDefineForKernels(file->text().text())) return result;
  // Programs that import Triton have gluond's model of it, whatever its sources are near them.
  if (evaluate::isFileOfTriton(file->path())) return result;
  SearchedFolder folder = searchedFolderOf(snapshot, file->path());
  static const auto nothing = std::make_shared<const ImportIndex::Project>(
      ImportIndex::Project{0, "", std::make_shared<std::vector<std::string>>(), true, {}, {}});
  auto project = folder.path.empty() ? nothing : projectIn(snapshot, folder, token);
  if (!project) return nullptr;
  result->isWhole = project->isWhole;
  NamePool pool;
  Search search(snapshot, *project, pool, farthest, token);
  if (!search.mayBeImported(file->path())) return result;
  std::optional<NameFlow> kernels = kernelNames(snapshot, *file, pool);
  if (!kernels) {
    result->isWhole = false;
    return result;
  }
  const NameSet& names = kernels->all().names;
  if (names.empty()) return result;
  uint64_t key = mix(
      keyOf(snapshot, file->path(), names, pool, *scanOf(snapshot, *file)->imports()), farthest);
  ImportIndex& index = snapshot.cache<ImportIndex>();
  std::optional<ImportIndex::Answer> answer;
  {
    std::lock_guard lock(index.mutex);
    if (auto it = index.answers.find(file->path());
        it != index.answers.end() && it->second.key == key)
      answer = it->second;
  }
  if (!answer) {
    if (!search.run(file->path(), std::move(*kernels))) return nullptr;
    answer.emplace();
    answer->key = key;
    answer->isWhole = search.isWhole && project->isWhole;
    answer->users = search.users();
    std::lock_guard lock(index.mutex);
    if (!Spending::isSpent()) index.answers[file->path()] = *answer;
  }
  result->isWhole = answer->isWhole;
  for (const auto& [distance, user] : answer->users) {
    if (Spending::isSpent()) {
      result->isWhole = false;
      break;
    }
    if (auto found = snapshot.found(user)) result->files.push_back({std::move(found), distance});
  }
  return result;
}

} // namespace gluond::driver
