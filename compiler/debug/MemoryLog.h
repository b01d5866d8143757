// Copies of pages of global memory, made before they are written, so that a program can be taken
// back.
#pragma once

#include "simulate/memory/GlobalMemory.h"

#include <llvm/ADT/DenseMap.h>

#include <vector>

namespace gluond::debug {

class MemoryLog {
public:
  static constexpr uint64_t pageBytes = 4096;

  // Copies the pages that contain these bytes, except for those that it already has.
  void keep(const simulate::GlobalMemory& memory, uint64_t address, size_t bytes);
  // Exchanges the copies with the pages in memory. A second call undoes the first one.
  void exchange(const simulate::GlobalMemory& memory);
  // Adds the pages of `other` that this log does not have.
  void add(MemoryLog other);
  size_t bytes() const { return bytes_; }

private:
  llvm::DenseMap<uint64_t, std::vector<std::byte>> pages_; // keyed by the address of the first byte
  size_t bytes_ = 0;
};

} // namespace gluond::debug
