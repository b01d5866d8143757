#include "simulate/operations/GlobalAccess.h"

#include <cstring>

namespace gluond::simulate {

Addresses addressesOf(Execution& x, unsigned pointers, int maskOperand) {
  Addresses addresses;
  addresses.at = reinterpret_cast<const uint64_t*>(x.data(pointers));
  addresses.count = x.count(pointers);
  if (maskOperand >= 0)
    addresses.mask = reinterpret_cast<const uint8_t*>(x.data(static_cast<unsigned>(maskOperand)));
  return addresses;
}

Step outOfBounds(Execution& x, uint64_t address, size_t element, bool isStore) {
  return x.fail(Id::SimulatedOutOfBounds, isStore ? "this writes" : "this reads",
                x.machine.describe(address), element);
}

void noteGlobal(Execution& x, GlobalUse use, Bytes::Runs runs,
                llvm::ArrayRef<const std::byte*> data) {
  if (!x.checksRaces() || runs.empty()) return;
  bool isOwn = runs.front().from & Machine::scratchAddress;
  if (Ledger* ledger = isOwn ? nullptr : x.machine.ledger())
    for (size_t i = 0; i < runs.size(); ++i) {
      size_t count = runs[i].to - runs[i].from;
      if (use == GlobalUse::Reads)
        ledger->read(x.instruction.op, runs[i].from, count);
      else if (use == GlobalUse::Changes)
        ledger->atomic(x.instruction.op, runs[i].from, count);
      else
        ledger->write(x.instruction.op, runs[i].from, data[i], count);
    }
  // Within the program, where something goes on beside this thread. What nobody writes may be read
  // in any order; that somebody writes it later is found between partitions only.
  bool hasPartitions = x.machine.program().hasPartitions;
  if (!hasPartitions && x.state.operations == 0) return;
  uint32_t alloc = Machine::allocOf(runs.front().from);
  auto isStore = [](const AsyncOperation& operation) {
    return operation.actor == Actor::TmaStore || operation.actor == Actor::TdmStore;
  };
  if (use == GlobalUse::Reads && !hasPartitions && !x.state.accesses.has(alloc) &&
      llvm::none_of(x.state.underWay, isStore))
    return;
  x.access(Bytes::of(alloc, std::move(runs)),
           {.isWrite = use != GlobalUse::Reads, .isAtomic = use == GlobalUse::Changes});
}

namespace {

// The range that all addresses are in, and the bits that any of them has; false: none counts.
bool rangeOf(const Addresses& addresses, uint64_t& least, uint64_t& most, uint64_t& bits) {
  least = UINT64_MAX;
  most = bits = 0;
  if (!addresses.mask) {
    for (size_t i = 0; i < addresses.count; ++i) {
      least = std::min(least, addresses.at[i]);
      most = std::max(most, addresses.at[i]);
      bits |= addresses.at[i];
    }
    return addresses.count != 0;
  }
  bool isAny = false;
  for (size_t i = 0; i < addresses.count; ++i)
    if (addresses.mask[i] & 1) {
      isAny = true;
      least = std::min(least, addresses.at[i]);
      most = std::max(most, addresses.at[i]);
      bits |= addresses.at[i];
    }
  return isAny;
}

std::string placeOf(Execution& x, uint64_t address) {
  return "byte " + std::to_string(GlobalMemory::offsetOf(address)) + " of " +
         x.machine.memory().nameOf(address);
}

// Elements lie where their size divides the address.
void checkAlignment(Execution& x, const Addresses& addresses, unsigned bytes, bool isStore) {
  for (size_t i = 0; i < addresses.count; ++i)
    if (addresses.isOn(i) && addresses.at[i] % bytes) {
      x.warn(Id::SimulatedMisaligned, isStore ? "this writes" : "this reads",
             placeOf(x, addresses.at[i]), bytes);
      return;
    }
}

// Two elements of one store to the same place, with different values.
void checkOverlap(Execution& x, const Addresses& addresses, unsigned bytes,
                  const std::byte* elements) {
  std::vector<size_t> order;
  for (size_t i = 0; i < addresses.count; ++i)
    if (addresses.isOn(i)) order.push_back(i);
  auto isBefore = [&](size_t a, size_t b) {
    return std::pair(addresses.at[a], a) < std::pair(addresses.at[b], b);
  };
  llvm::sort(order, isBefore);
  for (size_t i = 1; i < order.size(); ++i) {
    size_t a = order[i - 1], b = order[i];
    if (addresses.at[a] == addresses.at[b] &&
        std::memcmp(elements + a * bytes, elements + b * bytes, bytes) != 0) {
      x.warn(Id::SimulatedOverlap, a, b, placeOf(x, addresses.at[a]));
      return;
    }
  }
}

// All that is accessed, as runs of neighbours. `elements`: what is written; null: it is read.
void noteAddresses(Execution& x, const Addresses& addresses, unsigned bytes,
                   const std::byte* elements) {
  if (!x.checksRaces()) return;
  Bytes::Runs runs;
  std::vector<const std::byte*> data;
  bool isRising = true;
  for (size_t i = 0, next = 0; i < addresses.count; ++i) {
    if (!addresses.isOn(i)) continue;
    uint64_t at = addresses.at[i];
    if (!runs.empty() && runs.back().to == at && next == i) {
      runs.back().to += bytes;
    } else {
      isRising &= runs.empty() || runs.back().to <= at;
      runs.push_back({at, at + bytes});
      if (elements) data.push_back(elements + i * bytes);
    }
    next = i + 1;
  }
  if (elements && !isRising) checkOverlap(x, addresses, bytes, elements);
  noteGlobal(x, elements ? GlobalUse::Writes : GlobalUse::Reads, std::move(runs), data);
}

// Calls move(memory, element) for all that count. Addresses that lie in one allocation, as nearly
// always, are checked together.
template <class Move>
Step forEachAddress(Execution& x, const Addresses& addresses, unsigned bytes,
                    const std::byte* stored, Move move) {
  bool isStore = stored;
  uint64_t least, most, bits;
  if (!rangeOf(addresses, least, most, bits)) return Step::Next;
  if (bits % bytes) checkAlignment(x, addresses, bytes, isStore);
  noteAddresses(x, addresses, bytes, stored);
  auto use = isStore ? Machine::Use::Write : Machine::Use::Read;
  if (std::byte* first =
          x.machine.at(x.state, least, static_cast<size_t>(most - least) + bytes, use)) {
    for (size_t i = 0; i < addresses.count; ++i)
      if (addresses.isOn(i)) move(first + (addresses.at[i] - least), i);
    return Step::Next;
  }
  for (size_t i = 0; i < addresses.count; ++i) {
    if (!addresses.isOn(i)) continue;
    std::byte* memory = x.machine.at(x.state, addresses.at[i], bytes, use);
    if (!memory) return outOfBounds(x, addresses.at[i], i, isStore);
    move(memory, i);
  }
  return Step::Next;
}

template <class Visit> Step bySize(unsigned bytes, Visit visit) {
  switch (bytes) {
  case 1:
    return visit(uint8_t());
  case 2:
    return visit(uint16_t());
  case 4:
    return visit(uint32_t());
  default:
    return visit(uint64_t());
  }
}

} // namespace

Step loadElements(Execution& x, const Addresses& addresses, unsigned bytes, std::byte* elements) {
  return bySize(bytes, [&](auto sample) {
    using T = decltype(sample);
    return forEachAddress(x, addresses, bytes, nullptr, [&](const std::byte* memory, size_t i) {
      std::memcpy(elements + i * sizeof(T), memory, sizeof(T));
    });
  });
}

Step storeElements(Execution& x, const Addresses& addresses, unsigned bytes,
                   const std::byte* elements) {
  return bySize(bytes, [&](auto sample) {
    using T = decltype(sample);
    return forEachAddress(x, addresses, bytes, elements, [&](std::byte* memory, size_t i) {
      std::memcpy(memory, elements + i * sizeof(T), sizeof(T));
    });
  });
}

} // namespace gluond::simulate
