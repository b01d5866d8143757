#include "runner/process/Memory.h"

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

tl::expected<Allocation, cuda::Result> Allocation::make(const cuda::Driver& driver,
                                                        uint64_t bytes) {
  Allocation made;
  made.bytes_ = bytes;
  cuda::Result result = driver.allocate(&made.address_, std::max<uint64_t>(bytes, 1));
  if (result != cuda::success) return tl::unexpected(result);
  made.driver_ = &driver;
  return made;
}

tl::expected<Allocation, cuda::Result>
Allocation::makeGuarded(const cuda::Driver& driver, cuda::Device device, uint64_t bytes) {
  int supported = 0;
  if (!driver.hasVirtualMemory() ||
      driver.deviceAttribute(&supported, cuda::DeviceAttribute::VirtualMemory, device) !=
          cuda::success ||
      !supported)
    return make(driver, bytes);
  cuda::AllocationProperties properties = {};
  properties.type = 1; // pinned
  properties.location = {1, device};
  size_t page = 0;
  if (driver.granularity(&page, &properties, 0) != cuda::success || page == 0)
    return make(driver, bytes);

  Allocation made;
  made.driver_ = &driver;
  made.bytes_ = bytes;
  made.mappedBytes_ = roundUp(std::max<uint64_t>(bytes, 1), page);
  made.reservedBytes_ = made.mappedBytes_ + 2 * page;
  if (cuda::Result result = driver.reserve(&made.reserved_, made.reservedBytes_, page, 0, 0);
      result != cuda::success) {
    made.reserved_ = 0;
    return tl::unexpected(result);
  }
  cuda::MemoryHandle handle = 0;
  if (cuda::Result result = driver.createMemory(&handle, made.mappedBytes_, &properties, 0);
      result != cuda::success)
    return tl::unexpected(result);
  cuda::Result result = driver.map(made.reserved_ + page, made.mappedBytes_, 0, handle, 0);
  driver.releaseMemory(handle); // the mapping keeps it
  if (result != cuda::success) return tl::unexpected(result);
  made.mapped_ = made.reserved_ + page;
  cuda::AccessDescription access = {properties.location, 3}; // read and write
  if (result = driver.setAccess(made.mapped_, made.mappedBytes_, &access, 1);
      result != cuda::success)
    return tl::unexpected(result);
  made.address_ = made.mapped_ + made.mappedBytes_ - roundUp(bytes, alignment);
  if (!made.writePattern()) return tl::unexpected(cuda::invalidValue);
  return made;
}

bool Allocation::writePattern() {
  std::vector<unsigned char> bytes(mostMargin, pattern);
  uint64_t before = std::min(mostMargin, address_ - mapped_),
           behind = mapped_ + mappedBytes_ - address_ - bytes_;
  return (!before ||
          driver_->copyToDevice(address_ - before, bytes.data(), before) == cuda::success) &&
         (!behind ||
          driver_->copyToDevice(address_ + bytes_, bytes.data(), behind) == cuda::success);
}

bool Allocation::isOverwritten() const {
  if (!mapped_) return false;
  uint64_t before = std::min(mostMargin, address_ - mapped_),
           behind = mapped_ + mappedBytes_ - address_ - bytes_;
  std::vector<unsigned char> bytes(before + behind, pattern);
  if (before) driver_->copyToHost(bytes.data(), address_ - before, before);
  if (behind) driver_->copyToHost(bytes.data() + before, address_ + bytes_, behind);
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
