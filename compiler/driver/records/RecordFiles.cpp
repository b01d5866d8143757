#include "driver/records/RecordFiles.h"

#include "files/Walk.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/StringSet.h>
#include <llvm/Support/Path.h>
#include <llvm/Support/xxhash.h>

namespace gluond::driver {

namespace path = llvm::sys::path;

namespace {

constexpr llvm::StringLiteral extension = ".launches.jsonl";

std::vector<std::string> list(const Snapshot& snapshot, const std::string& folder) {
  RecordCache& cache = snapshot.cache<RecordCache>();
  std::lock_guard lock(cache.mutex);
  RecordCache::Listing& listing = cache.folders[folder];
  if (listing.generation == snapshot.diskGeneration()) return listing.files;
  listing.generation = snapshot.diskGeneration();
  listing.files.clear();
  for (const files::Entry& entry : files::entriesBeneath(snapshot.folders(), folder))
    if (entry.kind != files::Entry::Kind::Folder &&
        llvm::StringRef(entry.name).ends_with(extension))
      listing.files.push_back(folder + "/" + entry.name);
  llvm::sort(listing.files);
  return listing.files;
}

// The record files that belong to a program by their place.
std::vector<std::string> filesFor(const Snapshot& snapshot, llvm::StringRef program) {
  std::vector<std::string> files;
  if (!path::is_absolute(program)) return files;
  std::string stem = path::stem(program).str() + ".";
  for (const std::string& file : list(snapshot, path::parent_path(program).str()))
    if (path::filename(file).starts_with(stem)) files.push_back(file);
  llvm::StringSet<> seen;
  auto addHidden = [&](llvm::StringRef folder) {
    llvm::SmallString<256> hidden(folder);
    path::append(hidden, ".gluond");
    if (seen.insert(hidden).second) llvm::append_range(files, list(snapshot, hidden.str().str()));
  };
  for (llvm::StringRef folder = path::parent_path(program); !folder.empty();
       folder = path::parent_path(folder))
    addHidden(folder);
  for (const std::string& root : snapshot.settings().roots)
    addHidden(root);
  return files;
}

// Returns false if the file cannot be read.
bool addFrom(const Snapshot& snapshot, const std::string& recordFile, const File& program,
             bool isItsOwn, FoundRecords& out) {
  auto set = readRecordFile(snapshot, recordFile);
  if (!set) return false;
  for (auto [i, record] : llvm::enumerate(set->content.records))
    if (record.path == program.path()) out.records.push_back({set, &record, set->hashes[i]});
  if (isItsOwn)
    for (const RecordProblem& problem : set->content.problems)
      out.problems.push_back({set, &problem});
  return true;
}

} // namespace

std::shared_ptr<const RecordSet> readRecordFile(const Snapshot& snapshot, llvm::StringRef file) {
  auto content = snapshot.found(file);
  if (!content) return nullptr;
  RecordCache& cache = snapshot.cache<RecordCache>();
  {
    std::lock_guard lock(cache.mutex);
    auto it = cache.sets.find(file.str());
    if (it != cache.sets.end() && it->second->file == content) return it->second;
  }
  auto set = std::make_shared<RecordSet>();
  set->file = content;
  set->content = readLaunchRecords(content->text().text(), file);
  for (const LaunchRecord& record : set->content.records)
    set->hashes.push_back(record.hash);
  std::lock_guard lock(cache.mutex);
  cache.sets[file.str()] = set;
  return set;
}

FoundRecords recordsOf(const Snapshot& snapshot, const File& program) {
  FoundRecords found;
  auto settings = snapshot.settingsOf(program.path());
  for (const std::string& file : settings->recordFiles)
    if (!addFrom(snapshot, file, program, true, found)) found.missing.push_back(file);
  if (!found.records.empty() || !settings->useRecords) return found;
  for (const std::string& file : filesFor(snapshot, program.path()))
    addFrom(snapshot, file, program,
            path::filename(file).starts_with(path::stem(program.path()).str() + "."), found);
  return found;
}

} // namespace gluond::driver
