#include "files/OpenBeneath.h"

#include <llvm/ADT/SmallString.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Path.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <fcntl.h>
#include <linux/openat2.h>
#include <memory>
#include <sys/syscall.h>

namespace gluond::files {

namespace {

// Opening never blocks, and never makes a file the controlling terminal. O_PATH does not open the
// file, and openat2() refuses flags without meaning.
int careful(int flags) {
  return flags | O_CLOEXEC | (flags & O_PATH ? 0 : O_NOCTTY | O_NONBLOCK);
}

bool isPlain(llvm::StringRef name) {
  if (name.contains('\0') || name.starts_with("/")) return false;
  llvm::SmallVector<llvm::StringRef, 16> parts;
  name.split(parts, '/');
  for (llvm::StringRef part : parts)
    if (part.empty() || part == "." || part == "..") return false;
  return true;
}

// Descriptor -1 and errno ENOSYS where there is no such call.
int openByKernel(int folder, const std::string& name, int flags, mode_t mode) {
  open_how how{};
  how.flags = static_cast<unsigned>(flags);
  how.mode = flags & O_CREAT ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  // EAGAIN: a file was renamed during the call, and the kernel asks for another
  // attempt.
  for (int attempt = 0; attempt < 8; ++attempt) {
    long got = ::syscall(SYS_openat2, folder, name.c_str(), &how, sizeof how);
    if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return static_cast<int>(got);
  }
  return -1;
}

int openBySteps(int folder, llvm::StringRef name, int flags, mode_t mode) {
  Descriptor inside;
  int at = folder;
  while (true) {
    auto [part, rest] = name.split('/');
    if (rest.empty()) return ::openat(at, part.str().c_str(), flags | O_NOFOLLOW, mode);
    Descriptor next(
        ::openat(at, part.str().c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!next) return -1;
    inside = std::move(next);
    at = inside.get();
    name = rest;
  }
}

std::string realPath(llvm::StringRef path) {
  std::unique_ptr<char, decltype(&std::free)> real(::realpath(path.str().c_str(), nullptr),
                                                   &std::free);
  return real ? std::string(real.get()) : std::string();
}

Descriptor openFolder(llvm::StringRef folder) {
  return Descriptor(::open(folder.str().c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
}

// Returns the rest of a path after the folder that contains it.
llvm::StringRef pathBelow(llvm::StringRef path, llvm::StringRef folder) {
  path.consume_front(folder);
  path.consume_front("/");
  return path;
}

} // namespace

Descriptor openWithoutLinks(int folder, llvm::StringRef name, int flags, mode_t mode,
                            PathResolution resolution) {
  flags = careful(flags);
  if (name.empty()) return Descriptor(::openat(folder, ".", flags));
  if (!isPlain(name)) {
    errno = EINVAL;
    return Descriptor();
  }
  if (resolution == PathResolution::Kernel) {
    int got = openByKernel(folder, name.str(), flags, mode);
    // Sandboxes that do not know the call return EPERM.
    if (got >= 0 || (errno != ENOSYS && errno != EPERM && errno != EAGAIN)) return Descriptor(got);
  }
  return Descriptor(openBySteps(folder, name, flags, mode));
}

std::string normalized(llvm::StringRef path) {
  llvm::SmallString<256> text(path);
  llvm::sys::path::remove_dots(text, /*remove_dot_dot=*/true);
  return text.str().str();
}

bool isInside(llvm::StringRef path, llvm::StringRef folder) {
  folder = folder.rtrim('/'); // of "/" nothing is left
  return path.consume_front(folder) && (path.empty() || path.starts_with("/"));
}

llvm::StringRef folderAround(llvm::ArrayRef<std::string> folders, llvm::StringRef path) {
  llvm::StringRef found;
  for (const std::string& folder : folders)
    if (!folder.empty() && isInside(path, folder) &&
        (found.empty() || folder.size() < found.size()))
      found = folder;
  return found;
}

Descriptor openBeneath(llvm::ArrayRef<std::string> folders, llvm::StringRef path, int flags) {
  std::string whole = normalized(path);
  llvm::StringRef folder = folderAround(folders, whole);
  if (folder.empty()) {
    errno = EXDEV;
    return Descriptor();
  }
  Descriptor root = openFolder(folder);
  if (!root) return root;
  Descriptor opened = openWithoutLinks(root.get(), pathBelow(whole, folder.rtrim('/')), flags);
  // A link: at the end of the path (ELOOP), or before it (ENOTDIR where steps
  // are taken).
  if (opened || (errno != ELOOP && errno != ENOTDIR)) return opened;
  int why = errno;
  std::string real = realPath(whole);
  if (real.empty()) {
    errno = why == ENOTDIR ? ENOTDIR : errno;
    return Descriptor();
  }
  if (real == whole) {
    errno = why;
    return Descriptor();
  }
  for (const std::string& each : folders) {
    std::string realFolder = realPath(each);
    if (realFolder.empty() || !isInside(real, realFolder)) continue;
    Descriptor other = openFolder(realFolder);
    if (!other) return other;
    return openWithoutLinks(other.get(), pathBelow(real, llvm::StringRef(realFolder).rtrim('/')),
                            flags);
  }
  errno = EXDEV;
  return Descriptor();
}

} // namespace gluond::files
