#include "runner/process/Watchdog.h"

namespace gluond::runner {

Watchdog::Watchdog(std::function<void(const std::string&, uint64_t)> expired)
    : expired_(std::move(expired)), thread_([this] { watch(); }) {}

Watchdog::~Watchdog() {
  {
    std::lock_guard lock(mutex_);
    isDone_ = true;
  }
  changed_.notify_all();
  thread_.join();
}

void Watchdog::arm(uint64_t milliseconds, std::string kernel) {
  {
    std::lock_guard lock(mutex_);
    isArmed_ = true;
    milliseconds_ = milliseconds;
    deadline_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(milliseconds);
    kernel_ = std::move(kernel);
  }
  changed_.notify_all();
}

void Watchdog::disarm() {
  std::lock_guard lock(mutex_);
  isArmed_ = false;
}

std::string Watchdog::kernel() {
  std::lock_guard lock(mutex_);
  return kernel_;
}

void Watchdog::watch() {
  std::unique_lock lock(mutex_);
  while (!isDone_) {
    if (!isArmed_) {
      changed_.wait(lock);
    } else if (std::chrono::steady_clock::now() < deadline_) {
      changed_.wait_until(lock, deadline_);
    } else {
      isArmed_ = false;
      std::string kernel = kernel_;
      uint64_t milliseconds = milliseconds_;
      lock.unlock();
      expired_(kernel, milliseconds);
      lock.lock();
    }
  }
}

} // namespace gluond::runner
