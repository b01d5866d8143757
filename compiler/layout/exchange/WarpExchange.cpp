#include "layout/exchange/WarpExchange.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::layout {

namespace {

using f2::Basis;
using f2::Columns;
using f2::ColumnVector;
using f2::multiply;

// A place of a warp: a register and a lane.
struct Place {
  uint64_t reg = 0, lane = 0;
  Place operator^(Place other) const { return {reg ^ other.reg, lane ^ other.lane}; }
};

constexpr unsigned laneShift = 32; // of a place in one word
uint64_t pack(Place place) {
  return place.reg | place.lane << laneShift;
}

// From places of the result to places of the source, and which places of the source hold copies.
struct WarpMap {
  llvm::SmallVector<Place> registers, lanes; // by bit of the result's register and lane
  llvm::SmallVector<Place> copies;           // a basis of the places with the element of place 0
  unsigned sourceBits = 0;                   // of a register of the source

  // A copy whose lane is `lane`, if there is one: so does a place read from another lane.
  std::optional<Place> copyIn(uint64_t lane) const {
    Basis basis;
    for (Place copy : copies)
      basis.insert(copy.lane);
    auto which = basis.express(lane);
    if (!which) return std::nullopt;
    Place sum;
    for (auto [i, copy] : llvm::enumerate(copies))
      if (*which >> i & 1) sum = sum ^ copy;
    return sum;
  }
};

std::optional<WarpMap> warpMap(const LinearLayout& from, const LinearLayout& to) {
  std::optional<LinearLayout> whole = to.invertAndCompose(from);
  if (!whole || !whole->hasIn(Dim::Lane)) return std::nullopt;
  auto part = [&](uint64_t column, Dim dim) -> uint64_t {
    if (!whole->hasOut(dim)) return 0;
    return column >> whole->outShift(dim) & (uint64_t(whole->outSize(dim)) - 1);
  };
  WarpMap map;
  for (DimBits in : whole->ins())
    for (auto [i, column] : llvm::enumerate(whole->columns(in.dim))) {
      Place place{part(column, Dim::Register), part(column, Dim::Lane)};
      bool isOwn = in.dim == Dim::Warp || in.dim == Dim::Block;
      for (Dim dim : {Dim::Warp, Dim::Block})
        if (part(column, dim) != (in.dim == dim ? uint64_t(1) << i : 0)) return std::nullopt;
      if (isOwn && (place.reg || place.lane)) return std::nullopt;
      if (in.dim == Dim::Register) map.registers.push_back(place);
      if (in.dim == Dim::Lane) map.lanes.push_back(place);
    }
  map.sourceBits = from.inBits(Dim::Register);
  Basis held;
  llvm::SmallVector<Place> units;
  for (Dim dim : {Dim::Register, Dim::Lane}) {
    if (!from.hasIn(dim)) continue;
    for (auto [i, column] : llvm::enumerate(from.columns(dim))) {
      uint64_t bit = uint64_t(1) << i;
      units.push_back(dim == Dim::Register ? Place{bit, 0} : Place{0, bit});
      std::optional<uint64_t> same = held.express(column);
      held.insert(column);
      if (!same) continue;
      Place copy = units.back();
      for (size_t k = 0; k + 1 < units.size(); ++k)
        if (*same >> k & 1) copy = copy ^ units[k];
      map.copies.push_back(copy);
    }
  }
  return map;
}

// E: for lanes that read the lane that others read too, the shuffle that brings them theirs.
// Changes `map` where a copy serves instead.
ColumnVector selectionsAfter(WarpMap& map, uint64_t exchangedLanes) {
  // Everything from the own lane that can be had there.
  for (Place& place : map.registers)
    if (auto copy = map.copyIn(place.lane)) place = place ^ *copy;
  for (auto [i, place] : llvm::enumerate(map.lanes))
    if (auto copy = map.copyIn(place.lane ^ uint64_t(1) << i)) place = place ^ *copy;

  Basis wholePlaces, shuffledLanes; // of the result's registers: where they come from
  for (Place place : map.registers) {
    wholePlaces.insert(pack(place));
    shuffledLanes.insert(place.lane);
  }
  ColumnVector after(map.lanes.size(), 0);
  Basis read; // lanes that are read so far
  llvm::SmallVector<Place> readers;
  llvm::SmallVector<unsigned> late;
  llvm::SmallVector<Place> missing;
  for (auto [i, place] : llvm::enumerate(map.lanes)) {
    std::optional<uint64_t> others = read.express(place.lane);
    if (!others) {
      read.insert(place.lane);
      readers.push_back(place);
      continue;
    }
    // The lanes that read the same as others, as a sum of lane bits: this one and those.
    Place sum = place;
    for (auto [k, reader] : llvm::enumerate(readers))
      if (*others >> k & 1) sum = sum ^ reader;
    late.push_back(static_cast<unsigned>(i));
    missing.push_back(sum);
  }
  for (auto [i, sum] : llvm::zip(late, missing)) {
    Place& place = map.lanes[i];
    uint64_t own = place.lane ^ uint64_t(1) << i;
    std::optional<uint64_t> which;
    if (!read.contains(uint64_t(1) << i)) which = shuffledLanes.express(own);
    bool readsOwn = which && exchangedLanes >> i & 1;
    if (auto same = wholePlaces.express(pack({sum.reg, 0})); same && !readsOwn) {
      after[i] = *same; // another register of the result has the element that this lane needs
      continue;
    }
    for (unsigned r = 0; !which && r < map.registers.size(); ++r)
      if (!read.contains(place.lane ^ map.registers[r].lane)) which = uint64_t(1) << r;
    if (which) {
      after[i] = *which;
    } else {
      for (Place copy : map.copies)
        if (!read.contains(place.lane ^ copy.lane)) {
          place = place ^ copy;
          break;
        }
    }
    uint64_t lane = place.lane;
    for (unsigned r = 0; r < map.registers.size(); ++r)
      if (after[i] >> r & 1) lane ^= map.registers[r].lane;
    read.insert(lane);
  }
  return after;
}

// A linear map from lanes to registers as selections: as few as its rank.
llvm::SmallVector<WarpExchange::Selection> asSelections(Columns map) {
  llvm::SmallVector<WarpExchange::Selection> selections;
  Basis basis;
  llvm::SmallVector<unsigned> selectionOf(map.size(), 0);
  for (auto [i, column] : llvm::enumerate(map)) {
    uint64_t bit = uint64_t(1) << i;
    if (auto known = basis.express(column)) {
      for (uint64_t rest = *known; rest; rest &= rest - 1)
        selections[selectionOf[llvm::countr_zero(rest)]].lanes |= bit;
    } else {
      selectionOf[i] = static_cast<unsigned>(selections.size());
      selections.push_back({column, bit});
    }
    basis.insert(column);
  }
  return selections;
}

} // namespace

uint64_t WarpExchange::sourceWord(uint64_t source) const {
  return source ^ multiply(packedFrom, elementOf(source));
}

uint64_t WarpExchange::resultWord(uint64_t result) const {
  return result ^ multiply(packed, elementOf(multiply(takes, result)));
}

std::optional<WarpExchange> warpExchange(const LinearLayout& from, const LinearLayout& to,
                                         unsigned elementBits, uint64_t exchangedLanes) {
  std::optional<WarpMap> found = warpMap(from, to);
  if (!found) return std::nullopt;
  WarpMap& map = *found;
  WarpExchange made;
  made.resultRegisterBits = static_cast<unsigned>(map.registers.size());
  ColumnVector after = selectionsAfter(map, exchangedLanes);
  for (Place place : map.registers) {
    made.takes.push_back(place.reg);
    made.fromLanes.push_back(place.lane);
  }
  ColumnVector needed; // B' : lane bit of the result -> source register
  made.isOwnLane = true;
  for (auto [i, place] : llvm::enumerate(map.lanes)) {
    needed.push_back(place.reg ^ multiply(made.takes, after[i]));
    made.lanes.push_back(place.lane ^ multiply(made.fromLanes, after[i]));
    made.isOwnLane &= made.lanes.back() == uint64_t(1) << i;
  }
  // G: what the readers of a lane need from it; lanes without readers need nothing.
  Basis asked;
  ColumnVector gives, before;
  for (auto [lane, gift] : llvm::zip(made.lanes, needed)) {
    asked.insert(lane);
    gives.push_back(gift);
  }
  for (size_t i = 0; i < map.lanes.size(); ++i) {
    asked.insert(uint64_t(1) << i);
    gives.push_back(0);
  }
  for (size_t i = 0; i < map.lanes.size(); ++i)
    before.push_back(multiply(gives, *asked.express(uint64_t(1) << i)));
  for (auto [i, lane] : llvm::enumerate(made.lanes))
    if (multiply(before, lane) != needed[i]) return std::nullopt;
  for (auto [take, lane] : llvm::zip(made.takes, made.fromLanes))
    take ^= multiply(before, lane);
  made.before = asSelections(before);
  made.after = asSelections(after);

  // Words: registers that no shuffle and no selection distinguishes.
  unsigned most = elementBits < 32 ? llvm::Log2_32(32 / std::max(8u, elementBits)) : 0;
  Basis words; // registers exchanged by selections, then the bits of a word
  ColumnVector exchanged;
  for (const WarpExchange::Selection& selection : made.before)
    exchanged.push_back(selection.registers);
  for (const WarpExchange::Selection& selection : made.after)
    exchanged.push_back(multiply(made.takes, selection.registers));
  for (uint64_t registers : exchanged)
    words.insert(registers);
  for (unsigned r = 0; r < made.takes.size() && made.packed.size() < most; ++r)
    if (!made.fromLanes[r] && words.insert(made.takes[r])) {
      made.packed.push_back(uint64_t(1) << r);
      made.packedFrom.push_back(made.takes[r]);
    }
  Basis places;
  for (uint64_t vector : made.packedFrom)
    places.insert(vector);
  for (uint64_t registers : exchanged)
    places.insert(registers);
  for (unsigned i = 0; i < map.sourceBits; ++i)
    places.insert(uint64_t(1) << i);
  uint64_t inWord = (uint64_t(1) << made.packed.size()) - 1;
  for (unsigned i = 0; i < map.sourceBits; ++i)
    made.placeInWord.push_back(*places.express(uint64_t(1) << i) & inWord);
  return made;
}

int64_t WarpExchange::shuffles(unsigned elementBits) const {
  int64_t count = 0;
  llvm::DenseSet<std::pair<uint64_t, uint64_t>> different;
  for (uint64_t r = 0; r < uint64_t(1) << resultRegisterBits; ++r) {
    uint64_t lane = multiply(fromLanes, r);
    if (resultWord(r) != r || (isOwnLane && !lane)) continue;
    if (different.insert({multiply(takes, r), lane}).second) ++count;
  }
  return count * std::max<int64_t>(1, elementBits / 32);
}

int64_t WarpExchange::selects(unsigned elementBits) const {
  int64_t results =
      (int64_t(1) << (resultRegisterBits - packed.size())) * std::max<int64_t>(1, elementBits / 32);
  return results * static_cast<int64_t>(before.size() + after.size());
}

bool isFasterThanSharedMemory(const WarpExchange& exchange, const LinearLayout& from,
                              const LinearLayout& to, unsigned elementBits,
                              uint64_t exchangedLanes) {
  // The unit is a cycle of a multiprocessor's memory pipe, which both shuffles and shared memory
  // use: each moves a word of every lane. Selects and exchanges of lanes by an instruction of their
  // own run in parallel at twice the rate. Through shared memory there are two barriers and the
  // latency of a store and a load in addition.
  constexpr int64_t meetings = 8;
  int64_t stored = std::max<int64_t>(1, from.inSize(Dim::Register) * elementBits / 32);
  int64_t loaded = std::max<int64_t>(1, to.inSize(Dim::Register) * elementBits / 32);
  // Lanes that read the same four words take them at once; each shuffle moves one word.
  constexpr unsigned wordsOfAccess = 2; // as logarithm
  unsigned same =
      static_cast<unsigned>(to.columns(Dim::Lane).size()) - f2::rank(to.columns(Dim::Lane));
  loaded = std::max<int64_t>(1, loaded >> std::min(same, wordsOfAccess));
  // A unit for 16 lanes takes as long for a select of 64 lanes as memory for their words.
  constexpr size_t wideWave = 6; // as logarithm
  int64_t selects = exchange.selects(elementBits);
  if (from.inBits(Dim::Lane) >= wideWave) selects *= 2;
  bool areExchanged = exchange.isOwnLane && llvm::all_of(exchange.fromLanes, [&](uint64_t lanes) {
                        return !(lanes & ~exchangedLanes);
                      });
  int64_t shuffles = exchange.shuffles(elementBits) * (areExchanged ? 1 : 2);
  return shuffles + selects <= 2 * (stored + loaded + meetings);
}

} // namespace gluond::layout
