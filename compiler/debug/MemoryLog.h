// Pages of global memory as they were, so that a program can be taken back.
#pragma once

#include "simulate/memory/GlobalMemory.h"

#include <llvm/ADT/DenseMap.h>

#include <vector>

namespace gluond::debug {

class MemoryLog {
public:
  static constexpr uint64_t pageBytes = 4096;

  // Keeps the pages that these bytes are in, unless it has them.
  void keep(const simulate::GlobalMemory& memory, uint64_t address, size_t bytes);
  // Exchanges what is kept with what is in memory: what took it back then takes it forward.
  void exchange(const simulate::GlobalMemory& memory);
  // Adds the pages of `other` that are not kept here.
  void add(MemoryLog other);
  size_t bytes() const { return bytes_; }

private:
  llvm::DenseMap<uint64_t, std::vector<std::byte>> pages_; // by the address of their first byte
  size_t bytes_ = 0;
};

} // namespace gluond::debug
