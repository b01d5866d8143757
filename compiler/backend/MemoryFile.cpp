#include "backend/MemoryFile.h"

#include "support/WriteAll.h"

#include <cerrno>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gluond::backend {

// Above the numbers that the program will see, so that moving one there closes none of them.
MemoryFile::MemoryFile() {
  int made = ::memfd_create("gluond", MFD_CLOEXEC);
  if (made < 0) return;
  number_ = ::fcntl(made, F_DUPFD_CLOEXEC, 10);
  ::close(made);
}

MemoryFile::~MemoryFile() {
  if (number_ >= 0) ::close(number_);
}

bool MemoryFile::write(llvm::StringRef text) {
  return writeAll(number_, text);
}

std::string MemoryFile::read() const {
  struct stat status{};
  if (::fstat(number_, &status) != 0) return {};
  std::string text(static_cast<size_t>(status.st_size), '\0');
  size_t have = 0;
  while (have < text.size()) {
    ssize_t got =
        ::pread(number_, text.data() + have, text.size() - have, static_cast<off_t>(have));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) break;
    have += static_cast<size_t>(got);
  }
  text.resize(have);
  return text;
}

void MemoryFile::clear() {
  (void)::ftruncate(number_, 0);
  (void)::lseek(number_, 0, SEEK_SET);
}

} // namespace gluond::backend
