// The driver's events, which record moments on the GPU.
#pragma once

#include "runner/cuda/Driver.h"

#include <vector>

namespace gluond::runner {

// Creates as many of `count` events as the driver permits, and destroys them at the end.
class Events {
public:
  Events(const cuda::Driver& driver, size_t count) : driver_(driver) {
    for (size_t i = 0; i < count; ++i) {
      cuda::Event event = nullptr;
      if (driver.eventCreate(&event, 0) != cuda::success) break;
      events_.push_back(event);
    }
  }
  ~Events() {
    for (cuda::Event event : events_)
      driver_.eventDestroy(event);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  size_t size() const { return events_.size(); }
  cuda::Event operator[](size_t i) const { return events_[i]; }

private:
  const cuda::Driver& driver_;
  std::vector<cuda::Event> events_;
};

} // namespace gluond::runner
