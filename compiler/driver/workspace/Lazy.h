// A result made when first asked for, once, whichever thread asks first.
//
// get() computes or waits for the thread that does. A computation that its own token cancelled
// leaves nothing behind: the next one who asks starts again, and a waiter whose token is cancelled
// stops waiting. Any thread.
#pragma once

#include "support/Cancellation.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace gluond::driver {

template <typename T> class Lazy {
public:
  using Result = std::shared_ptr<const T>;

  // `compute()` returns null when it was cancelled. Null: cancelled.
  template <typename Compute> Result get(CancellationToken token, Compute compute) const {
    std::unique_lock lock(mutex_);
    while (isComputing_) {
      if (token.isCancelled()) return nullptr;
      changed_.wait_for(lock, std::chrono::milliseconds(2));
    }
    if (result_) return result_;
    isComputing_ = true;
    lock.unlock();
    Result result = compute();
    lock.lock();
    isComputing_ = false;
    result_ = result;
    lock.unlock();
    changed_.notify_all();
    return result;
  }

  // What is at hand; null when it has not been made.
  Result peek() const {
    std::lock_guard lock(mutex_);
    return result_;
  }

private:
  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  mutable bool isComputing_ = false;
  mutable Result result_;
};

} // namespace gluond::driver
