// Runs tasks on worker threads: the urgent before the slow, each not before its time.
//
// A task that runs for long does not hold up the others: after `slowAfter` it no longer counts for
// the number of threads, and a spare one takes over, up to so many.
//
// post() may be called from any thread, also from a task. With no threads (tests) nothing runs
// until runDue(), which runs what is due by the clock on the calling thread, in the same order as
// one worker would. Tasks are expected to poll their own cancellation token; the scheduler drops
// what has not started when it is destroyed and waits for the rest.
#pragma once

#include "lsp/server/Clock.h"

#include <llvm/Support/thread.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

namespace gluond::lsp {

enum class Priority : uint8_t { Interactive, Diagnostics, Background };

class Scheduler {
public:
  // `worker` is below workers(threads); no two tasks run at once with the same one.
  using Task = std::function<void(unsigned worker)>;

  explicit Scheduler(const Clock& clock) : clock_(clock) {}
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  void post(Priority priority, TimePoint notBefore, Task task);
  void post(Priority priority, Task task) { post(priority, clock_.now(), std::move(task)); }

  static constexpr Duration slowAfter = std::chrono::milliseconds(100);
  static constexpr unsigned spareThreads = 4;
  static constexpr unsigned workers(unsigned threads) {
    return threads ? threads + spareThreads : 1;
  }

  // Before anything is posted; not called, or with 0, for inline mode.
  void start(unsigned threads);
  // Without threads: runs tasks until none is due; returns how many ran.
  unsigned runDue();
  // Drops what has not started and waits for what runs. Nothing runs afterwards.
  void stop();

private:
  struct Entry {
    TimePoint due;
    Priority priority;
    uint64_t sequence;
    Task task;
  };
  // The next entry to run at `now`: the most urgent that is due, the oldest of equals. Call with
  // the lock held.
  std::vector<Entry>::iterator pick(TimePoint now);
  void work(unsigned worker);
  // Whether so few tasks run that are not slow that another one may start. Else `wake` is when the
  // next one becomes slow. Call with the lock held.
  bool mayStart(TimePoint now, TimePoint& wake) const;

  const Clock& clock_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Entry> queue_; // short: what an edit overtook has been cancelled
  uint64_t sequence_ = 0;
  bool stopping_ = false;
  unsigned limit_ = 0;                          // tasks that are not slow at once
  std::vector<std::optional<TimePoint>> began_; // by worker: the task that it runs
  std::vector<llvm::thread> threads_;
};

} // namespace gluond::lsp
