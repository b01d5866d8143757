#include "files/WriteFile.h"

#include "files/OpenBeneath.h"
#include "support/WriteAll.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/Path.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <tuple>

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

} // namespace

tl::expected<OpenFile, std::string> openToWrite(llvm::StringRef folder, llvm::StringRef name,
                                                int flags) {
  auto place = placeOf(folder, name);
  if (!place) return tl::unexpected(place.error());
  OpenFile opened{openWithoutLinks(place->folder.get(), place->last, flags, 0666), {}};
  if (!opened.descriptor || ::fstat(opened.descriptor.get(), &opened.status) != 0)
    return fail(folder, name, errno);
  if (!S_ISREG(opened.status.st_mode)) return fail(folder, name, ELOOP);
  return opened;
}

tl::expected<void, std::string> makeFolder(llvm::StringRef folder, llvm::StringRef name) {
  // The name of no file, for the folders on its way.
  Descriptor made = folderOf(folder, name.empty() ? "x" : name.str() + "/x");
  return made ? tl::expected<void, std::string>() : fail(folder, name, errno);
}

NamedPath namedPath(llvm::StringRef path) {
  namespace fs = llvm::sys::fs;
  llvm::SmallString<256> whole(path), here;
  // Without a current folder both stay as they are.
  std::ignore = fs::make_absolute(whole);
  std::ignore = fs::current_path(here);
  std::string named = normalized(whole);
  if (isInside(here, named)) return {std::move(named), ""};
  llvm::StringRef folder = isInside(named, here) ? here.str() : llvm::sys::path::parent_path(named);
  while (!folder.empty() && !fs::is_directory(folder)) // what is missing is made
    folder = llvm::sys::path::parent_path(folder);
  return {folder.str(), llvm::StringRef(named).drop_front(folder.size()).ltrim('/').str()};
}

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
  auto opened = openToWrite(folder, name, O_WRONLY | O_CREAT);
  if (!opened) return tl::unexpected(opened.error());
  Descriptor& file = opened->descriptor;
  if (::ftruncate(file.get(), 0) != 0 || !writeAll(file.get(), text) || !file.close())
    return fail(folder, name, errno);
  return {};
}

tl::expected<void, std::string> appendToFile(llvm::StringRef folder, llvm::StringRef name,
                                             llvm::StringRef text, uint64_t maxBytes) {
  auto opened = openToWrite(folder, name, O_WRONLY | O_CREAT | O_APPEND);
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
