// GPU memory that frees itself.
#pragma once

#include "runner/cuda/Driver.h"

#include <string>
#include <utility>

namespace gluond::runner {

// One allocation, of the context that is current where it is made and freed. `address` is aligned
// to 256 bytes.
//
// A guarded one lies at the end of pages of its own between pages that are not mapped: what a
// kernel reads or writes behind it (or a page before it) faults. Between its end and the page's
// there are fewer than 256 bytes, which hold a pattern.
class Allocation {
public:
  Allocation() = default;
  Allocation(Allocation&& other) noexcept { *this = std::move(other); }
  Allocation& operator=(Allocation&& other) noexcept;
  ~Allocation() { reset(); }

  static tl::expected<Allocation, cuda::Result> make(const cuda::Driver& driver, uint64_t bytes);
  // Falls back on make() where the driver has no virtual memory.
  static tl::expected<Allocation, cuda::Result> makeGuarded(const cuda::Driver& driver,
                                                            cuda::Device device, uint64_t bytes);

  cuda::Pointer address() const { return address_; }
  uint64_t bytes() const { return bytes_; }
  // Whether somebody wrote into the margins of a guarded allocation.
  bool isOverwritten() const;
  void reset();

private:
  bool writePattern();

  const cuda::Driver* driver_ = nullptr;
  cuda::Pointer address_ = 0, reserved_ = 0, mapped_ = 0;
  uint64_t bytes_ = 0, reservedBytes_ = 0, mappedBytes_ = 0;
};

} // namespace gluond::runner
