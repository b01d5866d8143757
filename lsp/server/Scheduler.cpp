#include "lsp/server/Scheduler.h"

#include "support/MachineMemory.h"
#include "support/Parallel.h"

#include <algorithm>
#include <pthread.h>

namespace gluond::lsp {

void Scheduler::start(unsigned threads) {
  if (threads == 0) return;
  limit_ = threads;
  began_.resize(workers(threads));
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
  }
  changed_.notify_all();
  for (llvm::thread& thread : threads_)
    if (thread.joinable()) thread.join();
}

void Scheduler::post(Priority priority, TimePoint notBefore, Task task) {
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return;
    queue_.push_back({notBefore, priority, sequence_++, std::move(task)});
  }
  changed_.notify_one();
}

std::vector<Scheduler::Entry>::iterator Scheduler::pick(TimePoint now) {
  auto best = queue_.end();
  for (auto it = queue_.begin(); it != queue_.end(); ++it)
    if (it->due <= now && (best == queue_.end() || std::tie(it->priority, it->sequence) <
                                                       std::tie(best->priority, best->sequence)))
      best = it;
  return best;
}

bool Scheduler::mayStart(TimePoint now, TimePoint& wake) const {
  unsigned running = 0;
  wake = TimePoint::max();
  for (const std::optional<TimePoint>& began : began_) {
    if (!began || now - *began >= slowAfter) continue;
    ++running;
    wake = std::min(wake, *began + slowAfter);
  }
  return running < limit_;
}

void Scheduler::work(unsigned worker) {
  pthread_setname_np(pthread_self(), "gluond-worker");
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    TimePoint now = clock_.now(), wake;
    auto next = pick(now);
    if (next != queue_.end() && !mayStart(now, wake)) {
      changed_.wait_for(lock, wake - now);
      continue;
    }
    if (next == queue_.end()) {
      auto earliest =
          std::min_element(queue_.begin(), queue_.end(),
                           [](const Entry& a, const Entry& b) { return a.due < b.due; });
      if (earliest == queue_.end())
        changed_.wait(lock);
      else
        changed_.wait_until(lock, TimePoint(earliest->due));
      continue;
    }
    Task task = std::move(next->task);
    queue_.erase(next);
    began_[worker] = now;
    lock.unlock();
    task(worker);
    task = nullptr; // its captures are released outside the lock
    returnFreeMemory();
    lock.lock();
    began_[worker] = std::nullopt; // this thread next picks a task that could not start before
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
