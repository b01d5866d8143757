#include "cli/process/CrashGuard.h"

#include "cli/input/Commands.h"
#include "support/SignalStack.h"

#include <llvm/ADT/StringRef.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <ctime>
#include <sys/resource.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) ||                         \
    __has_feature(memory_sanitizer)
#define GLUOND_SANITIZER_REPORTS
#endif
#endif

namespace gluond::cli {

namespace {

constexpr size_t mostEnded = 16;   // then something else is wrong
constexpr time_t mostSeconds = 40; // of CPU time for a file; it should have stopped at 10
constexpr rlim_t mostBytes = rlim_t{6} << 30; // the same at 2 GB

// The signal handler's data is prepared in advance, because the handler may not allocate.
struct Again {
  std::vector<std::string> texts;
  std::vector<char*> arguments; // with room for one more
  size_t ended = 0;
  std::array<char, 4200> last{}; // "--ended=11:/w/a.py"
  std::array<char, 4096> path{};
  std::atomic<bool> isWorking{false};
  std::atomic_flag isTaken;
};
Again again;

void onEnd(int signal) {
  if (!again.isWorking || again.ended >= mostEnded) {
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  if (again.isTaken.test_and_set()) // another thread is at it, and ends this one
    for (;;)
      ::pause();
  char* at = again.last.data();
  std::memcpy(at, "--ended=", 8);
  at += 8;
  *at++ = static_cast<char>('0' + signal / 10);
  *at++ = static_cast<char>('0' + signal % 10);
  *at++ = ':';
  std::memcpy(at, again.path.data(), again.path.size());
  again.arguments[again.arguments.size() - 2] = again.last.data();
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr); // exec hands the mask on
  ::execv("/proc/self/exe", again.arguments.data());
  ::_exit(failed);
}

std::string reason(int signal) {
  if (signal == SIGXCPU) return "it took more than 40 s of CPU time and could not be stopped";
  return std::string("it crashed (") + ::strsignal(signal) + ")";
}

} // namespace

CrashGuard::CrashGuard(std::vector<std::string> arguments, const std::vector<std::string>& ended) {
  for (llvm::StringRef each : ended) {
    auto [number, path] = each.split(':');
    int signal = 0;
    if (!number.getAsInteger(10, signal)) ended_.emplace_back(path.str(), reason(signal));
  }
#ifndef GLUOND_SANITIZER_REPORTS // sanitizers have handlers of their own, which report more
  if (arguments.empty()) return;
  again.texts = std::move(arguments);
  for (std::string& each : again.texts)
    again.arguments.push_back(each.data());
  again.arguments.insert(again.arguments.end(), 2, nullptr);
  again.ended = ended.size();
  static SignalStack stack; // of the thread that calls
  struct sigaction action{};
  action.sa_handler = onEnd;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU})
    ::sigaction(signal, &action, nullptr);
  // A process that needs more memory gets none, and ends.
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) == 0 && limit.rlim_cur > mostBytes) {
    limit.rlim_cur = mostBytes;
    ::setrlimit(RLIMIT_DATA, &limit);
  }
#endif
}

void CrashGuard::begin(const std::string& path) {
  again.isWorking = false;
  if (path.size() >= again.path.size()) return;
  std::memcpy(again.path.data(), path.c_str(), path.size() + 1);
  again.isWorking = true;
  rlimit limit{};
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  if (::getrlimit(RLIMIT_CPU, &limit) != 0) return;
  auto until = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec + mostSeconds);
  if (limit.rlim_max != RLIM_INFINITY && until > limit.rlim_max) return;
  limit.rlim_cur = until; // SIGXCPU is raised then
  ::setrlimit(RLIMIT_CPU, &limit);
}

std::string CrashGuard::whyNot(const std::string& path) const {
  for (const auto& [ended, why] : ended_)
    if (ended == path) return why;
  return "";
}

} // namespace gluond::cli
