#include "layout/exchange/SharedExchange.h"

#include "layout/access/MatrixAccess.h"
#include "layout/access/SharedAccess.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

#include <limits>

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

// The lanes of one phase of an access of `accessBytes`: a phase moves at most 128 bytes.
ColumnVector phaseLanes(const LinearLayout& layout, unsigned accessBytes) {
  unsigned phases = accessBytes > 4 ? llvm::Log2_32(accessBytes / 4) : 0;
  Columns lanes = layout.columns(Dim::Lane);
  return nonZero(lanes.take_front(lanes.size() - std::min<size_t>(phases, lanes.size())));
}

} // namespace

std::optional<SharedExchange> sharedExchange(const LinearLayout& from, const LinearLayout& to,
                                             unsigned elementBits, int64_t mostBytes) {
  if (from.outs() != to.outs()) return std::nullopt;
  unsigned dimension = from.totalOutBits();
  unsigned elementBytes = std::max(1u, elementBits / 8);
  // A CTA must hold the same elements on both sides.
  std::optional<LinearLayout> map = to.invertAndCompose(from);
  if (!map || (map->hasIn(Dim::Block) && !map->isTrivialOver({Dim::Block}))) return std::nullopt;

  ColumnVector common = f2::intersection(nonZero(from.columns(Dim::Register)),
                                         nonZero(to.columns(Dim::Register)), dimension);
  ColumnVector offsets; // the columns to be, lowest bit first
  Basis spanned;
  unsigned mostVector = llvm::Log2_32(std::max(1u, 16 / elementBytes));
  for (uint64_t vector : common)
    if (offsets.size() < mostVector && spanned.insert(vector)) offsets.push_back(vector);
  SharedExchange exchange;
  exchange.vectorBits = static_cast<unsigned>(offsets.size());
  // At least a word's worth together, so that narrow elements do not share banks across lanes.
  for (uint64_t vector : nonZero(to.columns(Dim::Register)))
    if ((elementBytes << offsets.size()) < 4 && spanned.insert(vector)) offsets.push_back(vector);

  unsigned accessBytes = elementBytes << offsets.size();
  unsigned bankBits = accessBytes < 128 ? llvm::Log2_32(128 / accessBytes) : 0;
  Basis blocks; // elements of other CTAs are not in this CTA's memory
  ColumnVector blockColumns = nonZero(from.columns(Dim::Block));
  unsigned perCta = f2::rank(from.columns()) - f2::rank(blockColumns);
  if (perCta < offsets.size()) return std::nullopt;
  unsigned rowBits = perCta - static_cast<unsigned>(offsets.size());
  rowBits -= std::min(rowBits, bankBits);

  // Modulo the vector (and other CTAs), pairs bases that only one side's lanes have.
  ColumnVector vectorPart = offsets;
  ColumnVector a, b;
  {
    Basis seen = spanned;
    a = independent(seen, phaseLanes(from, accessBytes));
    seen = spanned;
    b = independent(seen, phaseLanes(to, accessBytes));
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

ExchangeInstructions exchangeInstructions(const SharedExchange& exchange, const LinearLayout& from,
                                          const LinearLayout& to, unsigned elementBits,
                                          const BankModel& model) {
  // The bits of an offset that choose the repetition.
  uint64_t repeated =
      ((uint64_t{1} << exchange.repetitionBits) - 1) * static_cast<uint64_t>(exchange.elements());
  // Every register takes part once, in one of the repetitions.
  auto side = [&](const LinearLayout& registers, bool hasMatrices, int64_t& count, int64_t& bytes) {
    std::optional<LinearLayout> whole = registers.invertAndCompose(exchange.shared);
    if (!whole) return;
    LinearLayout offsets = whole->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
    if (auto matrices = hasMatrices ? matrixAccess(offsets, elementBits) : std::nullopt;
        matrices && !(matrices->rows.outputMask({Dim::Lane}, Dim::Offset) & repeated)) {
      count = int64_t{1} << matrices->instructionBits.size();
      bytes = int64_t{4} << matrices->matrixBits;
      return;
    }
    VectorAccess widest = widestSharedAccess(offsets, elementBits);
    count = (int64_t{1} << widest.registerBits.size()) / widest.elements;
    bytes = widest.elements * std::max(1u, elementBits / 8);
  };
  ExchangeInstructions result;
  side(from, model.hasMatrices(true), result.stores, result.storeBytes);
  side(to, model.hasMatrices(false), result.loads, result.loadBytes);
  result.barriers = (int64_t{2} << exchange.repetitionBits) - 1;
  return result;
}

} // namespace gluond::layout
