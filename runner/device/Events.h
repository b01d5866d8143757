// The driver's events, which record moments on the GPU.
#pragma once

#include "runner/device/Driver.h"

#include <vector>

namespace gluond::runner {

// Creates as many of `count` events as the driver permits, and destroys them at the end.
class Events {
public:
  Events(const device::Driver& driver, size_t count) : driver_(driver) {
    for (size_t i = 0; i < count; ++i) {
      device::Event event = nullptr;
      if (driver.eventCreate(&event, 0) != device::success) break;
      events_.push_back(event);
    }
  }
  ~Events() {
    for (device::Event event : events_)
      driver_.eventDestroy(event);
  }
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;
  size_t size() const { return events_.size(); }
  device::Event operator[](size_t i) const { return events_[i]; }

private:
  const device::Driver& driver_;
  std::vector<device::Event> events_;
};

} // namespace gluond::runner
