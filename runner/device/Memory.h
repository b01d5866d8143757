// GPU memory that frees itself.
#pragma once

#include "runner/device/Driver.h"

#include <string>
#include <utility>

namespace gluond::runner {

// One allocation, made and freed in the current context. `address` is aligned to 256
// bytes.
//
// A guarded one is at the end of its own pages, between unmapped pages: if a kernel accesses memory
// after it (or a page before it), it faults. The fewer than 256 bytes between its end and the end
// of the page hold a pattern.
class Allocation {
public:
  Allocation() = default;
  Allocation(Allocation&& other) noexcept { *this = std::move(other); }
  Allocation& operator=(Allocation&& other) noexcept;
  ~Allocation() { reset(); }

  static tl::expected<Allocation, device::Result> make(const device::Driver& driver,
                                                       uint64_t bytes);
  // Falls back to make() if the driver has no virtual memory management for the device.
  static tl::expected<Allocation, device::Result> makeGuarded(const device::Driver& driver,
                                                              int device, uint64_t bytes);

  device::Address address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  bool isGuarded() const { return mapped_ != 0; }
  // Returns whether the margins of a guarded allocation were overwritten.
  bool isOverwritten() const;
  void reset();

private:
  bool writePattern();

  const device::Driver* driver_ = nullptr;
  device::Address address_ = 0, reserved_ = 0, mapped_ = 0;
  uint64_t bytes_ = 0, reservedBytes_ = 0, mappedBytes_ = 0;
};

} // namespace gluond::runner
