#include "runner/device/Memory.h"

#include <algorithm>
#include <vector>

namespace gluond::runner {

namespace {

constexpr uint64_t alignment = 256;
constexpr unsigned char pattern = 0xa5;
// What is looked at before the tensor; more than a thread reaches by one wrong index.
constexpr uint64_t mostMargin = 4096;

uint64_t roundUp(uint64_t value, uint64_t to) {
  return (value + to - 1) / to * to;
}

} // namespace

Allocation& Allocation::operator=(Allocation&& other) noexcept {
  std::swap(driver_, other.driver_);
  std::swap(address_, other.address_);
  std::swap(reserved_, other.reserved_);
  std::swap(mapped_, other.mapped_);
  std::swap(bytes_, other.bytes_);
  std::swap(reservedBytes_, other.reservedBytes_);
  std::swap(mappedBytes_, other.mappedBytes_);
  return *this;
}

tl::expected<Allocation, device::Result> Allocation::make(const device::Driver& driver,
                                                          uint64_t bytes) {
  Allocation made;
  made.bytes_ = bytes;
  device::Result result = driver.allocate(&made.address_, std::max<uint64_t>(bytes, 1));
  if (result != device::success) return tl::unexpected(result);
  made.driver_ = &driver;
  return made;
}

tl::expected<Allocation, device::Result> Allocation::makeGuarded(const device::Driver& driver,
                                                                 int device, uint64_t bytes) {
  if (!driver.hasVirtualMemoryOn(device)) return make(driver, bytes);
  device::AllocationProperties properties = {};
  properties.type = 1; // pinned
  properties.location = {1, device};
  size_t page = 0;
  if (driver.granularity(&page, &properties, 0) != device::success || page == 0)
    return make(driver, bytes);

  Allocation made;
  made.driver_ = &driver;
  made.bytes_ = bytes;
  made.mappedBytes_ = roundUp(std::max<uint64_t>(bytes, 1), page);
  made.reservedBytes_ = made.mappedBytes_ + 2 * page;
  if (device::Result result = driver.reserve(&made.reserved_, made.reservedBytes_, page, 0, 0);
      result != device::success) {
    made.reserved_ = 0;
    return tl::unexpected(result);
  }
  device::MemoryHandle handle = 0;
  if (device::Result result = driver.createMemory(&handle, made.mappedBytes_, &properties, 0);
      result != device::success)
    return tl::unexpected(result);
  device::Result result = driver.map(made.reserved_ + page, made.mappedBytes_, 0, handle, 0);
  driver.releaseMemory(handle); // the mapping keeps it
  if (result != device::success) return tl::unexpected(result);
  made.mapped_ = made.reserved_ + page;
  device::AccessDescription access = {properties.location, 3}; // read and write
  if (result = driver.setAccess(made.mapped_, made.mappedBytes_, &access, 1);
      result != device::success)
    return tl::unexpected(result);
  made.address_ = made.mapped_ + made.mappedBytes_ - roundUp(bytes, alignment);
  if (!made.writePattern()) return tl::unexpected(device::invalidValue);
  return made;
}

bool Allocation::writePattern() {
  std::vector<unsigned char> bytes(mostMargin, pattern);
  uint64_t before = std::min(mostMargin, address_ - mapped_),
           after = mapped_ + mappedBytes_ - address_ - bytes_;
  return (!before ||
          driver_->copyToDevice(address_ - before, bytes.data(), before) == device::success) &&
         (!after ||
          driver_->copyToDevice(address_ + bytes_, bytes.data(), after) == device::success);
}

bool Allocation::isOverwritten() const {
  if (!mapped_) return false;
  uint64_t before = std::min(mostMargin, address_ - mapped_),
           after = mapped_ + mappedBytes_ - address_ - bytes_;
  std::vector<unsigned char> bytes(before + after, pattern);
  if (before) driver_->copyToHost(bytes.data(), address_ - before, before);
  if (after) driver_->copyToHost(bytes.data() + before, address_ + bytes_, after);
  return std::any_of(bytes.begin(), bytes.end(),
                     [](unsigned char byte) { return byte != pattern; });
}

void Allocation::reset() {
  if (!driver_) return;
  if (mapped_) driver_->unmap(mapped_, mappedBytes_);
  if (reserved_)
    driver_->unreserve(reserved_, reservedBytes_);
  else if (address_)
    driver_->release(address_);
  driver_ = nullptr;
  address_ = reserved_ = mapped_ = 0;
}

} // namespace gluond::runner
