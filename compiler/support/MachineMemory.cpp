#include "support/MachineMemory.h"

#include <algorithm>
#include <fstream>
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

} // namespace gluond
