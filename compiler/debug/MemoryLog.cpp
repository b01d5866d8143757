#include "debug/MemoryLog.h"

#include <algorithm>

namespace gluond::debug {

void MemoryLog::keep(const simulate::GlobalMemory& memory, uint64_t address, size_t bytes) {
  if (bytes == 0) return;
  uint64_t last = (address + bytes - 1) / pageBytes;
  for (uint64_t page = address / pageBytes; page <= last; ++page) {
    auto [found, isNew] = pages_.try_emplace(page * pageBytes);
    if (!isNew) continue;
    std::span<std::byte> from = memory.from(page * pageBytes);
    from = from.first(std::min<size_t>(from.size(), pageBytes));
    found->second.assign(from.begin(), from.end());
    bytes_ += from.size();
  }
}

void MemoryLog::exchange(const simulate::GlobalMemory& memory) {
  for (auto& [address, page] : pages_)
    std::swap_ranges(page.begin(), page.end(), memory.from(address).begin());
}

void MemoryLog::add(MemoryLog other) {
  for (auto& [address, page] : other.pages_) {
    size_t bytes = page.size();
    if (pages_.try_emplace(address, std::move(page)).second) bytes_ += bytes;
  }
}

} // namespace gluond::debug
