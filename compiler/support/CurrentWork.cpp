#include "support/CurrentWork.h"

#include "support/SignalStack.h"
#include "support/ThreadClock.h"

#include <llvm/ADT/SmallVector.h>

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace gluond {

struct CurrentWork::Seat {
  std::atomic<uint64_t> round; // odd while a task is under way; changes with each
  std::atomic<int32_t> thread;
  std::atomic<uint32_t> limitSeconds;
  std::atomic<int64_t> beganNanoseconds;
  std::atomic<uint64_t> hash;
  char path[472]; // the end of a longer one is missing: it names no file then
};
struct CurrentWork::Page {
  std::atomic<int32_t> crashedThread;
  Seat seats[mostSeats];
};

namespace {

pid_t currentThread() {
  return static_cast<pid_t>(::syscall(SYS_gettid));
}

// Signal handlers have no other access to it.
std::atomic<std::atomic<int32_t>*> crashedThreadOfBoard{nullptr};

void onCrash(int signal) {
  if (auto* crashed = crashedThreadOfBoard.load(std::memory_order_relaxed)) {
    int32_t none = 0;
    crashed->compare_exchange_strong(none, currentThread(), std::memory_order_relaxed);
  }
  ::raise(signal); // the handler was for once: this ends the process
}

// Returns user and system time of another process's thread, in nanoseconds; nullopt if it is gone.
std::optional<int64_t> cpuTimeOf(pid_t process, pid_t thread) {
  std::ifstream file("/proc/" + std::to_string(process) + "/task/" + std::to_string(thread) +
                     "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  llvm::StringRef rest = llvm::StringRef(line).rsplit(')').second.trim(); // the name may hold any
  llvm::SmallVector<llvm::StringRef, 52> fields;
  rest.split(fields, ' ');
  uint64_t user, system;
  if (fields.size() < 13 || fields[11].getAsInteger(10, user) ||
      fields[12].getAsInteger(10, system))
    return std::nullopt;
  return static_cast<int64_t>((user + system) * (1'000'000'000 / ::sysconf(_SC_CLK_TCK)));
}

} // namespace

std::optional<CurrentWork> CurrentWork::make() {
  int descriptor = ::memfd_create("gluond-work", MFD_CLOEXEC);
  if (descriptor < 0) return std::nullopt;
  if (::ftruncate(descriptor, sizeof(Page)) != 0) {
    ::close(descriptor);
    return std::nullopt;
  }
  return attach(descriptor);
}

std::optional<CurrentWork> CurrentWork::attach(int descriptor) {
  void* memory = ::mmap(nullptr, sizeof(Page), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (memory == MAP_FAILED) return std::nullopt;
  return CurrentWork(descriptor, static_cast<Page*>(memory));
}

CurrentWork::CurrentWork(CurrentWork&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      page_(std::exchange(other.page_, nullptr)) {}

CurrentWork::~CurrentWork() {
  if (!page_) return;
  ::munmap(page_, sizeof(Page));
  ::close(descriptor_);
}

void CurrentWork::noteCrashes() {
  crashedThreadOfBoard = &page_->crashedThread;
  struct sigaction action{};
  action.sa_handler = onCrash;
  action.sa_flags = SA_ONSTACK | static_cast<int>(SA_RESETHAND) | SA_NODEFER;
  for (int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGTRAP})
    ::sigaction(signal, &action, nullptr);
}

std::optional<CurrentWork::Task> CurrentWork::taskOf(const Seat& seat) const {
  uint64_t round = seat.round.load(std::memory_order_acquire);
  if (round % 2 == 0) return std::nullopt;
  Task task;
  task.path.assign(seat.path, ::strnlen(seat.path, sizeof seat.path));
  task.hash = seat.hash;
  task.thread = seat.thread;
  task.limitSeconds = seat.limitSeconds;
  task.beganNanoseconds = seat.beganNanoseconds;
  if (seat.round.load(std::memory_order_acquire) != round) return std::nullopt; // over by now
  return task;
}

std::vector<CurrentWork::Task> CurrentWork::tasks() const {
  std::vector<Task> result;
  for (const Seat& seat : page_->seats)
    if (auto task = taskOf(seat)) result.push_back(std::move(*task));
  return result;
}

std::optional<CurrentWork::Task> CurrentWork::crashed() const {
  pid_t thread = page_->crashedThread;
  for (Task& task : tasks())
    if (thread != 0 && task.thread == thread) return std::move(task);
  return std::nullopt;
}

std::optional<CurrentWork::Task> CurrentWork::stuck(pid_t process) const {
  for (Task& task : tasks()) {
    auto now = cpuTimeOf(process, task.thread);
    if (now && *now - task.beganNanoseconds > int64_t{task.limitSeconds} * 1'000'000'000)
      return std::move(task);
  }
  return std::nullopt;
}

void CurrentWork::clear() {
  page_->crashedThread = 0;
  for (Seat& seat : page_->seats)
    seat.round = 0;
}

Working::Working(CurrentWork* board, unsigned number, llvm::StringRef path, uint64_t hash,
                 uint32_t limitSeconds) {
  if (!board || number >= CurrentWork::mostSeats) return;
  thread_local SignalStack stack;
  CurrentWork::Seat& seat = board->page_->seats[number];
  seat_ = &seat;
  bool fits = path.size() < sizeof seat.path;
  std::memset(seat.path, 0, sizeof seat.path);
  if (fits) std::memcpy(seat.path, path.data(), path.size());
  seat.hash = hash;
  seat.thread = currentThread();
  seat.limitSeconds = limitSeconds;
  seat.beganNanoseconds = threadNanoseconds();
  seat.round.fetch_add(1, std::memory_order_release);
}

Working::~Working() {
  if (seat_) static_cast<CurrentWork::Seat*>(seat_)->round.fetch_add(1, std::memory_order_release);
}

} // namespace gluond
