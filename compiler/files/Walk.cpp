#include "files/Walk.h"

#include "files/OpenBeneath.h"

#include <cerrno>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <optional>
#include <sys/stat.h>

namespace gluond::files {

namespace {

std::optional<Entry::Kind> kindOf(int folder, const dirent& entry) {
  mode_t mode = DTTOIF(entry.d_type);
  if (entry.d_type == DT_UNKNOWN) {
    struct stat status{};
    if (::fstatat(folder, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
    mode = status.st_mode;
  }
  if (S_ISREG(mode)) return Entry::Kind::File;
  if (S_ISDIR(mode)) return Entry::Kind::Folder;
  if (S_ISLNK(mode)) return Entry::Kind::Link;
  return std::nullopt;
}

// `each` returns whether to go on.
bool forEachEntry(Descriptor folder, llvm::function_ref<bool(Entry)> each) {
  std::unique_ptr<DIR, decltype(&::closedir)> open(::fdopendir(folder.get()), &::closedir);
  if (!open) return false;
  (void)folder.release(); // closedir() closes it
  while (const dirent* entry = ::readdir(open.get())) {
    llvm::StringRef name = entry->d_name;
    if (name == "." || name == "..") continue;
    auto kind = kindOf(::dirfd(open.get()), *entry);
    if (kind && !each({name.str(), *kind})) break;
  }
  return true;
}

} // namespace

std::vector<Entry> entriesIn(int folder, size_t most) {
  std::vector<Entry> entries;
  // A new descriptor, which starts at the first entry.
  forEachEntry(openWithoutLinks(folder, "", O_RDONLY | O_DIRECTORY), [&](Entry entry) {
    entries.push_back(std::move(entry));
    return entries.size() < most;
  });
  return entries;
}

std::vector<Entry> entriesBeneath(llvm::ArrayRef<std::string> folders, llvm::StringRef path,
                                  size_t most) {
  Descriptor folder = openBeneath(folders, path, O_RDONLY | O_DIRECTORY);
  return folder ? entriesIn(folder.get(), most) : std::vector<Entry>();
}

Walked walk(llvm::StringRef root, llvm::function_ref<bool(llvm::StringRef)> entersFolder,
            llvm::function_ref<bool(llvm::StringRef)> takesFile, const CancellationToken& token,
            const WalkLimits& limits) {
  Walked walked;
  Descriptor top(::open(root.str().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!top) {
    walked.problem = std::strerror(errno);
    return walked;
  }
  auto end = std::chrono::steady_clock::now() + limits.time;
  struct Pending {
    std::string name; // relative to the root; empty for the root itself
    unsigned depth;
  };
  std::vector<Pending> folders = {{"", 0}};
  size_t entries = 0;
  bool isOver = false;
  auto look = [&](size_t entriesBetween) {
    isOver = isOver || entries > limits.entries || walked.files.size() >= limits.files ||
             (entries % entriesBetween == 0 &&
              (token.isCancelled() || std::chrono::steady_clock::now() > end));
    return !isOver;
  };
  for (size_t i = 0; i < folders.size() && look(1); ++i) {
    Pending at = std::move(folders[i]);
    if (i >= limits.folders) {
      isOver = true;
      break;
    }
    Descriptor folder = openWithoutLinks(top.get(), at.name, O_RDONLY | O_DIRECTORY);
    if (!folder) {
      if (i == 0) walked.problem = std::strerror(errno);
      continue; // of another user, or gone
    }
    forEachEntry(std::move(folder), [&](Entry entry) {
      ++entries;
      if (!look(64)) return false;
      std::string name = at.name.empty() ? std::move(entry.name) : at.name + "/" + entry.name;
      if (entry.kind != Entry::Kind::Folder) {
        if (takesFile(name)) walked.files.push_back(std::move(name));
      } else if (entersFolder(name)) {
        if (at.depth < limits.depth && name.size() <= limits.pathBytes)
          folders.push_back({std::move(name), at.depth + 1});
        else
          walked.isWhole = false;
      }
      return true;
    });
  }
  if (isOver) walked.isWhole = false;
  return walked;
}

} // namespace gluond::files
