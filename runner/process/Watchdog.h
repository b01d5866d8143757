// Ends this process if the driver does not return: an endless kernel blocks every call into the
// driver, and only ending the process ends the kernel.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace gluond::runner {

class Watchdog {
public:
  // `expired` is called once, on the watchdog's own thread, with the kernel waited for; it should
  // inform the client and end the process.
  explicit Watchdog(std::function<void(const std::string& kernel, uint64_t milliseconds)> expired);
  ~Watchdog();

  // During its lifetime, the current thread is inside the driver and should return in time.
  class Guard {
  public:
    Guard(Watchdog& dog, uint64_t milliseconds, std::string kernel) : dog_(dog) {
      dog.arm(milliseconds, std::move(kernel));
    }
    ~Guard() { dog_.disarm(); }
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;

  private:
    Watchdog& dog_;
  };

  // Returns the kernel that the current or last guard was for.
  std::string kernel();

private:
  void arm(uint64_t milliseconds, std::string kernel);
  void disarm();
  void watch();

  std::function<void(const std::string&, uint64_t)> expired_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool isArmed_ = false, isDone_ = false;
  std::chrono::steady_clock::time_point deadline_;
  uint64_t milliseconds_ = 0;
  std::string kernel_;
  std::thread thread_;
};

} // namespace gluond::runner
