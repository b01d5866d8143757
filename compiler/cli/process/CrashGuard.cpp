#include "cli/process/CrashGuard.h"

#include "cli/input/Commands.h"
#include "cli/output/Output.h"
#include "cli/process/ProcessLimits.h"
#include "support/SignalStack.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/Support/ErrorHandling.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstring>
#include <new>
#include <string>
#include <unistd.h>

namespace gluond::cli {

namespace {

// The analysis of a file stops itself at 7 s and 1.5 GB; these limits are for a single step that
// does not look, such as a pass of MLIR. What `check` does afterwards fits into 10 s and 2 GB.
constexpr unsigned mostSeconds = 9; // of CPU time
constexpr size_t mostBytes = size_t{1900} << 20;
constexpr size_t mostEnded = 16; // files, after which no more are checked
constexpr int outOfMemory = 99;  // in place of a signal's number

// The signal handler's data is prepared in advance, because the handler may not allocate.
struct Again {
  std::vector<std::string> texts;
  std::vector<char*> arguments; // with room for two more
  size_t ended = 0;
  std::array<char, 4200> last{}; // "--ended=11:/w/a.py"
  std::array<char, 4096> path{};
  std::array<char, 40> printed{}; // "--printed=12"
  std::atomic<bool> isWorking{false};
  std::atomic_flag isTaken;
};
Again again;

void onEnd(int signal) {
  if (!again.isWorking || again.ended > mostEnded) {
    if (signal == outOfMemory) signal = SIGABRT;
    std::signal(signal, SIG_DFL);
    ::raise(signal);
    return;
  }
  if (again.isTaken.test_and_set()) // another thread replaces the program, which ends this one
    for (;;)
      ::pause();
  char* at = again.last.data();
  std::memcpy(at, "--ended=", 8);
  at += 8;
  *at++ = static_cast<char>('0' + signal / 10);
  *at++ = static_cast<char>('0' + signal % 10);
  *at++ = ':';
  std::memcpy(at, again.path.data(), again.path.size());
  again.arguments[again.arguments.size() - 3] = again.last.data();
  again.arguments[again.arguments.size() - 2] = again.printed.data();
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_UNBLOCK, &all, nullptr); // the new program inherits the mask
  liftProcessLimits(); // it inherits the limits, too, which would end it at once
  ::execv("/proc/self/exe", again.arguments.data());
  ::_exit(failed);
}

[[noreturn]] void onNoMemory() {
  onEnd(outOfMemory);
  ::_exit(failed);
}

bool isLimit(int signal) {
  return signal == SIGXCPU || signal == outOfMemory;
}

std::string reason(int signal) {
  if (signal == SIGXCPU)
    return "it took more than " + std::to_string(mostSeconds) +
           " s of CPU time and could not be stopped";
  if (signal == outOfMemory)
    return "it took more than " + std::to_string(mostBytes >> 20) +
           " MB of memory and could not be stopped";
  return std::string("it crashed (") + ::strsignal(signal) + ")";
}

} // namespace

CrashGuard::CrashGuard(std::vector<std::string> arguments, const std::vector<std::string>& ended) {
  for (llvm::StringRef each : ended) {
    auto [number, path] = each.split(':');
    int signal = 0;
    if (number.getAsInteger(10, signal)) continue;
    ended_.emplace_back(path.str(), reason(signal));
    hasCrashed_ |= !isLimit(signal);
  }
  if (isSanitized || arguments.empty()) return;
  again.texts = std::move(arguments);
  for (std::string& each : again.texts)
    again.arguments.push_back(each.data());
  again.arguments.insert(again.arguments.end(), 3, nullptr);
  again.ended = ended.size();
  static SignalStack stack; // of the thread that calls
  struct sigaction action{};
  action.sa_handler = onEnd;
  action.sa_flags = SA_ONSTACK | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP, SIGXCPU})
    ::sigaction(signal, &action, nullptr);
  std::set_new_handler(onNoMemory);
  llvm::install_bad_alloc_error_handler([](void*, const char*, bool) { onNoMemory(); });
}

void CrashGuard::begin(const std::string& path, size_t printed) {
  again.isWorking = false;
  if (path.size() >= again.path.size()) return;
  std::memcpy(again.path.data(), path.c_str(), path.size() + 1);
  std::string option = "--printed=" + std::to_string(printed);
  std::memcpy(again.printed.data(), option.c_str(), option.size() + 1);
  again.isWorking = true;
  limitProcessTime(mostSeconds);
  limitProcessMemory(mostBytes);
}

std::string CrashGuard::whyNot(const std::string& path) const {
  for (const auto& [ended, why] : ended_)
    if (ended == path) return why;
  return "";
}

bool CrashGuard::leavesOut(const std::string& path) {
  if (ended_.size() <= mostEnded) return false;
  bool isLast = path == ended_.back().first;
  if (hasPassedLast_ && !isLast) {
    complain(std::to_string(ended_.size()) + " files ended gluond; '" + path +
             "' and the files after it are not checked");
    hasCrashed_ = true;
    return true;
  }
  hasPassedLast_ |= isLast;
  return false;
}

} // namespace gluond::cli
