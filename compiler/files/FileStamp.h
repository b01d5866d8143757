// Whether a file may have changed since it was read, as far as its metadata tells.
#pragma once

#include <cstdint>
#include <ctime>
#include <sys/stat.h>

namespace gluond::files {

class FileStamp {
public:
  FileStamp() = default; // of a file that was not read
  // The stamp of a file that is read now.
  explicit FileStamp(const struct stat& status)
      : modified_(nanoseconds(status.st_mtim)), bytes_(status.st_size) {
    // File systems count time in steps, of two seconds at most. A file that was changed within the
    // last step may change again in it, and nothing shows that.
    constexpr int64_t longestStep = 2'000'000'000;
    timespec now{};
    ::clock_gettime(CLOCK_REALTIME, &now);
    isSettled_ = nanoseconds(now) - modified_ > longestStep;
  }

  bool isStillOf(const struct stat& status) const {
    return isSettled_ && modified_ == nanoseconds(status.st_mtim) && bytes_ == status.st_size;
  }

private:
  static int64_t nanoseconds(const timespec& time) {
    return time.tv_sec * 1'000'000'000 + time.tv_nsec;
  }

  int64_t modified_ = 0, bytes_ = 0;
  bool isSettled_ = false;
};

} // namespace gluond::files
