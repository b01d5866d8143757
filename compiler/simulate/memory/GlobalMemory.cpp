#include "simulate/memory/GlobalMemory.h"

namespace gluond::simulate {

uint64_t GlobalMemory::translate(uint64_t known) const {
  // The end of one allocation may be the beginning of another, which is then meant.
  uint64_t past = known;
  for (const Known& each : known_) {
    if (known < each.address) continue;
    uint64_t offset = known - each.address, size = allocations_[each.allocation].bytes.size();
    if (offset < size) return addressOf(each.allocation) + offset;
    if (offset == size) past = addressOf(each.allocation) + offset;
  }
  return past;
}

std::string GlobalMemory::describe(uint64_t address) const {
  uint64_t half = uint64_t(1) << (range - 1);
  uint64_t index = ((address + half) >> range) - first;
  if (address == 0) return "address 0, a null pointer";
  if (index >= allocations_.size())
    return "address " + std::to_string(address) + ", which belongs to no tensor";
  const Allocation& nearest = allocations_[index];
  int64_t offset = static_cast<int64_t>(address - addressOf(index));
  return "byte " + std::to_string(offset) + " of '" + nearest.name + "', which has " +
         std::to_string(nearest.bytes.size()) + " bytes";
}

std::string GlobalMemory::nameOf(uint64_t address) const {
  uint64_t index = split(address).index;
  return index < allocations_.size() ? "'" + allocations_[index].name + "'" : "scratch memory";
}

} // namespace gluond::simulate
