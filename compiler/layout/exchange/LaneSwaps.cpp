#include "layout/exchange/LaneSwaps.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::layout {

namespace {

// A bit of the number of a register or of a lane.
struct PlaceBit {
  bool isLane = false;
  unsigned bit = 0;
  bool operator==(const PlaceBit&) const = default;
};

// By bit of the result's registers or lanes, the bit of the source's place that has its elements.
struct Permutation {
  llvm::SmallVector<PlaceBit> registers, lanes;
};

std::optional<Permutation> permutationOf(const LinearLayout& from, const LinearLayout& to) {
  std::optional<LinearLayout> map = to.invertAndCompose(from);
  if (!map || !map->hasIn(Dim::Register) || !map->hasIn(Dim::Lane) || !map->hasOut(Dim::Register) ||
      !map->hasOut(Dim::Lane))
    return std::nullopt;
  Permutation found;
  uint64_t seen = 0;
  for (DimBits in : map->ins())
    for (auto [i, column] : llvm::enumerate(map->columns(in.dim))) {
      if (!llvm::has_single_bit(column) || seen & column) return std::nullopt;
      seen |= column;
      unsigned bit = llvm::Log2_64(column);
      auto bitIn = [&](Dim dim) -> std::optional<unsigned> {
        if (!map->hasOut(dim)) return std::nullopt;
        unsigned first = map->outShift(dim);
        bool isInside = bit >= first && int64_t(1) << (bit - first) < map->outSize(dim);
        return isInside ? std::optional(bit - first) : std::nullopt;
      };
      if (in.dim != Dim::Register && in.dim != Dim::Lane) {
        if (bitIn(in.dim) != static_cast<unsigned>(i)) return std::nullopt; // another warp
        continue;
      }
      auto reg = bitIn(Dim::Register), lane = bitIn(Dim::Lane);
      if (!reg && !lane) return std::nullopt;
      (in.dim == Dim::Register ? found.registers : found.lanes)
          .push_back({.isLane = !reg, .bit = reg ? *reg : *lane});
    }
  bool isWhole =
      found.registers.size() ==
      static_cast<size_t>(llvm::Log2_64(static_cast<uint64_t>(from.inSize(Dim::Register))));
  return isWhole ? std::optional(std::move(found)) : std::nullopt;
}

} // namespace

std::optional<LaneSwaps> laneSwaps(const LinearLayout& from, const LinearLayout& to,
                                   unsigned elementBits, uint64_t swappable) {
  constexpr unsigned wordBits = 32;
  std::optional<Permutation> sources = permutationOf(from, to);
  if (!sources || elementBits > wordBits) return std::nullopt;
  for (auto [i, source] : llvm::enumerate(sources->lanes))
    if (!(swappable >> i & 1) && source != PlaceBit{.isLane = true, .bit = unsigned(i)})
      return std::nullopt;

  LaneSwaps plan;
  uint64_t packed = 0; // bits of the source's registers
  for (auto [i, source] : llvm::enumerate(sources->registers)) {
    if (elementBits << plan.sourceWordBits.size() >= wordBits) break;
    if (source.isLane) continue;
    plan.sourceWordBits.push_back(uint64_t(1) << source.bit);
    plan.resultWordBits.push_back(uint64_t(1) << i);
    packed |= plan.sourceWordBits.back();
  }
  if (elementBits << plan.sourceWordBits.size() != wordBits) return std::nullopt;

  // The contents of each place now, by bit: in the beginning, the place's own.
  llvm::SmallVector<PlaceBit> registers, lanes;
  for (unsigned i = 0; i < sources->registers.size(); ++i)
    registers.push_back({.isLane = false, .bit = i});
  for (unsigned i = 0; i < sources->lanes.size(); ++i)
    lanes.push_back({.isLane = true, .bit = i});
  auto swap = [&](unsigned reg, unsigned lane) {
    std::swap(registers[reg], lanes[lane]);
    plan.swaps.push_back({uint64_t(1) << reg, uint64_t(1) << lane});
  };
  // Lanes get what is in a register. If no lane can, two of them want each other's: one of the two
  // goes into a register first.
  for (bool isDone = false; !isDone;) {
    isDone = true;
    std::optional<unsigned> waiting;
    bool hasSwapped = false;
    for (unsigned lane = 0; lane < lanes.size(); ++lane) {
      if (lanes[lane] == sources->lanes[lane]) continue;
      isDone = false;
      const auto* holder = llvm::find(registers, sources->lanes[lane]);
      if (holder == registers.end()) {
        waiting = lane;
        continue;
      }
      swap(static_cast<unsigned>(holder - registers.begin()), lane);
      hasSwapped = true;
    }
    if (isDone || hasSwapped) continue;
    unsigned free = 0;
    while (free < registers.size() && packed >> free & 1)
      ++free;
    if (free == registers.size()) return std::nullopt;
    swap(free, *waiting);
  }
  for (const PlaceBit& source : sources->registers) {
    const auto* holder = llvm::find(registers, source);
    plan.takes.push_back(uint64_t(1) << (holder - registers.begin()));
  }
  return plan;
}

} // namespace gluond::layout
