// The CPU time of the calling thread.
#pragma once

#include <cstdint>
#include <ctime>

namespace gluond {

inline int64_t nanosecondsOf(clockid_t clock) {
  timespec time;
  clock_gettime(clock, &time);
  return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}
// Takes a system call, about 0.2 us.
inline int64_t threadNanoseconds() {
  return nanosecondsOf(CLOCK_THREAD_CPUTIME_ID);
}

} // namespace gluond
