// Runs tasks on worker threads: urgent ones before slow ones, each not before its time.
//
// A long-running task does not block the others: after `slowAfter` it no longer counts for the
// number of threads, and a spare thread takes over, up to a limit. Tasks about one subject (a
// document) often wait for the same work: while one of them is slow, at most `mostOfSlow` of them
// run, so that they do not take the threads that tasks about others need.
//
// post() may be called from any thread, even from a task. Without threads (in tests) nothing runs
// until runDue(), which runs due tasks on the calling thread, in the same order as one worker
// would. Tasks should poll their own cancellation token; when the scheduler is destroyed, it drops
// tasks that have not started and waits for the rest.
#pragma once

#include "lsp/server/Clock.h"

#include <llvm/Support/thread.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

enum class Priority : uint8_t { Interactive, Diagnostics, Background };

class Scheduler {
public:
  // `worker` is below workers(threads); tasks with the same worker never overlap.
  using Task = std::function<void(unsigned worker)>;

  explicit Scheduler(const Clock& clock) : clock_(clock) {}
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // `subject` may be empty: such tasks do not limit each other.
  void post(Priority priority, TimePoint notBefore, Task task, std::string subject = {});
  void post(Priority priority, Task task, std::string subject = {}) {
    post(priority, clock_.now(), std::move(task), std::move(subject));
  }

  static constexpr Duration slowAfter = std::chrono::milliseconds(100);
  static constexpr unsigned spareThreads = 24;
  static constexpr unsigned mostOfSlow = 2;
  static constexpr unsigned workers(unsigned threads) {
    return threads ? threads + spareThreads : 1;
  }

  // Starts the threads. Call it before anything is posted; without threads, do not call it, or call
  // it with 0.
  void start(unsigned threads);
  // Runs tasks until none is due, and returns how many ran. Only for a scheduler without threads.
  unsigned runDue();
  // Drops tasks that have not started and waits for running ones. Nothing runs afterwards.
  void stop();

private:
  struct Entry {
    TimePoint due;
    Priority priority;
    uint64_t sequence;
    Task task;
    std::string subject;
  };
  struct Running {
    TimePoint began;
    std::string subject;
  };
  // Returns the next entry to run at `now`: the most urgent due one whose subject is not busy, the
  // oldest of equals. Call it with the lock held.
  std::vector<Entry>::iterator pick(TimePoint now);
  bool isBusy(const std::string& subject, TimePoint now) const;
  void work(unsigned worker);
  // Returns whether another task may start, given the number of running tasks that are not slow. If
  // not, `wake` is when the next one becomes slow. Call it with the lock held.
  bool mayStart(TimePoint now, TimePoint& wake) const;

  // Wakes the first idle worker, so that few of them are ever used: each keeps what it has made for
  // its first task, such as an MLIR context. Call it with the lock held.
  void wakeOne();

  const Clock& clock_;
  std::mutex mutex_;
  std::vector<Entry> queue_; // it stays short: tasks that an edit overtakes are cancelled
  uint64_t sequence_ = 0;
  bool stopping_ = false;
  unsigned limit_ = 0; // number of concurrent tasks that are not slow
  struct WorkerState {
    std::optional<Running> task;
    bool isIdle = false; // waits, and was not woken yet
    std::condition_variable woken;
  };
  std::vector<std::unique_ptr<WorkerState>> states_; // by worker
  std::vector<llvm::thread> threads_;
};

} // namespace gluond::lsp
