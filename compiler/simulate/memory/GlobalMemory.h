// Global memory: allocations with checked bounds.
//
// Each allocation has a range of addresses of its own, so that an access beside one never reaches
// another. The bytes belong to the caller. The programs of a grid share the memory.
//
// An allocation may have a second address, by which the process that made it knows it. Pointers in
// memory hold the second address.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gluond::simulate {

class GlobalMemory {
public:
  // Adds an allocation and returns the address of its first byte.
  uint64_t add(std::string name, std::span<std::byte> bytes) {
    allocations_.push_back({std::move(name), bytes});
    return addressOf(allocations_.size() - 1);
  }
  // Adds an allocation that has the second address `known`, which is below 2^47.
  uint64_t add(std::string name, std::span<std::byte> bytes, uint64_t known) {
    known_.push_back({known, allocations_.size()});
    return add(std::move(name), bytes);
  }
  // Returns the address here of a byte whose second address is `known`, the one past the end
  // included. Addresses of no allocation stay as they are.
  uint64_t translate(uint64_t known) const;
  // Returns null if these bytes are not all in one allocation.
  std::byte* at(uint64_t address, size_t bytes) const {
    auto [index, offset] = split(address);
    if (index >= allocations_.size()) return nullptr;
    std::span<std::byte> memory = allocations_[index].bytes;
    if (offset > memory.size() || bytes > memory.size() - offset) return nullptr;
    return memory.data() + offset;
  }
  // Returns the allocation that contains an address, and the offset in it.
  struct Place {
    std::string_view name;
    uint64_t offset;
  };
  std::optional<Place> placeOf(uint64_t address) const {
    auto [index, offset] = split(address);
    if (index >= allocations_.size() || offset >= allocations_[index].bytes.size())
      return std::nullopt;
    return Place{allocations_[index].name, offset};
  }
  // Returns the bytes from an address to the end of its allocation, or none if it is in no
  // allocation.
  std::span<std::byte> from(uint64_t address) const {
    auto [index, offset] = split(address);
    if (index >= allocations_.size() || offset > allocations_[index].bytes.size()) return {};
    return allocations_[index].bytes.subspan(offset);
  }
  // Says where an access that is out of bounds went: "byte 4096 of 'x', which has 4096".
  std::string describe(uint64_t address) const;
  // Returns the name of the allocation that contains the address: "'x'".
  std::string nameOf(uint64_t address) const;
  static uint64_t offsetOf(uint64_t address) { return address & mask; }
  // Addresses a little before an allocation are still told from those past the one before it.
  static constexpr unsigned range = 44;

private:
  // The first range, which lies after the addresses that a process has.
  static constexpr uint64_t first = 8;
  static constexpr uint64_t mask = (uint64_t(1) << range) - 1;
  struct Allocation {
    std::string name;
    std::span<std::byte> bytes;
  };
  struct Known {
    uint64_t address;
    size_t allocation;
  };
  struct Split {
    uint64_t index, offset; // an index that is too large: of no allocation
  };
  Split split(uint64_t address) const {
    uint64_t index = (address >> range) - first;
    if (index >= allocations_.size() && !known_.empty()) {
      address = translate(address);
      index = (address >> range) - first;
    }
    return {index, address & mask};
  }
  static uint64_t addressOf(size_t index) { return (index + first) << range; }
  std::vector<Allocation> allocations_;
  std::vector<Known> known_;
};

} // namespace gluond::simulate
