// A result that is computed once, by the first thread that needs it.
//
// get() computes the result or waits for the thread that does. If that computation is cancelled by
// its own token, nothing is stored: the next caller starts again. A waiter whose own token is
// cancelled stops waiting. So is a computation that another file's limit cut short (ForOthers),
// because this file's own work would compute the whole. May be called from any thread.
#pragma once

#include "support/Allowance.h"
#include "support/Cancellation.h"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace gluond::driver {

template <typename T> class Lazy {
public:
  using Result = std::shared_ptr<const T>;

  // `compute()` returns null if it was cancelled; get() then returns null as well, and if it was
  // cut short.
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
    if (Spending::isCutShort()) result = nullptr;
    lock.lock();
    isComputing_ = false;
    result_ = result;
    lock.unlock();
    changed_.notify_all();
    return result;
  }

  // Returns the stored result, or null if there is none yet.
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
