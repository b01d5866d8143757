#include "driver/launches/LaunchesElsewhere.h"

#include "driver/program/EvaluatedFileCache.h"
#include "driver/program/FileWork.h"
#include "driver/program/Fingerprint.h"
#include "driver/workspace/ProjectFolder.h"
#include "support/Allowance.h"

#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <utility>

namespace gluond::driver {

using namespace language;

namespace {

constexpr size_t mostUsers = 64; // that are evaluated for one file
// Names lead to many files: after so many in a row that launch and call nothing of this one, the
// others at the same distance are not looked at.
constexpr size_t mostInVain = 4;

llvm::StringMap<Uses> usesOf(const EvaluatedFile& user) {
  llvm::StringMap<Uses> uses; // by the path of the file that is used
  auto isOfFile = [&](const FunctionObject* function) {
    return function && function->def && function->module;
  };
  llvm::SmallPtrSet<const FunctionObject*, 16> called;
  for (const evaluate::Launch& launch : user.evaluation().launches())
    if (isOfFile(launch.kernel)) {
      uses[launch.kernel->module->path].launched.insert(launch.kernel->qualname);
      user.fingerprints().addReached(*launch.kernel, called);
    }
  for (const FunctionObject* function : user.evaluation().functions())
    if (function->function == FunctionKind::Jit) user.fingerprints().addReached(*function, called);
  for (const FailedLaunch& launch : user.failedLaunches())
    uses[launch.path].failed.insert(launch.kernel);
  for (const evaluate::Launch& launch : user.evaluation().launches())
    for (const evaluate::Place& place : launch.places)
      if (place.module && launch.kernel && place.module != launch.kernel->module)
        uses[place.module->path].runsHostCode = true;
  for (const diagnostics::Diagnostic& each : user.diagnostics())
    for (const EvaluatedFile::Part& part : user.parts().drop_front())
      if (part.file->id() == each.location.file) uses[part.file->path()].runsHostCode = true;
  for (const FunctionObject* function : called)
    if (isOfFile(function)) uses[function->module->path].called.insert(function->qualname);
  return uses;
}

// A hash of all texts that a program may be made from.
uint64_t textsOf(const Snapshot& snapshot) {
  uint64_t sum = snapshot.diskGeneration();
  for (const std::string& open : snapshot.openPaths())
    sum += (llvm::xxh3_64bits(open) ^ snapshot.found(open)->hash()) * 0x9E3779B97F4A7C15u;
  return sum;
}

} // namespace

std::optional<UserLook> forEachUser(
    const Snapshot& snapshot, const std::shared_ptr<const File>& file, llvm::StringRef target,
    CancellationToken token, llvm::function_ref<bool(const File& user, const Uses& uses)> wants,
    llvm::function_ref<void(const std::shared_ptr<const EvaluatedFile>& user, const Uses& uses)>
        visit) {
  ForOthers others;
  auto importers = importersOf(snapshot, file, token, Names::OfHostCode);
  if (!importers) return std::nullopt;
  UserLook look;
  look.users = importers->files.size();
  look.isWhole = importers->isWhole;
  UserCache& cache = snapshot.cache<UserCache>();
  const uint64_t texts = textsOf(snapshot);
  size_t looked = 0, inVain = 0;
  unsigned distance = 1; // of the last user
  for (const auto& [user, distanceOfUser] : importers->files) {
    if (std::exchange(distance, distanceOfUser) != distanceOfUser) inVain = 0;
    if (inVain >= mostInVain) continue;
    if (token.isCancelled()) return std::nullopt;
    if (snapshot.quarantined(*user)) continue;
    std::string key = EvaluatedFileCache::keyOf(snapshot, *user, target, "");
    std::optional<Uses> known;
    bool isCurrent = false; // no text changed since
    {
      std::lock_guard lock(cache.mutex);
      if (auto it = cache.known.find(key);
          it != cache.known.end() && it->second.user.lock() == user) {
        known = it->second.byFile.lookup(file->path());
        isCurrent = it->second.texts == texts;
      }
    }
    if (known && known->isEmpty() && isCurrent) {
      ++inVain;
      continue;
    }
    if (known && !wants(*user, *known)) {
      inVain = known->isEmpty() ? inVain + 1 : 0;
      look.isComplete = false;
      continue;
    }
    std::shared_ptr<const EvaluatedFile> program;
    if (looked++ < mostUsers && !others.isSpent())
      program = EvaluatedFile::of(snapshot, user, target, "", token);
    if (token.isCancelled()) return std::nullopt;
    if (!program) { // no more are looked at, or this one took too long
      ++look.leftOut;
      continue;
    }
    llvm::StringMap<Uses> uses = usesOf(*program);
    Uses here = uses.lookup(file->path());
    visit(program, here);
    inVain = here.isEmpty() ? inVain + 1 : 0;
    if (others.isSpent()) continue; // not all of its uses may be known
    std::lock_guard lock(cache.mutex);
    cache.known[key] = {user, texts, std::move(uses)};
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
