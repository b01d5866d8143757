#include "driver/ReadFile.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gluond::driver {

tl::expected<std::string, std::string> readFile(llvm::StringRef path, size_t maxBytes) {
  auto fail = [&](llvm::StringRef why) {
    return tl::unexpected("cannot read '" + path.str() + "': " + why.str());
  };
  std::string name = path.str();
  int fd = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail(std::strerror(errno));
  struct Closer {
    int fd;
    ~Closer() { ::close(fd); }
  } closer{fd};
  struct stat status{};
  if (::fstat(fd, &status) != 0) return fail(std::strerror(errno));
  if (S_ISDIR(status.st_mode)) return fail("it is a directory");
  std::string text;
  if (S_ISREG(status.st_mode)) text.reserve(static_cast<size_t>(status.st_size) + 1);
  while (true) {
    constexpr size_t chunk = 1 << 16;
    size_t old = text.size();
    text.resize(old + chunk);
    ssize_t got = ::read(fd, text.data() + old, chunk);
    if (got < 0 && errno == EINTR)
      got = 0;
    else if (got < 0)
      return fail(std::strerror(errno));
    else if (got == 0) {
      text.resize(old);
      return text;
    }
    text.resize(old + static_cast<size_t>(got));
    if (text.size() > maxBytes)
      return fail("it is larger than " + std::to_string(maxBytes >> 20) + " MiB");
  }
}

} // namespace gluond::driver
