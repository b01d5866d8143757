#include "support/MachineMemory.h"

#include <algorithm>
#include <atomic>
#include <fstream>
#include <malloc.h>
#include <unistd.h>

namespace gluond {

uint64_t machineBytes() {
  long pages = ::sysconf(_SC_PHYS_PAGES), page = ::sysconf(_SC_PAGESIZE);
  uint64_t bytes = pages > 0 && page > 0 ? uint64_t(pages) * uint64_t(page) : 0;
  uint64_t limit = 0; // the file says "max" where there is none
  if (std::ifstream file("/sys/fs/cgroup/memory.max"); file >> limit && limit)
    bytes = bytes ? std::min(bytes, limit) : limit;
  return bytes;
}

uint64_t occupiedBytes() {
  long page = ::sysconf(_SC_PAGESIZE);
  uint64_t all = 0, occupied = 0; // pages
  std::ifstream file("/proc/self/statm");
  return page > 0 && file >> all >> occupied ? occupied * uint64_t(page) : 0;
}

void returnFreeMemory() {
  // Below this the process is as small as its work demands. Returning memory that is needed again
  // costs as much as clearing it.
  constexpr uint64_t small = 192 << 20, growth = 64 << 20;
  static std::atomic<uint64_t> before{0}; // what it occupied then, or less
  uint64_t now = occupiedBytes(), last = before;
  if (now < last) before = now;
  if (now < small || now < last + growth) return;
  before = now; // other threads need not do the same
  ::malloc_trim(0);
  before = occupiedBytes();
}

} // namespace gluond
