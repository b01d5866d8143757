// The server's clock, which tests can replace.
#pragma once

#include <chrono>

namespace gluond::lsp {

using TimePoint = std::chrono::steady_clock::time_point;
using Duration = std::chrono::steady_clock::duration;

class Clock {
public:
  virtual ~Clock() = default;
  virtual TimePoint now() const { return std::chrono::steady_clock::now(); }
};

// Advances only when told to. Use it with a Scheduler without threads.
class ManualClock : public Clock {
public:
  TimePoint now() const override { return now_; }
  void advance(Duration by) { now_ += by; }

private:
  TimePoint now_{};
};

} // namespace gluond::lsp
