#include "runner/process/Capture.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gluond::runner {

Capture::Capture() {
  std::fflush(nullptr);
  protocol_ = fcntl(1, F_DUPFD_CLOEXEC, 3);
  errors_ = fcntl(2, F_DUPFD_CLOEXEC, 3);
  // By its number, since the C library has a function for it only since glibc 2.27.
  file_ = static_cast<int>(syscall(SYS_memfd_create, "gluond-runner-output", MFD_CLOEXEC));
  if (file_ < 0) file_ = open("/dev/null", O_RDWR | O_CLOEXEC);
  // Both ends append: the driver writes through either.
  if (file_ >= 0) {
    fcntl(file_, F_SETFL, O_APPEND);
    dup2(file_, 1);
    dup2(file_, 2);
  }
}

Capture::~Capture() {
  std::fflush(nullptr);
  if (protocol_ >= 0) dup2(protocol_, 1);
  if (errors_ >= 0) dup2(errors_, 2);
  for (int fd : {protocol_, errors_, file_})
    if (fd >= 0) close(fd);
}

std::string Capture::take() {
  std::fflush(nullptr);
  constexpr off_t most = 64 << 10;
  struct stat state = {};
  if (file_ < 0 || fstat(file_, &state) != 0 || state.st_size == 0) return {};
  std::string text(static_cast<size_t>(std::min<off_t>(state.st_size, most)), '\0');
  ssize_t got = pread(file_, text.data(), text.size(), 0);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  if (state.st_size > most) text += "\n... (" + std::to_string(state.st_size) + " bytes in all)\n";
  if (ftruncate(file_, 0) != 0) return text;
  return text;
}

} // namespace gluond::runner
