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

namespace {

// The range that all addresses are in; false: none counts.
bool rangeOf(const Addresses& addresses, uint64_t& least, uint64_t& most) {
  least = UINT64_MAX;
  most = 0;
  if (!addresses.mask) {
    for (size_t i = 0; i < addresses.count; ++i) {
      least = std::min(least, addresses.at[i]);
      most = std::max(most, addresses.at[i]);
    }
    return addresses.count != 0;
  }
  bool isAny = false;
  for (size_t i = 0; i < addresses.count; ++i)
    if (addresses.mask[i] & 1) {
      isAny = true;
      least = std::min(least, addresses.at[i]);
      most = std::max(most, addresses.at[i]);
    }
  return isAny;
}

// Calls move(memory, element) for all that count. Addresses that lie in one allocation, as nearly
// always, are checked together.
template <class Move>
Step forEachAddress(Execution& x, const Addresses& addresses, unsigned bytes, bool isStore,
                    Move move) {
  uint64_t least, most;
  if (!rangeOf(addresses, least, most)) return Step::Next;
  auto access = isStore ? Machine::Access::Write : Machine::Access::Read;
  if (std::byte* first =
          x.machine.at(x.state, least, static_cast<size_t>(most - least) + bytes, access)) {
    for (size_t i = 0; i < addresses.count; ++i)
      if (addresses.isOn(i)) move(first + (addresses.at[i] - least), i);
    return Step::Next;
  }
  for (size_t i = 0; i < addresses.count; ++i) {
    if (!addresses.isOn(i)) continue;
    std::byte* memory = x.machine.at(x.state, addresses.at[i], bytes, access);
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
    return forEachAddress(x, addresses, bytes, false, [&](const std::byte* memory, size_t i) {
      std::memcpy(elements + i * sizeof(T), memory, sizeof(T));
    });
  });
}

Step storeElements(Execution& x, const Addresses& addresses, unsigned bytes,
                   const std::byte* elements) {
  return bySize(bytes, [&](auto sample) {
    using T = decltype(sample);
    return forEachAddress(x, addresses, bytes, true, [&](std::byte* memory, size_t i) {
      std::memcpy(memory, elements + i * sizeof(T), sizeof(T));
    });
  });
}

} // namespace gluond::simulate
