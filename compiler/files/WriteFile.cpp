#include "files/WriteFile.h"

#include "files/OpenBeneath.h"
#include "support/WriteAll.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace gluond::files {

namespace {

tl::unexpected<std::string> fail(llvm::StringRef folder, llvm::StringRef name, int error) {
  const char* why = error == ELOOP || error == ENOTDIR ? "a link or a file is in the way"
                    : error == EINVAL                  ? "it is not beneath that folder"
                                                       : std::strerror(error);
  return tl::unexpected("cannot write '" + folder.str() + "/" + name.str() + "': " + why);
}

bool isName(llvm::StringRef name) {
  return !name.empty() && name != "." && name != ".." && !name.contains('\0');
}

// The folder that a name is in; missing ones are made.
Descriptor folderOf(llvm::StringRef folder, llvm::StringRef name) {
  Descriptor at(::open(folder.str().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  while (at && name.contains('/')) {
    auto [part, rest] = name.split('/');
    if (!isName(part)) {
      errno = EINVAL;
      return Descriptor();
    }
    Descriptor next = openWithoutLinks(at.get(), part, O_PATH | O_DIRECTORY);
    if (!next && errno == ENOENT) {
      if (::mkdirat(at.get(), part.str().c_str(), 0777) != 0 && errno != EEXIST)
        return Descriptor();
      next = openWithoutLinks(at.get(), part, O_PATH | O_DIRECTORY);
    }
    at = std::move(next);
    name = rest;
  }
  return at;
}

// The place of a name: its folder, and its last part.
struct Place {
  Descriptor folder;
  std::string last;
};
tl::expected<Place, std::string> placeOf(llvm::StringRef folder, llvm::StringRef name) {
  llvm::StringRef last = name.substr(name.rfind('/') + 1);
  if (!isName(last)) return fail(folder, name, EINVAL);
  Descriptor at = folderOf(folder, name);
  if (!at) return fail(folder, name, errno);
  return Place{std::move(at), last.str()};
}

// A regular file at that place, to be written in place; made when there is none.
struct Opened {
  Descriptor file;
  struct stat status{};
};
tl::expected<Opened, std::string> openToWrite(llvm::StringRef folder, llvm::StringRef name,
                                              int flags) {
  auto place = placeOf(folder, name);
  if (!place) return tl::unexpected(place.error());
  Opened opened{
      openWithoutLinks(place->folder.get(), place->last, O_WRONLY | O_CREAT | flags, 0666)};
  if (!opened.file || ::fstat(opened.file.get(), &opened.status) != 0)
    return fail(folder, name, errno);
  if (!S_ISREG(opened.status.st_mode)) return fail(folder, name, ELOOP);
  return opened;
}

} // namespace

tl::expected<void, std::string> replaceFile(llvm::StringRef folder, llvm::StringRef name,
                                            llvm::StringRef text, mode_t mode) {
  auto place = placeOf(folder, name);
  if (!place) return tl::unexpected(place.error());
  const auto& [at, last] = *place;
  struct stat old{};
  bool isThere = ::fstatat(at.get(), last.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (isThere && !S_ISREG(old.st_mode)) return fail(folder, name, ELOOP);
  // A unique name; O_EXCL ensures that.
  static std::atomic<uint64_t> number{0};
  std::string temporary;
  Descriptor file;
  for (int attempt = 0; !file && attempt < 100; ++attempt) {
    temporary = ".gluond-" + std::to_string(::getpid()) + "-" +
                std::to_string(number.fetch_add(1, std::memory_order_relaxed)) + ".tmp";
    file = openWithoutLinks(at.get(), temporary, O_WRONLY | O_CREAT | O_EXCL, mode);
    if (!file && errno != EEXIST) break;
  }
  if (!file) return fail(folder, name, errno);
  if (isThere) (void)::fchmod(file.get(), old.st_mode & 07777);
  if (writeAll(file.get(), text) && file.close() &&
      ::renameat(at.get(), temporary.c_str(), at.get(), last.c_str()) == 0)
    return {};
  int why = errno;
  (void)::unlinkat(at.get(), temporary.c_str(), 0);
  return fail(folder, name, why);
}

tl::expected<void, std::string> overwriteFile(llvm::StringRef folder, llvm::StringRef name,
                                              llvm::StringRef text) {
  auto opened = openToWrite(folder, name, 0);
  if (!opened) return tl::unexpected(opened.error());
  Descriptor& file = opened->file;
  if (::ftruncate(file.get(), 0) != 0 || !writeAll(file.get(), text) || !file.close())
    return fail(folder, name, errno);
  return {};
}

tl::expected<void, std::string> appendToFile(llvm::StringRef folder, llvm::StringRef name,
                                             llvm::StringRef text, uint64_t maxBytes) {
  auto opened = openToWrite(folder, name, O_APPEND);
  if (!opened) return tl::unexpected(opened.error());
  auto& [file, status] = *opened;
  // A hard link may be another name of a file outside the folder.
  if (status.st_nlink != 1) return fail(folder, name, ELOOP);
  if (static_cast<uint64_t>(status.st_size) + text.size() > maxBytes)
    return fail(folder, name, EFBIG);
  if (!writeAll(file.get(), text) || !file.close()) return fail(folder, name, errno);
  return {};
}

} // namespace gluond::files
