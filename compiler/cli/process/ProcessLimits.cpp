#include "cli/process/ProcessLimits.h"

#include "cli/input/Commands.h"

#include <llvm/Support/ErrorHandling.h>

#include <csignal>
#include <cstring>
#include <fstream>
#include <new>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__has_feature)
#define GLUOND_HAS(feature) __has_feature(feature)
#else
#define GLUOND_HAS(feature) 0
#endif

namespace gluond::cli {

const bool isSanitized =
    GLUOND_HAS(address_sanitizer) || GLUOND_HAS(thread_sanitizer) || GLUOND_HAS(memory_sanitizer);

namespace {

// Returns the memory that counts for RLIMIT_DATA.
rlim_t dataBytes() {
  unsigned long pages[6] = {};
  std::ifstream file("/proc/self/statm");
  for (unsigned long& each : pages)
    file >> each;
  return pages[5] * static_cast<rlim_t>(::sysconf(_SC_PAGESIZE));
}

void allow(decltype(RLIMIT_CPU) resource, rlim_t most) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0) return;
  if (limit.rlim_max != RLIM_INFINITY && most > limit.rlim_max) return;
  limit.rlim_cur = most;
  ::setrlimit(resource, &limit);
}

const char* lastWords = "";

// It may not allocate.
void onLimit(int) {
  (void)!::write(2, lastWords, std::strlen(lastWords));
  ::_exit(failed);
}

} // namespace

void limitProcessTime(unsigned seconds) {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  allow(RLIMIT_CPU, static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) + seconds);
}

void liftProcessLimits() {
  for (auto resource : {RLIMIT_CPU, RLIMIT_DATA}) {
    rlimit limit{};
    if (::getrlimit(resource, &limit) != 0) continue;
    limit.rlim_cur = limit.rlim_max;
    ::setrlimit(resource, &limit);
  }
}

void limitProcessMemory(size_t bytes) {
  if (!isSanitized) allow(RLIMIT_DATA, dataBytes() + bytes);
}

void endAtProcessLimits(const char* message) {
  lastWords = message;
  if (isSanitized) return;
  std::signal(SIGXCPU, onLimit);
  std::set_new_handler([] { onLimit(0); });
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { onLimit(0); });
}

} // namespace gluond::cli
