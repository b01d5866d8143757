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
  return x.fail(Id::SimulatedOutOfBounds, isStore ? "this access writes" : "this access reads",
                x.machine.describe(address), element);
}

void noteGlobal(Execution& x, GlobalUse use, Bytes::Runs runs,
                llvm::ArrayRef<const std::byte*> data) {
  if (!x.checksRaces() || runs.empty()) return;
  bool isOwn = runs.front().from & Machine::scratchAddress;
  if (AccessLog* log = isOwn ? nullptr : x.machine.log()) {
    if (use == GlobalUse::Reads) log->read(x.instruction.op, runs);
    if (use == GlobalUse::Changes) log->atomic(x.instruction.op, runs);
    for (size_t i = 0; use == GlobalUse::Writes && i < runs.size(); ++i)
      log->write(x.instruction.op, runs[i].from, data[i], runs[i].to - runs[i].from);
  }
  // Within the program, where something goes on beside this thread. What nobody writes may be read
  // in any order; that somebody writes it later is found between partitions only.
  bool hasPartitions = x.machine.code().hasPartitions;
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

// Elements that follow each other in memory as they do in the tensor, all of which count.
struct Piece {
  size_t first, count; // elements
  uint64_t address;
};
using Pieces = llvm::SmallVector<Piece, 32>;

// How many elements from `first` on make a piece.
size_t lengthOfPiece(const Addresses& addresses, size_t first, unsigned bytes) {
  const uint64_t start = addresses.at[first] - first * bytes; // where element 0 would be
  size_t i = first + 1;
  auto continues = [&] {
    return i < addresses.count && addresses.at[i] == start + i * bytes && addresses.isOn(i);
  };
  if (!continues()) return 1;
  constexpr size_t together = 16;
  for (; i + together <= addresses.count; i += together) {
    uint64_t differences = 0;
    for (size_t j = i; j < i + together; ++j)
      differences |= addresses.at[j] ^ (start + j * bytes);
    uint8_t on = 1;
    if (addresses.mask)
      for (size_t j = i; j < i + together; ++j)
        on &= addresses.mask[j];
    if (differences || !on) break;
  }
  while (continues())
    ++i;
  return i - first;
}

Pieces piecesOf(const Addresses& addresses, unsigned bytes) {
  Pieces pieces;
  for (size_t i = 0; i < addresses.count;) {
    if (!addresses.isOn(i)) {
      ++i;
      continue;
    }
    size_t count = lengthOfPiece(addresses, i, bytes);
    pieces.push_back({i, count, addresses.at[i]});
    i += count;
  }
  return pieces;
}

std::string placeOf(Execution& x, uint64_t address) {
  return "byte " + std::to_string(GlobalMemory::offsetOf(address)) + " of " +
         x.machine.memory().nameOf(address);
}

// Elements lie where their size divides the address.
void checkAlignment(Execution& x, const Addresses& addresses, unsigned bytes, bool isStore) {
  for (size_t i = 0; i < addresses.count; ++i)
    if (addresses.isOn(i) && addresses.at[i] % bytes) {
      x.warn(Id::SimulatedMisaligned, isStore ? "this access writes" : "this access reads",
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

// `elements`: what is written; null: it is read.
void notePieces(Execution& x, const Pieces& pieces, const Addresses& addresses, unsigned bytes,
                const std::byte* elements) {
  if (!x.checksRaces()) return;
  Bytes::Runs runs;
  std::vector<const std::byte*> data;
  runs.reserve(pieces.size());
  if (elements) data.reserve(pieces.size());
  bool isRising = true;
  for (const Piece& piece : pieces) {
    isRising &= runs.empty() || runs.back().to <= piece.address;
    runs.push_back({piece.address, piece.address + piece.count * bytes});
    if (elements) data.push_back(elements + piece.first * bytes);
  }
  if (elements && !isRising) checkOverlap(x, addresses, bytes, elements);
  noteGlobal(x, elements ? GlobalUse::Writes : GlobalUse::Reads, std::move(runs), data);
}

// Calls move(memory, element, count) for all that count. Addresses that lie in one allocation, as
// nearly always, are checked together.
template <class Move>
Step forEachPiece(Execution& x, const Addresses& addresses, unsigned bytes, const std::byte* stored,
                  Move move) {
  bool isStore = stored;
  Pieces pieces = piecesOf(addresses, bytes);
  if (pieces.empty()) return Step::Next;
  uint64_t least = UINT64_MAX, end = 0, bits = 0;
  for (const Piece& piece : pieces) {
    least = std::min(least, piece.address);
    end = std::max(end, piece.address + piece.count * bytes);
    bits |= piece.address;
  }
  if (bits % bytes) checkAlignment(x, addresses, bytes, isStore);
  notePieces(x, pieces, addresses, bytes, stored);
  auto use = isStore ? Machine::Use::Write : Machine::Use::Read;
  if (std::byte* first = x.machine.at(x.state, least, static_cast<size_t>(end - least), use)) {
    for (const Piece& piece : pieces)
      move(first + (piece.address - least), piece.first, piece.count);
    return Step::Next;
  }
  for (const Piece& piece : pieces)
    for (size_t i = piece.first; i < piece.first + piece.count; ++i) {
      std::byte* memory = x.machine.at(x.state, addresses.at[i], bytes, use);
      if (!memory) return outOfBounds(x, addresses.at[i], i, isStore);
      move(memory, i, 1);
    }
  return Step::Next;
}

// Copies elements of type T; single ones without a call.
template <typename T> void copyElements(std::byte* to, const std::byte* from, size_t count) {
  if (count == 1)
    std::memcpy(to, from, sizeof(T));
  else
    std::memcpy(to, from, count * sizeof(T));
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
    return forEachPiece(x, addresses, bytes, nullptr,
                        [&](const std::byte* memory, size_t i, size_t count) {
                          copyElements<T>(elements + i * sizeof(T), memory, count);
                        });
  });
}

Step storeElements(Execution& x, const Addresses& addresses, unsigned bytes,
                   const std::byte* elements) {
  return bySize(bytes, [&](auto sample) {
    using T = decltype(sample);
    return forEachPiece(x, addresses, bytes, elements,
                        [&](std::byte* memory, size_t i, size_t count) {
                          copyElements<T>(memory, elements + i * sizeof(T), count);
                        });
  });
}

} // namespace gluond::simulate
