#include "driver/launches/LaunchesElsewhere.h"

#include "driver/program/FileWork.h"
#include "driver/program/Fingerprint.h"
#include "driver/workspace/ProjectFolder.h"
#include "support/ThreadClock.h"

#include <algorithm>

namespace gluond::driver {

using namespace language;

namespace {

constexpr size_t mostUsers = 64; // that are evaluated for one file

Uses usesOf(const Program& user, const File& file) {
  Uses uses;
  auto isOfFile = [&](const FunctionObject* function) {
    return function && function->def && function->module && function->module->path == file.path();
  };
  for (const evaluate::Launch& launch : user.evaluation().launches())
    if (isOfFile(launch.kernel)) uses.launched.insert(launch.kernel->qualname);
  llvm::SmallPtrSet<const FunctionObject*, 16> called;
  for (const FunctionObject* function : user.evaluation().functions())
    if (function->function == FunctionKind::Jit) user.fingerprints().addReached(*function, called);
  for (const FunctionObject* function : called)
    if (isOfFile(function)) uses.called.insert(function->qualname);
  return uses;
}

} // namespace

std::optional<UserLook> forEachUser(
    const Snapshot& snapshot, const std::shared_ptr<const File>& file, llvm::StringRef target,
    CancellationToken token, llvm::function_ref<bool(const File& user, const Uses& uses)> wants,
    llvm::function_ref<void(const std::shared_ptr<const Program>& user, const Uses& uses)> visit) {
  auto importers = importersOf(snapshot, file, token);
  if (!importers) return std::nullopt;
  UserLook look;
  look.users = importers->files.size();
  look.isWhole = importers->isWhole;
  UserCache& cache = snapshot.cache<UserCache>();
  Unpaid byUsers;
  std::chrono::nanoseconds begin = std::chrono::nanoseconds(threadNanoseconds()),
                           limit = limitsOf(*snapshot.settingsOf(file->path())).cpu;
  size_t looked = 0;
  for (const auto& user : importers->files) {
    if (token.isCancelled()) return std::nullopt;
    if (snapshot.quarantined(*user)) continue;
    std::string key = user->path() + "\n" + file->path() + "\n" + target.str();
    std::optional<Uses> known;
    {
      std::lock_guard lock(cache.mutex);
      if (auto it = cache.known.find(key);
          it != cache.known.end() && it->second.user.lock() == user)
        known = it->second.uses;
    }
    if (known && !wants(*user, *known)) {
      look.isComplete = false;
      continue;
    }
    if (looked == mostUsers || std::chrono::nanoseconds(threadNanoseconds()) - begin > limit) {
      ++look.leftOut;
      continue;
    }
    ++looked;
    auto program = Program::of(snapshot, user, target, "", token);
    if (!program) return std::nullopt;
    Uses uses = usesOf(*program, *file);
    visit(program, uses);
    std::lock_guard lock(cache.mutex);
    cache.known[key] = {user, std::move(uses)};
  }
  return look;
}

std::string launchingFileName(llvm::StringRef path) {
  std::string folder = projectFolderOf(path);
  llvm::StringRef name = path;
  name.consume_front(folder);
  name.consume_front("/");
  name.consume_back(".py");
  std::string dotted = name.str();
  std::replace(dotted.begin(), dotted.end(), '/', '.');
  return dotted;
}

} // namespace gluond::driver
