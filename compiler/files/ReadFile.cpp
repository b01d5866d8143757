#include "files/ReadFile.h"

#include "files/OpenBeneath.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace gluond::files {

namespace {

tl::unexpected<std::string> fail(llvm::StringRef path, llvm::StringRef why) {
  return tl::unexpected("cannot read '" + path.str() + "': " + why.str());
}

tl::expected<OpenFile, std::string> regular(Descriptor descriptor, llvm::StringRef path) {
  if (!descriptor)
    return fail(path, errno == EXDEV ? "it is outside the workspace, or a link leads there"
                                     : std::strerror(errno));
  OpenFile file{std::move(descriptor), {}};
  if (::fstat(file.descriptor.get(), &file.status) != 0) return fail(path, std::strerror(errno));
  if (S_ISDIR(file.status.st_mode)) return fail(path, "it is a directory");
  if (!S_ISREG(file.status.st_mode)) return fail(path, "it is not a regular file");
  return file;
}

} // namespace

tl::expected<OpenFile, std::string> openFile(llvm::StringRef path) {
  if (path.contains('\0')) return fail(path, "there is no such name"); // the system would cut it
  return regular(
      Descriptor(::open(path.str().c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)), path);
}

tl::expected<OpenFile, std::string> openFileBeneath(llvm::ArrayRef<std::string> folders,
                                                    llvm::StringRef path) {
  return regular(openBeneath(folders, path, O_RDONLY), path);
}

tl::expected<std::string, std::string> readAll(const OpenFile& file, llvm::StringRef path,
                                               size_t maxBytes) {
  auto tooLarge = [&] {
    return fail(path,
                "it is larger than " + (maxBytes >> 20 ? std::to_string(maxBytes >> 20) + " MiB"
                                                       : std::to_string(maxBytes) + " bytes"));
  };
  auto size = static_cast<uint64_t>(file.status.st_size);
  if (size > maxBytes) return tooLarge();
  std::string text;
  // Reads one byte more than the size: a file that did not grow needs no second read.
  size_t room = static_cast<size_t>(size) + 1;
  while (true) {
    size_t old = text.size();
    text.resize(old + room);
    ssize_t got = ::read(file.descriptor.get(), text.data() + old, room);
    int why = errno;
    text.resize(old + static_cast<size_t>(std::max<ssize_t>(got, 0)));
    if (got < 0 && why != EINTR) return fail(path, std::strerror(why));
    if (got == 0) return text;
    if (text.size() > maxBytes) return tooLarge();
    room = std::max<size_t>(room - static_cast<size_t>(std::max<ssize_t>(got, 0)), 1 << 12);
  }
}

tl::expected<std::string, std::string> readFile(llvm::StringRef path, size_t maxBytes) {
  auto file = openFile(path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return readAll(*file, path, maxBytes);
}

tl::expected<std::string, std::string> readFileBeneath(llvm::ArrayRef<std::string> folders,
                                                       llvm::StringRef path, size_t maxBytes) {
  auto file = openFileBeneath(folders, path);
  if (!file) return tl::unexpected(std::move(file.error()));
  return readAll(*file, path, maxBytes);
}

} // namespace gluond::files
