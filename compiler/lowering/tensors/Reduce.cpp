// tt.reduce: within a thread, across the lanes of a warp by shuffles, across warps through shared
// memory, across the CTAs of a cluster through theirs.
#include "ir/tt/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/memory/SharedAccess.h"
#include "lowering/tensors/PartialResults.h"

#include <llvm/ADT/bit.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

namespace {

// Takes a value apart into words, applies `move` to each, and puts them together again.
llvm::Value* byWords(FunctionEmitter& e, llvm::Value* value,
                     llvm::function_ref<llvm::Value*(llvm::Value*)> move) {
  RegisterList words;
  for (llvm::Value* word : pack(e, Registers(value))) {
    llvm::Value* wide = e.b.CreateZExt(word, e.b.getInt32Ty());
    words.push_back(e.b.CreateTrunc(move(wide), word->getType()));
  }
  return unpack(e, words, value->getType(), 1).front();
}

struct Reduction {
  LinearLayout layout; // of the operands
  Dim axis;
  unsigned warpBits = 0;                // of warps that move along the axis
  uint64_t laneMask = 0, blockMask = 0; // of lanes and CTAs that do
  llvm::SmallVector<unsigned> warpAxisBits;
  bool needsMemory() const { return warpBits || blockMask; }
  int64_t results = 1; // elements of the result that a CTA holds
};

std::optional<Reduction> reductionOf(mlir::Operation* op) {
  auto reduce = mlir::cast<tt::ReduceOp>(op);
  auto type = mlir::cast<mlir::RankedTensorType>(reduce.getSrcs().front().getType());
  Reduction made{ir::toLinearLayout(type).removeZeroBases(Dim::Register),
                 layout::tensorDim(reduce.getAxis()),
                 0,
                 0,
                 0,
                 {},
                 1};
  const LinearLayout& layout = made.layout;
  uint64_t axisMask = (uint64_t(layout.outSize(made.axis)) - 1) << layout.outShift(made.axis);
  auto alongAxis = [&](uint64_t column) { return (column & axisMask) != 0; };
  for (auto [i, column] : llvm::enumerate(layout.columns(Dim::Lane))) {
    if (alongAxis(column) && (column & ~axisMask)) return std::nullopt;
    if (alongAxis(column)) made.laneMask |= uint64_t(1) << i;
  }
  for (auto [i, column] : llvm::enumerate(layout.columns(Dim::Warp))) {
    if (alongAxis(column) && (column & ~axisMask)) return std::nullopt;
    if (alongAxis(column)) made.warpAxisBits.push_back(static_cast<unsigned>(i));
  }
  for (uint64_t column : layout.columns(Dim::Register))
    if (alongAxis(column) && (column & ~axisMask)) return std::nullopt;
  for (auto [i, column] : llvm::enumerate(layout.columns(Dim::Block))) {
    if (alongAxis(column) && (column & ~axisMask)) return std::nullopt;
    if (alongAxis(column)) made.blockMask |= uint64_t(1) << i;
  }
  made.warpBits = static_cast<unsigned>(made.warpAxisBits.size());
  for (layout::DimBits out : layout.outs())
    if (out.dim != made.axis) made.results *= out.size();
  return made;
}

} // namespace

llvm::Value* shuffle(FunctionEmitter& e, llvm::Value* value, llvm::Value* lane) {
  return byWords(e, value, [&](llvm::Value* word) { return e.target().shuffle(e, word, lane); });
}

llvm::Value* shuffleXor(FunctionEmitter& e, llvm::Value* value, unsigned bits) {
  return byWords(e, value, [&](llvm::Value* word) { return e.target().shuffleXor(e, word, bits); });
}

llvm::Value* shuffleBefore(FunctionEmitter& e, llvm::Value* value, int distance) {
  return byWords(e, value, [&](llvm::Value* word) {
    llvm::Value* moved = e.target().shuffleBefore(e, word, distance);
    return moved ? moved : e.target().shuffle(e, word, e.b.CreateSub(e.lane(), e.i32(distance)));
  });
}

static int64_t reduceScratchBytes(mlir::Operation* op) {
  std::optional<Reduction> reduction = reductionOf(op);
  if (!reduction || !reduction->needsMemory()) return 0;
  int64_t bytes = 0;
  for (mlir::Value source : op->getOperands())
    bytes += static_cast<int64_t>(llvm::alignTo(
        (reduction->results << reduction->warpBits) * elementBytes(source.getType()), 16));
  return bytes;
}

namespace {

using Tuple = llvm::SmallVector<llvm::Value*, 2>;

// The name of the one op that the combiner consists of; empty where there is more to it.
llvm::StringRef onlyOp(mlir::Block& combiner) {
  mlir::Operation& op = combiner.front();
  bool isOneOp = op.getNextNode() == combiner.getTerminator() &&
                 llvm::equal(op.getOperands(), combiner.getArguments()) &&
                 llvm::equal(op.getResults(), combiner.getTerminator()->getOperands());
  return isOneOp ? op.getName().getStringRef() : llvm::StringRef();
}

// Neighbours first, so that the chain of operations is short.
bool combineAll(FunctionEmitter& e, mlir::Block& combiner, llvm::SmallVector<Tuple> level,
                Tuple& total) {
  while (level.size() > 1) {
    llvm::SmallVector<Tuple> next;
    for (size_t i = 0; i + 1 < level.size(); i += 2) {
      Tuple sum;
      if (!combine(e, combiner, level[i], level[i + 1], sum)) return false;
      next.push_back(std::move(sum));
    }
    if (level.size() % 2) next.push_back(level.back());
    level = std::move(next);
  }
  total = std::move(level.front());
  return true;
}

llvm::Value* pairOf(FunctionEmitter& e, llvm::Value* first, llvm::Value* second) {
  llvm::Value* pair = llvm::PoisonValue::get(llvm::FixedVectorType::get(first->getType(), 2));
  return e.b.CreateInsertElement(e.b.CreateInsertElement(pair, first, uint64_t(0)), second, 1);
}

// The registers of one result, in the order of their numbers, which is Triton's: floats round
// alike.
using Members = llvm::SmallVector<unsigned>;

// Combines a thread's registers of each result. Where one instruction combines two floats, these
// are of registers whose numbers differ in the lowest bit: of two results, or of one, whose halves
// are then combined last.
bool combineRegisters(FunctionEmitter& e, mlir::Block& combiner, tt::ReduceOp op,
                      llvm::ArrayRef<Members> results, llvm::SmallVectorImpl<Tuple>& totals) {
  auto operands = op.getSrcs();
  auto tupleOf = [&](unsigned number) {
    Tuple tuple;
    for (mlir::Value source : operands)
      tuple.push_back(e.get(source)[number]);
    return tuple;
  };
  llvm::StringRef only = operands.size() == 1 ? onlyOp(combiner) : llvm::StringRef();
  bool inPairs = !only.empty() && results.front().size() > 1 &&
                 e.target().combinedAtOnce(only, e.elementType(operands[0].getType())) == 2;
  bool areOfOne = results.front().size() > 1 && results.front()[1] == 1;
  // As Triton, which leaves the sum of two registers to LLVM's vectorizer: which products are fused
  // with it depends on that.
  if (!inPairs || results.front().size() == 2 || (!areOfOne && results.size() == 1)) {
    for (const Members& members : results)
      if (!combineAll(e, combiner, llvm::map_to_vector(members, tupleOf), totals.emplace_back()))
        return false;
    return true;
  }
  Registers values = e.get(operands[0]);
  auto halfOf = [&](const Tuple& pair, uint64_t half) {
    return Tuple{e.b.CreateExtractElement(pair.front(), half)};
  };
  for (size_t i = 0; i < results.size(); i += areOfOne ? 1 : 2) {
    llvm::SmallVector<Tuple> pairs;
    Tuple total;
    if (areOfOne)
      for (size_t k = 0; k < results[i].size(); k += 2)
        pairs.push_back({pairOf(e, values[results[i][k]], values[results[i][k + 1]])});
    else
      for (auto [first, second] : llvm::zip_equal(results[i], results[i + 1]))
        pairs.push_back({pairOf(e, values[first], values[second])});
    if (!combineAll(e, combiner, std::move(pairs), total)) return false;
    Tuple low = halfOf(total, 0), high = halfOf(total, 1);
    if (!areOfOne)
      totals.append({low, high});
    else if (!combine(e, combiner, low, high, totals.emplace_back()))
      return false;
  }
  return true;
}

// Returns the float that a maximum or minimum returns only if both operands are this float; null
// for other combiners.
llvm::Constant* neverChosen(llvm::StringRef combiner, llvm::Type* type) {
  if (combiner == "arith.maxnumf" || combiner == "arith.minnumf")
    return llvm::ConstantFP::getNaN(type);
  if (combiner == "arith.maximumf" || combiner == "arith.minimumf")
    return llvm::ConstantFP::getInfinity(type, /*Negative=*/combiner == "arith.maximumf");
  return nullptr;
}

// Whether a number combined with itself is itself, of integers.
bool keepsEqualIntegers(llvm::StringRef combiner) {
  return llvm::is_contained<llvm::StringRef>(
      {"arith.maxsi", "arith.minsi", "arith.maxui", "arith.minui", "arith.andi", "arith.ori"},
      combiner);
}

// Combines the parts of one result in the lanes of a warp by instructions for whole warps; returns
// null where shuffles are as good. `isRepeated`: the other lanes have the same numbers again.
llvm::Value* combineLanesAtOnce(FunctionEmitter& e, mlir::Block& combiner, uint64_t laneMask,
                                llvm::Value* value, bool isRepeated) {
  llvm::StringRef only = onlyOp(combiner);
  if (only.empty()) return nullptr;
  uint64_t allLanes = e.state().threadsPerWarp - 1, others = allLanes & ~laneMask;
  llvm::Constant* never =
      value->getType()->isFloatTy() ? neverChosen(only, value->getType()) : nullptr;
  if (!others || (isRepeated && (never || keepsEqualIntegers(only))))
    return e.target().reduceWarp(e, only, value);
  if (!never || !llvm::isPowerOf2_64(others)) return nullptr;
  // The lanes without a bit of their number, then those with it: the other half holds a number that
  // is never chosen.
  llvm::Value* isLow =
      e.b.CreateICmpEQ(e.b.CreateAnd(e.lane(), e.i32(static_cast<int64_t>(others))), e.i32(0));
  llvm::Value* low = e.target().reduceWarp(e, only, e.b.CreateSelect(isLow, value, never));
  if (!low) return nullptr;
  llvm::Value* high = e.target().reduceWarp(e, only, e.b.CreateSelect(isLow, never, value));
  return e.b.CreateSelect(isLow, low, high);
}

// Combines the parts of one result in all lanes of a warp in its last lane, whose result all get.
// Returns null where the chip has no moves for this.
llvm::Value* combineInLastLane(FunctionEmitter& e, mlir::Block& combiner, llvm::Value* value) {
  unsigned moves = e.target().movesToLastLane(e);
  if (!moves || onlyOp(combiner).empty()) return nullptr;
  Tuple total{value};
  for (unsigned move = 0; move < moves; ++move) {
    Tuple sum, other{byWords(e, total.front(), [&](llvm::Value* word) {
      return e.target().movedToLastLane(e, word, move);
    })};
    if (!combine(e, combiner, total, other, sum)) return nullptr;
    total = std::move(sum);
  }
  return byWords(e, total.front(),
                 [&](llvm::Value* word) { return e.target().wordOfLastLane(e, word); });
}

// Combines the parts of one result in the lanes of a warp, the highest bit first: this is Triton's
// order, so that floats round alike.
bool combineLanes(FunctionEmitter& e, mlir::Block& combiner, const Reduction& reduction,
                  Tuple& total, bool isRepeated = false) {
  if (reduction.laneMask && total.size() == 1)
    if (llvm::Value* atOnce =
            combineLanesAtOnce(e, combiner, reduction.laneMask, total.front(), isRepeated)) {
      total = {atOnce};
      return true;
    }
  if (reduction.laneMask + 1 == e.state().threadsPerWarp && total.size() == 1)
    if (llvm::Value* inLast = combineInLastLane(e, combiner, total.front())) {
      total = {inLast};
      return true;
    }
  for (uint64_t mask = reduction.laneMask; mask;) {
    unsigned bit = 1u << llvm::Log2_64(mask);
    mask ^= bit;
    Tuple other, sum;
    for (llvm::Value* value : total)
      other.push_back(shuffleXor(e, value, bit));
    if (!combine(e, combiner, total, other, sum)) return false;
    total = std::move(sum);
  }
  return true;
}

// Whether each lane loads the part of one warp, and shuffles combine them: where every thread needs
// the one result of many warps, whose parts would take many registers just when all else is held.
bool lanesCombineWarps(FunctionEmitter& e, const Reduction& reduction, size_t results) {
  constexpr unsigned manyWarpBits = 2;
  return results == 1 && !reduction.blockMask && reduction.warpBits >= manyWarpBits &&
         reduction.laneMask + 1 == e.state().threadsPerWarp &&
         (uint64_t(1) << reduction.warpBits) <= e.state().threadsPerWarp;
}

// `reads` are the places of one result's parts, a register each.
bool combineWarpsByLanes(FunctionEmitter& e, mlir::Block& combiner, const Reduction& reduction,
                         tt::ReduceOp op, llvm::ArrayRef<SharedPlace> reads, Tuple& total) {
  uint64_t warps = uint64_t(1) << reduction.warpBits;
  for (auto [k, source] : llvm::enumerate(op.getSrcs())) {
    SharedPlace own = reads[k];
    layout::f2::ColumnVector lanes;
    for (unsigned i = 0; uint64_t(1) << i < e.state().threadsPerWarp; ++i)
      lanes.push_back(i < reduction.warpBits ? own.offsets.columns(Dim::Register)[i] : 0);
    own.offsets =
        LinearLayout::zeros1D(1, Dim::Register, Dim::Offset, own.offsets.outSize(Dim::Offset))
            .sublayout({}, {Dim::Offset})
            .appendIn(Dim::Register, {})
            .appendIn(Dim::Lane, lanes)
            .appendIn(Dim::Warp, own.offsets.columns(Dim::Warp));
    RegisterList loaded(1);
    loadShared(e, own, e.elementType(source.getType()), loaded);
    total[k] = loaded.front();
  }
  Reduction acrossWarps = reduction;
  acrossWarps.laneMask = warps - 1;
  return combineLanes(e, combiner, acrossWarps, total, /*isRepeated=*/true);
}

bool reduce(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::ReduceOp>(operation);
  std::optional<Reduction> found = reductionOf(op);
  if (!found)
    return e.fail(
        op, "gluond cannot compile a reduction in a layout that moves diagonally along the axis");
  const LinearLayout& layout = found->layout;
  uint64_t axisMask = (uint64_t(layout.outSize(found->axis)) - 1) << layout.outShift(found->axis);
  mlir::Block& combiner = op.getCombineOp().front();
  auto operands = op.getSrcs();

  llvm::SmallVector<uint64_t> groups; // the results' places, packed, axis at 0
  llvm::SmallVector<Members> members; // of each
  llvm::DenseMap<uint64_t, unsigned> groupOf;
  for (auto [r, place] : llvm::enumerate(registerPlaces(layout))) {
    auto [at, isNew] = groupOf.try_emplace(place & ~axisMask, static_cast<unsigned>(groups.size()));
    if (isNew) {
      groups.push_back(place & ~axisMask);
      members.emplace_back();
    }
    members[at->second].push_back(static_cast<unsigned>(r));
  }
  llvm::SmallVector<Tuple> totals;
  if (!combineRegisters(e, combiner, op, members, totals)) return false;
  // All threads' parts come first: nothing moves past a shuffle, so loads that a later result needs
  // would wait for the shuffles of an earlier one.
  for (Tuple& total : totals)
    if (!combineLanes(e, combiner, *found, total)) return false;

  auto setResults = [&] {
    for (auto [k, result] : llvm::enumerate(op.getResult())) {
      if (!mlir::isa<mlir::RankedTensorType>(result.getType())) {
        e.set(result, totals.front()[k]);
        continue;
      }
      const LinearLayout& to = e.layoutOf(result.getType());
      RegisterList registers;
      for (uint64_t place : registerPlaces(to)) {
        layout::Coordinates at = to.unpack(place);
        at.insert(at.begin() + layout::tensorDimIndex(found->axis), 0);
        auto group = groupOf.find(layout.pack(at));
        if (group == groupOf.end())
          return e.fail(op, "the result's layout is not the source's without the axis");
        registers.push_back(totals[group->second][k]);
      }
      e.set(result, registers);
    }
    return true;
  };

  if (found->needsMemory()) {
    if (found->blockMask &&
        !e.needs(op, Feature::ClusterMemory, "a reduction across the CTAs of a cluster needs"))
      return false;
    // The parts' numbers (PartialResults.h), then their places. Result registers follow the groups.
    unsigned groupBits = llvm::Log2_32_Ceil(static_cast<uint32_t>(groups.size()));
    auto resultOffset = [&](uint64_t place) {
      uint64_t offset = 0;
      unsigned shift = found->warpBits;
      for (layout::DimBits out : layout.outs()) {
        if (out.dim == found->axis) continue;
        offset |= (place >> layout.outShift(out.dim) & (uint64_t(out.size()) - 1)) << shift;
        shift += out.bits;
      }
      return offset;
    };
    int64_t slots = found->results << found->warpBits;
    layout::f2::ColumnVector groupColumns, laneColumns, warpColumns, warpReads, slotColumns;
    for (unsigned i = 0; i < groupBits; ++i)
      groupColumns.push_back(resultOffset(groups[size_t(1) << i]));
    for (uint64_t column : layout.columns(Dim::Lane))
      laneColumns.push_back(resultOffset(column & ~axisMask));
    unsigned next = 0;
    for (auto [i, column] : llvm::enumerate(layout.columns(Dim::Warp))) {
      bool along = llvm::is_contained(found->warpAxisBits, static_cast<unsigned>(i));
      warpColumns.push_back(along ? uint64_t(1) << next++ : resultOffset(column & ~axisMask));
      warpReads.push_back(along ? 0 : warpColumns.back());
    }
    for (unsigned i = 0; i < found->warpBits; ++i)
      slotColumns.push_back(uint64_t(1) << i);
    // Groups are numbered by register bits that do not move along the axis, so that their places
    // are linear too.
    for (auto [i, group] : llvm::enumerate(groups))
      if (resultOffset(group) != layout::f2::multiply(groupColumns, i))
        return e.fail(op, "gluond cannot compile a reduction in a layout of this kind");
    auto order = memoryOrder({.bits = llvm::Log2_64(static_cast<uint64_t>(slots)),
                              .warpBits = found->warpBits,
                              .accessBits = accessBits(operands),
                              .ofRegisters = groupColumns,
                              .ofLanes = laneColumns});
    for (auto* columns : {&groupColumns, &laneColumns, &warpColumns, &warpReads, &slotColumns})
      for (uint64_t& column : *columns)
        column = inMemoryOrder(column, order);
    LinearLayout empty = LinearLayout::zeros1D(1, Dim::Register, Dim::Offset, slots);
    auto places = [&](llvm::ArrayRef<uint64_t> registers, llvm::ArrayRef<uint64_t> warps) {
      return empty.sublayout({}, {Dim::Offset})
          .appendIn(Dim::Register, registers)
          .appendIn(Dim::Lane, laneColumns)
          .appendIn(Dim::Warp, warps);
    };
    slotColumns.append(groupColumns);
    std::vector<SharedPlace> reads;
    int64_t base = e.memory().of(op)->offset;
    for (auto [k, source] : llvm::enumerate(operands)) {
      SharedPlace write;
      write.offsets = places(groupColumns, warpColumns);
      write.base = e.sharedAddress(base);
      write.elementBits = static_cast<unsigned>(8 * elementBytes(source.getType()));
      RegisterList values;
      for (const Tuple& total : totals)
        values.push_back(total[k]);
      storeShared(e, write, values);
      SharedPlace read = write;
      read.offsets = places(slotColumns, warpReads);
      reads.push_back(read);
      base += static_cast<int64_t>(llvm::alignTo(slots * elementBytes(source.getType()), 16));
    }
    e.meet(found->blockMask);
    if (lanesCombineWarps(e, *found, groups.size()))
      return combineWarpsByLanes(e, combiner, *found, op, reads, totals.front()) && setResults();
    // The parts of each result in every CTA along the axis, this CTA's first.
    llvm::SmallVector<llvm::SmallVector<Tuple>> parts(groups.size());
    for (uint64_t other : differences(found->blockMask)) {
      llvm::SmallVector<RegisterList> loaded;
      for (auto [k, source] : llvm::enumerate(operands)) {
        SharedPlace read = reads[k];
        if (other) read.otherBlock = e.i32(static_cast<int64_t>(other));
        loaded.emplace_back(groups.size() << found->warpBits);
        loadShared(e, read, e.elementType(source.getType()), loaded.back());
      }
      for (size_t g = 0; g < groups.size(); ++g)
        for (size_t i = 0; i < size_t(1) << found->warpBits; ++i) {
          // In such an order that the highest bit of the warps' numbers is combined first.
          size_t w = llvm::reverseBits(static_cast<uint32_t>(i)) >> (31 - found->warpBits) >> 1;
          Tuple& tuple = parts[g].emplace_back();
          for (const RegisterList& values : loaded)
            tuple.push_back(values[(g << found->warpBits) + w]);
        }
    }
    for (auto [total, level] : llvm::zip(totals, parts))
      if (!combineAll(e, combiner, std::move(level), total)) return false;
    if (found->blockMask) e.clusterBarrier(); // all have read: the memory may be written again
  }

  return setResults();
}

} // namespace

llvm::ArrayRef<OpRow> reduceOps() {
  static constexpr OpRow rows[] = {
      {"tt.reduce", reduce, reduceScratchBytes},
      {"tt.reduce.return", makesNoCode},
  };
  return rows;
}

} // namespace gluond::lowering
