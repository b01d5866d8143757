#include "layout/exchange/SharedExchange.h"

#include "chips/MemorySizes.h"
#include "layout/access/MatrixAccess.h"
#include "layout/access/Phases.h"
#include "layout/access/TransposedAccess.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <limits>
#include <vector>

namespace gluond::layout {

namespace {

using f2::Basis;
using f2::Columns;
using f2::ColumnVector;

ColumnVector nonZero(Columns columns) {
  ColumnVector kept;
  for (uint64_t column : columns)
    if (column) kept.push_back(column);
  return kept;
}

// Those of `from` that are independent of `basis`, which they join.
ColumnVector independent(Basis& basis, Columns from) {
  ColumnVector kept;
  for (uint64_t vector : from)
    if (basis.insert(vector)) kept.push_back(vector);
  return kept;
}

// The lanes that an access of `accessBytes` serves together.
struct Service {
  ColumnVector lanes;    // without those that have the same elements as others
  size_t ofPhase = 0;    // how many of `lanes` are of one phase
  unsigned laneBits = 0; // of all lanes, as logarithm
};

// A phase, and if its lanes load so much the same that banks are left, lanes of further phases.
Service serviceOf(const LinearLayout& layout, unsigned accessBytes, bool isStore,
                  const BankModel& model) {
  Columns lanes = layout.columns(Dim::Lane);
  Phase phase = phaseOf(model, layout.inBits(Dim::Lane), accessBytes, isStore);
  Service service;
  auto serve = [&](unsigned lane) {
    if (uint64_t column = f2::multiply(lanes, lane)) service.lanes.push_back(column);
    ++service.laneBits;
  };
  llvm::for_each(phase.lanes, serve);
  service.ofPhase = service.lanes.size();
  unsigned words = std::max(1u, accessBytes / 4);
  if (model.isNvidia && !isStore)
    while (service.laneBits < lanes.size() && words << service.lanes.size() < phase.banks)
      serve(1u << service.laneBits);
  return service;
}

// What a choice begins with: the lowest bits of the offset, and the lanes of both sides that are
// accessed together; `from` stores, `to` loads.
struct Beginning {
  ColumnVector vector;
  Service from, to;

  // With the lanes of one phase alone.
  Beginning ofPhases() const {
    Beginning made = *this;
    made.from.lanes.truncate(from.ofPhase);
    made.to.lanes.truncate(to.ofPhase);
    return made;
  }
};

// Stores have only the lower half of the banks: what chooses the half is a row for them. So it is
// something that the lanes of a store do not have in common with `rows`.
void divideBanks(ColumnVector& banks, const ColumnVector& rows, const ColumnVector& storing) {
  for (size_t i = 0; i < banks.size(); ++i)
    for (size_t j = 0; j <= i; ++j) {
      uint64_t half = j < i ? banks[i] ^ banks[j] : banks[i];
      Basis taken;
      independent(taken, rows);
      taken.insert(half);
      if (independent(taken, storing).size() != storing.size()) continue;
      banks.erase(banks.begin() + i);
      banks.push_back(half);
      return;
    }
}

std::optional<SharedExchange> arrange(const LinearLayout& from, const LinearLayout& to,
                                      unsigned elementBytes, int64_t mostBytes,
                                      const Beginning& beginning, unsigned banks,
                                      unsigned storeBanks) {
  unsigned dimension = from.totalOutBits();
  ColumnVector common = f2::intersection(nonZero(from.columns(Dim::Register)),
                                         nonZero(to.columns(Dim::Register)), dimension);
  SharedExchange exchange;
  ColumnVector offsets = beginning.vector; // the columns to be, lowest bit first
  Basis spanned;
  for (uint64_t vector : offsets)
    if (!spanned.insert(vector)) return std::nullopt;

  unsigned accessBytes = elementBytes << offsets.size();
  unsigned rowBytes = banks * chips::bankBytes;
  unsigned bankBits = accessBytes < rowBytes ? llvm::Log2_32(rowBytes / accessBytes) : 0;
  ColumnVector blockColumns = nonZero(from.columns(Dim::Block));
  // Elements of other CTAs are not in this CTA's memory.
  unsigned perCta = f2::rank(from.columns()) - f2::rank(blockColumns);
  if (perCta < offsets.size()) return std::nullopt;
  unsigned rowBits = perCta - static_cast<unsigned>(offsets.size());
  rowBits -= std::min(rowBits, bankBits);

  // Modulo the vector (and other CTAs), pairs bases that only one side's lanes have.
  ColumnVector vectorPart = offsets;
  ColumnVector a, b;
  {
    Basis seen = spanned;
    a = independent(seen, beginning.from.lanes);
    seen = spanned;
    b = independent(seen, beginning.to.lanes);
  }
  ColumnVector aAndVector = a, bAndVector = b;
  aAndVector.append(vectorPart);
  bAndVector.append(vectorPart);
  Basis shared = spanned; // the vector and what both sides have
  independent(shared, f2::intersection(aAndVector, bAndVector, dimension));
  Basis onlyA = shared, onlyB = shared;
  ColumnVector aAlone = independent(onlyA, a), bAlone = independent(onlyB, b);
  Basis lanes = shared;
  independent(lanes, a);
  independent(lanes, b);

  // Registers, warps and other bases complete the row bits; the repetitions are highest.
  ColumnVector held = nonZero(from.columns(Dim::Register));
  held.append(nonZero(from.columns(Dim::Warp)));
  held.append(nonZero(from.columns(Dim::Lane)));
  Basis rows = lanes;
  ColumnVector repetitions = independent(rows, common);
  ColumnVector complement = independent(rows, held);
  ColumnVector rowPart;
  for (size_t i = 0; i < std::min(aAlone.size(), bAlone.size()) && rowPart.size() < rowBits; ++i)
    rowPart.push_back(aAlone[i] ^ bAlone[i]);
  for (uint64_t vector : complement)
    if (rowPart.size() < rowBits) rowPart.push_back(vector);
  int64_t bytes = (int64_t(elementBytes) << perCta);
  ColumnVector onTop;
  for (uint64_t vector : llvm::reverse(repetitions)) {
    if (rowPart.size() + onTop.size() >= rowBits) break;
    onTop.push_back(vector);
  }
  std::reverse(onTop.begin(), onTop.end());
  // Lanes beyond a phase, then whatever is left, fill rows that are still missing.
  Basis chosen = spanned;
  independent(chosen, rowPart);
  independent(chosen, onTop);
  Basis complete = chosen;
  ColumnVector rest = independent(complete, held);
  while (rowPart.size() + onTop.size() < rowBits && !rest.empty())
    rowPart.push_back(rest.pop_back_val());
  if (storeBanks < banks) {
    ColumnVector fixed = vectorPart;
    fixed.append(rowPart);
    fixed.append(onTop);
    divideBanks(rest, fixed, beginning.from.lanes);
  }
  offsets.append(rest); // the banks
  offsets.append(rowPart);
  offsets.append(onTop);
  if (offsets.size() != perCta) return std::nullopt;

  llvm::SmallVector<DimSize, 4> outs;
  for (DimBits out : from.outs())
    outs.push_back({out.dim, out.size()});
  LinearLayout layout = LinearLayout::zeros1D(1, Dim::Offset, outs[0].dim, outs[0].size);
  for (DimSize out : llvm::drop_begin(outs))
    layout = layout.concatOuts(LinearLayout::zeros1D(1, Dim::Offset, out.dim, out.size));
  layout = layout.sublayout({}, layout.outDims()).appendIn(Dim::Offset, offsets);
  if (!blockColumns.empty()) layout = layout.appendIn(Dim::Block, from.columns(Dim::Block));
  if (!layout.valid()) return std::nullopt;
  exchange.shared = layout;

  // Only as many repetitions as are needed, and only where lanes and warps do not move them.
  auto reached = [&](const LinearLayout& registers) -> uint64_t {
    std::optional<LinearLayout> places = registers.invertAndCompose(layout);
    return places ? places->outputMask({Dim::Lane, Dim::Warp}, Dim::Offset) : ~uint64_t(0);
  };
  uint64_t moved = reached(from) | reached(to);
  unsigned most = 0;
  while (most < onTop.size() && !(moved >> (perCta - most - 1) & 1))
    ++most;
  while (exchange.repetitionBits < most && (bytes >> exchange.repetitionBits) > mostBytes)
    ++exchange.repetitionBits;
  return exchange;
}

// A CTA must hold the same elements on both sides.
bool keepsBlocks(const LinearLayout& from, const LinearLayout& to) {
  if (from.outs() != to.outs()) return false;
  std::optional<LinearLayout> map = to.invertAndCompose(from);
  return map && (!map->hasIn(Dim::Block) || map->isTrivialOver({Dim::Block}));
}

constexpr unsigned mostAccessBytes = chips::widestAccessBytes;

// The lanes that are served together, where a thread accesses so much of `vector` at once as its
// registers have.
Service serviceFor(const LinearLayout& layout, Columns vector, unsigned elementBytes, bool isStore,
                   const BankModel& model) {
  ColumnVector registers = nonZero(layout.columns(Dim::Register));
  unsigned bytes = elementBytes;
  for (uint64_t column : vector) {
    if (bytes >= mostAccessBytes || !llvm::is_contained(registers, column)) break;
    bytes *= 2;
  }
  return serviceOf(layout, bytes, isStore, model);
}

// Beginnings that suit the accesses of `own`: as wide as its registers allow, or by matrices, whose
// rows are 16 bytes (MatrixAccess.h). The other side has of that what its registers hold.
std::vector<Beginning> beginningsFor(const LinearLayout& own, const LinearLayout& other,
                                     unsigned elementBytes, bool isStore, const BankModel& model) {
  std::vector<Beginning> made;
  auto add = [&](ColumnVector vector, Service service) {
    Service others = serviceFor(other, vector, elementBytes, !isStore, model);
    if (!isStore) std::swap(service, others);
    made.push_back({std::move(vector), std::move(service), std::move(others)});
  };
  auto rows = [](ColumnVector lanes) {
    size_t count = lanes.size();
    return Service{std::move(lanes), count, static_cast<unsigned>(count)};
  };
  ColumnVector registers = nonZero(own.columns(Dim::Register));
  Columns lanes = own.columns(Dim::Lane);
  ColumnVector widest = registers;
  widest.resize(std::min<size_t>(widest.size(), llvm::Log2_32(mostAccessBytes / elementBytes)));
  add(widest, serviceOf(own, elementBytes << widest.size(), isStore, model));
  constexpr size_t lanesOfWarp = 5; // that matrices are for, as logarithm
  unsigned wordBits = elementBytes < 4 ? llvm::Log2_32(4 / elementBytes) : 0;
  if (!model.hasMatrices(isStore) || elementBytes > 4 || lanes.size() != lanesOfWarp ||
      registers.size() < std::max(1u, wordBits))
    return made;
  ColumnVector row(registers.begin(), registers.begin() + wordBits);
  row.append({lanes[0], lanes[1]});
  add(row, rows(nonZero(lanes.drop_front(2))));
  if (elementBytes == 2)
    add(ColumnVector(lanes.drop_front(2)), rows({registers[0], lanes[0], lanes[1]}));
  return made;
}

// Accesses of what both sides hold in registers; only the lanes of one phase go together if
// `isOfPhases`.
std::optional<SharedExchange> exchangeOfCommon(const LinearLayout& from, const LinearLayout& to,
                                               unsigned elementBits, int64_t mostBytes,
                                               const BankModel& model, unsigned banks,
                                               bool isOfPhases = true) {
  if (!keepsBlocks(from, to)) return std::nullopt;
  unsigned elementBytes = std::max(1u, elementBits / 8);
  ColumnVector common = f2::intersection(nonZero(from.columns(Dim::Register)),
                                         nonZero(to.columns(Dim::Register)), from.totalOutBits());
  Beginning beginning;
  ColumnVector& vector = beginning.vector;
  Basis spanned;
  for (uint64_t column : common)
    if (elementBytes << vector.size() < mostAccessBytes && spanned.insert(column))
      vector.push_back(column);
  unsigned vectorBits = static_cast<unsigned>(vector.size());
  // At least a word's worth together, so that narrow elements do not share banks across lanes.
  for (uint64_t column : nonZero(to.columns(Dim::Register)))
    if ((elementBytes << vector.size()) < 4 && spanned.insert(column)) vector.push_back(column);
  unsigned accessBytes = elementBytes << vector.size();
  beginning.from = serviceOf(from, accessBytes, true, model);
  beginning.to = serviceOf(to, accessBytes, false, model);
  std::optional<SharedExchange> exchange =
      arrange(from, to, elementBytes, mostBytes, isOfPhases ? beginning.ofPhases() : beginning,
              banks, model.banks.count);
  if (exchange) exchange->vectorBits = vectorBits;
  return exchange;
}

} // namespace

std::optional<SharedExchange> sharedExchange(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits, int64_t mostBytes) {
  BankModel model;
  return exchangeOfCommon(from, to, elementBits, mostBytes, model, model.banks.count);
}

std::optional<ClusterExchange> clusterExchange(const LinearLayout& from, const LinearLayout& to,
                                               unsigned elementBits) {
  if (from.outs() != to.outs() || !from.hasIn(Dim::Block) || !to.hasIn(Dim::Block))
    return std::nullopt;
  // Which part of an element's coordinates is the place within the CTA of the source that has it.
  Basis places;
  ColumnVector local;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
    for (uint64_t column : from.columns(dim)) {
      places.insert(column);
      local.push_back(column);
    }
  for (uint64_t column : from.columns(Dim::Block)) {
    places.insert(column);
    local.push_back(0);
  }
  auto inOneCta = [&](LinearLayout layout) -> std::optional<LinearLayout> {
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}) {
      ColumnVector columns;
      for (uint64_t column : layout.columns(dim)) {
        std::optional<uint64_t> place = places.express(column);
        if (!place) return std::nullopt;
        columns.push_back(dim == Dim::Block ? 0 : f2::multiply(local, *place));
      }
      layout = layout.withColumns(dim, columns);
    }
    return layout;
  };
  std::optional<LinearLayout> stored = inOneCta(from), loaded = inOneCta(to);
  if (!stored || !loaded) return std::nullopt;
  std::optional<SharedExchange> exchange =
      sharedExchange(*stored, *loaded, elementBits, std::numeric_limits<int64_t>::max());
  if (!exchange) return std::nullopt;
  std::optional<LinearLayout> stores = stored->invertAndCompose(exchange->shared);
  LinearLayout everywhere = exchange->shared.appendIn(Dim::Block, from.columns(Dim::Block));
  std::optional<LinearLayout> loads = LinearLayout::solve(everywhere, to);
  if (!stores || !loads) return std::nullopt;
  ClusterExchange made;
  made.stores = stores->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
  made.loads = loads->sublayout(loads->inDims(), {Dim::Offset});
  made.blocks = loads->sublayout(loads->inDims(), {Dim::Block});
  made.elements = exchange->elements();
  made.ownBlocks = 0;
  for (auto [i, column] : llvm::enumerate(from.columns(Dim::Block)))
    if (!column) made.ownBlocks |= uint64_t(1) << i;
  return made;
}

namespace {

// One side of an exchange: its instructions, the bytes of a lane in each, its wavefronts, the words
// whose elements are not side by side in the registers of the tensor, which are packed one by one,
// and the words that an instruction moves together though they are not side by side there.
// Instructions that take several registers take neighbours (the fragments of mma.sync, wide
// accesses): such words have to be copied.
struct Side {
  int64_t instructions = 0, bytes = 0, wavefronts = 0, packed = 0, scattered = 0;
};

// Whether these bits of a register's number are its lowest ones.
bool areNeighbours(llvm::ArrayRef<unsigned> bits) {
  return llvm::all_of(bits, [&](unsigned bit) { return bit < bits.size(); });
}

// The bits of an offset that choose the repetition. Every register takes part once, in one of the
// repetitions.
uint64_t repeatedOffsets(const SharedExchange& exchange) {
  return ((uint64_t{1} << exchange.repetitionBits) - 1) *
         static_cast<uint64_t>(exchange.elements());
}

Side sideOf(const SharedExchange& exchange, const LinearLayout& registers, unsigned elementBits,
            bool isStore, const BankModel& model) {
  uint64_t repeated = repeatedOffsets(exchange);
  std::optional<LinearLayout> whole = registers.invertAndCompose(exchange.shared);
  if (!whole) return {};
  LinearLayout offsets = whole->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
  Side side;
  if (auto matrices =
          model.hasMatrices(isStore) ? matrixAccess(offsets, elementBits) : std::nullopt;
      matrices && !(matrices->rows.outputMask({Dim::Lane}, Dim::Offset) & repeated)) {
    side.instructions = int64_t{1} << matrices->instructionBits.size();
    side.bytes = int64_t{4} << matrices->matrixBits;
    side.wavefronts =
        side.instructions * matrices->matrices() * (1 + bankConflicts(*matrices, elementBits));
    llvm::SmallVector<unsigned, 2> moved = matrices->wordBits;
    llvm::append_range(moved, matrices->matrixRegisterBits);
    int64_t words = side.instructions * matrices->matrices();
    if (!areNeighbours(matrices->wordBits)) side.packed = words;
    if (!areNeighbours(moved)) side.scattered = words;
    return side;
  }
  VectorAccess widest = widestSharedAccess(offsets, elementBits);
  side.instructions = (int64_t{1} << widest.registerBits.size()) / widest.elements;
  side.bytes = widest.elements * std::max(1u, elementBits / 8);
  llvm::ArrayRef<unsigned> moved(widest.registerBits);
  unsigned accessBits = llvm::Log2_64(static_cast<uint64_t>(widest.elements)),
           wordBits = elementBits < 32 ? llvm::Log2_32(32 / std::max(8u, elementBits)) : 0;
  int64_t words = side.instructions * llvm::divideCeil(side.bytes, 4);
  if (accessBits >= wordBits && !areNeighbours(moved.take_front(wordBits))) side.packed = words;
  if (!areNeighbours(moved.take_front(accessBits))) side.scattered = words;
  // Lanes that are served together collide when their offsets differ by rows of banks only.
  unsigned laneBits = registers.inBits(Dim::Lane);
  Service service = serviceOf(registers, static_cast<unsigned>(side.bytes), isStore, model);
  unsigned banks = phaseOf(model, laneBits, side.bytes, isStore).banks;
  Columns rows = exchange.shared.columns(Dim::Offset);
  unsigned inRow = llvm::Log2_64(std::max<uint64_t>(1, banks * 4 / std::max(1u, elementBits / 8)));
  rows = rows.drop_front(std::min<size_t>(inRow, rows.size()));
  auto common = f2::intersection(rows, service.lanes, registers.totalOutBits());
  side.wavefronts =
      side.instructions * (int64_t{1} << (laneBits - service.laneBits + common.size()));
  return side;
}

} // namespace

std::optional<SharedExchange> sharedExchange(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits, int64_t mostBytes,
                                             const BankModel& model) {
  std::optional<SharedExchange> best =
      exchangeOfCommon(from, to, elementBits, mostBytes, model, model.banks.count);
  if (!best) return best;
  unsigned elementBytes = std::max(1u, elementBits / 8);
  // Elements of a word each are mostly used one by one, in any registers.
  constexpr unsigned bitsOfWord = 32;
  bool countsScattered = model.isNvidia && elementBits < bitsOfWord;
  auto cost = [&](const SharedExchange& exchange) {
    Side stores = sideOf(exchange, from, elementBits, true, model),
         loads = sideOf(exchange, to, elementBits, false, model);
    int64_t packed = countsScattered ? stores.packed + loads.packed : 0;
    return std::pair(stores.instructions + stores.wavefronts + loads.instructions +
                         loads.wavefronts + packed,
                     countsScattered ? loads.scattered : 0);
  };
  std::pair<int64_t, int64_t> least = cost(*best);
  auto consider = [&](std::optional<SharedExchange> other) {
    if (!other || other->repetitionBits < best->repetitionBits) return;
    other->repetitionBits = best->repetitionBits; // what can be repeated may also be done at once
    std::pair<int64_t, int64_t> costs = cost(*other);
    if (costs >= least) return;
    least = costs;
    best = std::move(other);
  };
  std::vector<Beginning> beginnings = beginningsFor(to, from, elementBytes, false, model);
  llvm::append_range(beginnings, beginningsFor(from, to, elementBytes, true, model));
  // Where some accesses have more banks, a row is as long as theirs or as the others'.
  unsigned few = model.banks.count, many = model.mostBanks();
  if (many > few) consider(exchangeOfCommon(from, to, elementBits, mostBytes, model, many));
  consider(exchangeOfCommon(from, to, elementBits, mostBytes, model, few, false));
  for (const Beginning& beginning : beginnings)
    for (unsigned banks = few; banks <= many; banks *= 2) {
      consider(arrange(from, to, elementBytes, mostBytes, beginning.ofPhases(), banks, few));
      consider(arrange(from, to, elementBytes, mostBytes, beginning, banks, few));
    }
  return best;
}

int64_t exchangeLimit(const LinearLayout& layout, const BankModel& model) {
  if (!model.isNvidia) return mostExchangeBytes;
  int64_t threads = int64_t(1) << (layout.inBits(Dim::Lane) + layout.inBits(Dim::Warp));
  return std::min(mostExchangeBytes, threads * mostExchangeBytesOfThread);
}

ExchangeInstructions exchangeInstructions(const SharedExchange& exchange, const LinearLayout& from,
                                          const LinearLayout& to, unsigned elementBits,
                                          const BankModel& model) {
  ExchangeInstructions result;
  Side stores = sideOf(exchange, from, elementBits, true, model),
       loads = sideOf(exchange, to, elementBits, false, model);
  result.stores = stores.instructions;
  result.storeBytes = stores.bytes;
  result.loads = loads.instructions;
  result.loadBytes = loads.bytes;
  result.barriers = (int64_t{2} << exchange.repetitionBits) - 1;
  // AMD's transposing loads take the elements where they can.
  const TransposedLoad* load =
      model.chip ? transposedLoadOf(*model.chip, std::max(8u, elementBits)) : nullptr;
  auto whole = load ? to.invertAndCompose(exchange.shared) : std::nullopt;
  if (!whole) return result;
  auto access = transposedAccess(
      whole->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset}), *load);
  if (access && !(access->rows.outputMask({Dim::Lane}, Dim::Offset) & repeatedOffsets(exchange))) {
    result.loads = int64_t{1} << access->instructionBits.size();
    result.loadBytes = (int64_t{load->elementBits} << load->resultBits) / 8;
  }
  return result;
}

} // namespace gluond::layout
