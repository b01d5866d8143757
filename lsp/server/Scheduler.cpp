#include "lsp/server/Scheduler.h"

#include "support/MachineMemory.h"
#include "support/Parallel.h"

#include <algorithm>
#include <pthread.h>

namespace gluond::lsp {

void Scheduler::start(unsigned threads) {
  if (threads == 0) return;
  limit_ = threads;
  for (unsigned i = 0; i < workers(threads); ++i)
    states_.push_back(std::make_unique<WorkerState>());
  for (unsigned i = 0; i < workers(threads); ++i)
    threads_.emplace_back(std::optional<unsigned>(compilerStackBytes), [this, i] { work(i); });
}

Scheduler::~Scheduler() {
  stop();
}

void Scheduler::stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
    queue_.clear();
    for (auto& state : states_)
      state->woken.notify_one();
  }
  for (llvm::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void Scheduler::post(Priority priority, TimePoint notBefore, Task task, std::string subject) {
  std::lock_guard lock(mutex_);
  if (stopping_) return;
  queue_.push_back({notBefore, priority, sequence_++, std::move(task), std::move(subject)});
  wakeOne();
}

std::vector<Scheduler::Entry>::iterator Scheduler::pick(TimePoint now) {
  auto best = queue_.end();
  for (auto it = queue_.begin(); it != queue_.end(); ++it)
    if (it->due <= now &&
        (best == queue_.end() ||
         std::tie(it->priority, it->sequence) < std::tie(best->priority, best->sequence)) &&
        !isBusy(it->subject, now))
      best = it;
  return best;
}

bool Scheduler::isBusy(const std::string& subject, TimePoint now) const {
  if (subject.empty()) return false;
  unsigned count = 0;
  bool isSlow = false;
  for (const auto& state : states_) {
    const auto& task = state->task;
    if (!task || task->subject != subject) continue;
    ++count;
    isSlow |= now - task->began >= slowAfter;
  }
  return isSlow && count >= mostOfSlow;
}

bool Scheduler::mayStart(TimePoint now, TimePoint& wake) const {
  unsigned running = 0;
  wake = TimePoint::max();
  for (const auto& state : states_) {
    const auto& task = state->task;
    if (!task || now - task->began >= slowAfter) continue;
    ++running;
    wake = std::min(wake, task->began + slowAfter);
  }
  return running < limit_;
}

void Scheduler::wakeOne() {
  for (auto& state : states_)
    if (std::exchange(state->isIdle, false)) return state->woken.notify_one();
}

void Scheduler::work(unsigned worker) {
  pthread_setname_np(pthread_self(), "gluond-worker");
  std::unique_lock lock(mutex_);
  WorkerState& state = *states_[worker];
  while (!stopping_) {
    TimePoint now = clock_.now(), wake = TimePoint::max();
    auto next = pick(now);
    bool isThere = next != queue_.end();
    if (!isThere || !mayStart(now, wake)) {
      // Entries that are due and were not picked wait until a task about their subject ends.
      if (!isThere)
        for (const Entry& entry : queue_)
          if (entry.due > now) wake = std::min(wake, entry.due);
      state.isIdle = true;
      if (wake == TimePoint::max())
        state.woken.wait(lock);
      else
        state.woken.wait_for(lock, wake - now);
      state.isIdle = false;
      continue;
    }
    Task task = std::move(next->task);
    state.task = {now, std::move(next->subject)};
    queue_.erase(next);
    if (!queue_.empty()) wakeOne();
    lock.unlock();
    task(worker);
    task = nullptr; // its captures are released outside the lock
    returnFreeMemory();
    lock.lock();
    state.task = std::nullopt; // this thread next picks a task that could not start before
  }
}

unsigned Scheduler::runDue() {
  unsigned ran = 0;
  std::unique_lock lock(mutex_);
  for (auto next = pick(clock_.now()); next != queue_.end(); next = pick(clock_.now())) {
    Task task = std::move(next->task);
    queue_.erase(next);
    lock.unlock();
    task(0);
    ++ran;
    lock.lock();
  }
  return ran;
}

} // namespace gluond::lsp
