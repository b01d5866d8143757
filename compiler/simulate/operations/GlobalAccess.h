// Reading and writing global memory through pointers, with every address checked.
#pragma once

#include "simulate/machine/Machine.h"

namespace gluond::simulate {

// A number or a tensor of 64-bit addresses, and which of them count.
struct Addresses {
  const uint64_t* at = nullptr;
  const uint8_t* mask = nullptr; // null if all are accessed
  size_t count = 0;
  bool isOn(size_t i) const { return !mask || (mask[i] & 1); }
};
// Returns the addresses in an operand. `maskOperand` is negative if there is no mask.
Addresses addressesOf(Execution& x, unsigned pointers, int maskOperand);

// Elements that are masked off stay what they are. Failed: an address is out of bounds, which is
// noted.
Step loadElements(Execution& x, const Addresses& addresses, unsigned bytes, std::byte* elements);
Step storeElements(Execution& x, const Addresses& addresses, unsigned bytes,
                   const std::byte* elements);
// Says that bytes of global memory are read, written (`data`: what is there afterwards), or changed
// atomically. Runs may be in any order.
enum class GlobalUse : uint8_t { Reads, Writes, Changes };
void noteGlobal(Execution& x, GlobalUse use, Bytes::Runs runs,
                llvm::ArrayRef<const std::byte*> data = {});
// The bytes of a block, piece by piece: they are noted together, because noting has its price.
class NotedRuns {
public:
  NotedRuns(Execution& x, GlobalUse use) : x_(x), use_(use), isOn_(x.checksRaces()) {}
  void add(uint64_t address, size_t bytes, const std::byte* data = nullptr) {
    if (!isOn_) return;
    runs_.push_back({address, address + bytes});
    if (data) data_.push_back(data);
  }
  void note() { noteGlobal(x_, use_, std::move(runs_), data_); }

private:
  Execution& x_;
  GlobalUse use_;
  bool isOn_;
  Bytes::Runs runs_;
  std::vector<const std::byte*> data_;
};
// Notes an access out of bounds, of the element with this number.
Step outOfBounds(Execution& x, uint64_t address, size_t element, bool isStore);

} // namespace gluond::simulate
