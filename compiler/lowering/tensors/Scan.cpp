// tt.scan, in one of two ways.
//
// In most layouts the coordinate along the axis has, from its lowest bit on, registers, lanes,
// warps and again registers. Then each thread combines its neighbouring registers in order, the
// lanes of a warp exchange what each of these runs comes to, and the warps what theirs come to:
// one barrier. The order in which elements are combined is Triton's, so that floats round alike.
//
// In any other layout, for each bit of the coordinate, lowest first, the upper half of every block
// takes what the lower half comes to. Which register, lane or warp has that follows from who owns
// the lower bits.
#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/memory/SharedAccess.h"
#include "lowering/tensors/PartialResults.h"

#include <llvm/Support/MathExtras.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::lowering {

namespace {

struct AxisBit {
  Dim owner;
  unsigned bit;
};

// Returns the owner of each bit of the axis; nullopt if one is shared with other bits.
std::optional<llvm::SmallVector<AxisBit>> axisBits(const LinearLayout& layout, Dim axis) {
  llvm::SmallVector<AxisBit> bits;
  for (unsigned j = 0; j < layout.outBits(axis); ++j) {
    uint64_t column = uint64_t(1) << (layout.outShift(axis) + j);
    std::optional<AxisBit> owner;
    for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp})
      for (auto [i, basis] : llvm::enumerate(layout.columns(dim)))
        if (basis == column) owner = AxisBit{dim, static_cast<unsigned>(i)};
    if (!owner) return std::nullopt;
    bits.push_back(*owner);
  }
  return bits;
}

struct Masks {
  unsigned registers = 0, lanes = 0, warps = 0;
  void add(AxisBit bit) {
    (bit.owner == Dim::Register ? registers
     : bit.owner == Dim::Lane   ? lanes
                                : warps) |= 1u << bit.bit;
  }
};

LinearLayout sourceLayout(mlir::Operation* op) {
  return ir::toLinearLayout(mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType()))
      .removeZeroBases(Dim::Register);
}

using Tuple = llvm::SmallVector<llvm::Value*, 2>;

// The bits of registers, lanes and warps that the coordinate consists of, lowest first.
struct Order {
  llvm::SmallVector<unsigned> run, lanes, warps, steps;
  // Registers that are one after the other along the axis; how often the warps go over it.
  unsigned elements() const { return 1u << run.size(); }
  unsigned lanesAlong() const { return 1u << lanes.size(); }
  unsigned warpsAlong() const { return 1u << warps.size(); }
  unsigned stepCount() const { return 1u << steps.size(); }
};

// Nothing where the coordinate has them in another order, or lanes that are not neighbours.
std::optional<Order> orderOf(llvm::ArrayRef<AxisBit> bits) {
  Order order;
  llvm::SmallVector<unsigned>* parts[] = {&order.run, &order.lanes, &order.warps, &order.steps};
  size_t part = 0;
  for (AxisBit bit : bits) {
    size_t owner = bit.owner == Dim::Register ? 0 : bit.owner == Dim::Lane ? 1 : 2;
    if (owner == 0 && part > 0) owner = 3;
    if (owner < part) return std::nullopt;
    part = owner;
    if (owner == 1 && !order.lanes.empty() && bit.bit != order.lanes.back() + 1)
      return std::nullopt;
    parts[owner]->push_back(bit.bit);
  }
  return order;
}

unsigned spread(unsigned number, llvm::ArrayRef<unsigned> bits) {
  unsigned made = 0;
  for (auto [i, bit] : llvm::enumerate(bits))
    made |= (number >> i & 1) << bit;
  return made;
}

// Returns how many of the layout's lanes and warps are no copies of others.
int64_t ownThreads(const LinearLayout& layout) {
  int64_t threads = 1;
  for (Dim dim : {Dim::Lane, Dim::Warp})
    for (uint64_t column : layout.columns(dim))
      if (column) threads *= 2;
  return threads;
}

class OrderedScan {
public:
  OrderedScan(FunctionEmitter& e, tt::ScanOp op, const LinearLayout& layout, const Order& order,
              llvm::SmallVectorImpl<RegisterList>& values)
      : e_(e), op_(op), reverse_(op.getReverse()), layout_(layout), order_(order), values_(values) {
    unsigned bits = llvm::Log2_32(static_cast<uint32_t>(values.front().size()));
    for (unsigned bit = 0; bit < bits; ++bit)
      if (!llvm::is_contained(order.run, bit) && !llvm::is_contained(order.steps, bit))
        others_.push_back(bit);
    lane_ = number(e.lane(), order.lanes);
    warp_ = number(e.ownWarp(), order.warps);
  }

  bool run() {
    for (unsigned other = 0; other < 1u << others_.size(); ++other)
      for (unsigned step = 0; step < order_.stepCount(); ++step)
        if (!scanThread(other, step) || !scanWarp(other, step)) return false;
    return order_.warps.empty() ? joinRuns() : joinWarps();
  }

private:
  // The place along the axis that these bits of a lane or warp are.
  llvm::Value* number(llvm::Value* of, llvm::ArrayRef<unsigned> bits) {
    llvm::Value* made = e_.i32(0);
    for (auto [i, bit] : llvm::enumerate(bits)) {
      llvm::Value* one = e_.b.CreateAnd(e_.b.CreateLShr(of, e_.i32(bit)), e_.i32(1));
      made = e_.disjointOr(made, e_.b.CreateShl(one, e_.i32(static_cast<int64_t>(i))));
    }
    if (reverse_) made = e_.b.CreateXor(made, e_.i32((int64_t(1) << bits.size()) - 1));
    return made;
  }
  unsigned inDirection(unsigned place, llvm::ArrayRef<unsigned> bits) const {
    return reverse_ ? (1u << bits.size()) - 1 - place : place;
  }
  unsigned registerOf(unsigned other, unsigned step, unsigned element) const {
    return spread(other, others_) | spread(inDirection(step, order_.steps), order_.steps) |
           spread(inDirection(element, order_.run), order_.run);
  }
  unsigned lastOf(unsigned other, unsigned step) const {
    return registerOf(other, step, order_.elements() - 1);
  }

  Tuple at(unsigned number) const {
    Tuple tuple;
    for (const RegisterList& registers : values_)
      tuple.push_back(registers[number]);
    return tuple;
  }
  void set(unsigned number, const Tuple& tuple) {
    for (auto [registers, value] : llvm::zip(values_, tuple))
      registers[number] = value;
  }
  bool combined(const Tuple& before, const Tuple& after, Tuple& sum) {
    return combine(e_, op_.getCombineOp().front(), before, after, sum);
  }
  Tuple select(llvm::Value* condition, const Tuple& yes, const Tuple& no) {
    Tuple chosen;
    for (auto [a, b] : llvm::zip(yes, no))
      chosen.push_back(e_.b.CreateSelect(condition, a, b));
    return chosen;
  }
  // Returns the tuple of the lane that is `distance` before this one, or of any if there is none.
  Tuple fromBefore(const Tuple& tuple, unsigned distance) {
    int lanes = static_cast<int>(distance << order_.lanes.front());
    Tuple moved;
    for (llvm::Value* value : tuple)
      moved.push_back(shuffleBefore(e_, value, reverse_ ? -lanes : lanes));
    return moved;
  }

  bool scanThread(unsigned other, unsigned step) {
    for (unsigned element = 1; element < order_.elements(); ++element) {
      unsigned here = registerOf(other, step, element);
      Tuple sum;
      if (!combined(at(registerOf(other, step, element - 1)), at(here), sum)) return false;
      set(here, sum);
    }
    return true;
  }

  bool scanWarp(unsigned other, unsigned step) {
    unsigned last = lastOf(other, step);
    for (unsigned distance = 1; distance < order_.lanesAlong(); distance *= 2) {
      Tuple sum;
      if (!combined(fromBefore(at(last), distance), at(last), sum)) return false;
      llvm::Value* takes = e_.b.CreateICmpSGE(lane_, e_.i32(distance));
      set(last, select(takes, sum, at(last)));
    }
    return true;
  }

  // Combines the elements of a run except its last with the total before the run: `before` in the
  // first lane, elsewhere that of the lane before. Where nothing comes before (`isFirst`), they
  // stay.
  bool finishRun(unsigned other, unsigned step, const Tuple& before, llvm::Value* isFirst) {
    if (order_.elements() == 1) return true;
    Tuple earlier = before;
    if (!order_.lanes.empty())
      earlier = select(e_.b.CreateICmpEQ(lane_, e_.i32(0)), before,
                       fromBefore(at(lastOf(other, step)), 1));
    for (unsigned element = 0; element + 1 < order_.elements(); ++element) {
      unsigned here = registerOf(other, step, element);
      Tuple sum;
      if (!combined(earlier, at(here), sum)) return false;
      set(here, isFirst ? select(isFirst, at(here), sum) : sum);
    }
    return true;
  }

  // One warp has the whole axis.
  bool joinRuns() {
    for (unsigned other = 0; other < 1u << others_.size(); ++other) {
      Tuple before;
      for (unsigned step = 0; step < order_.stepCount(); ++step) {
        unsigned last = lastOf(other, step);
        if (step) {
          Tuple sum;
          if (!combined(before, at(last), sum)) return false;
          set(last, sum);
        }
        // Nothing comes before the first run of the first lane.
        bool isAlone = step == 0 && order_.lanes.empty();
        llvm::Value* isFirst = step ? nullptr : e_.b.CreateICmpEQ(lane_, e_.i32(0));
        if (!isAlone && !finishRun(other, step, step ? before : at(last), isFirst)) return false;
        before = at(last);
        if (step + 1 < order_.stepCount() && !order_.lanes.empty()) before = ofLastLane(before);
      }
    }
    return true;
  }
  Tuple ofLastLane(const Tuple& tuple) {
    int64_t mask = int64_t(order_.lanesAlong() - 1) << order_.lanes.front();
    llvm::Value* last = reverse_ ? e_.b.CreateAnd(e_.lane(), e_.i32(~mask))
                                 : e_.b.CreateOr(e_.lane(), e_.i32(mask));
    Tuple moved;
    for (llvm::Value* value : tuple)
      moved.push_back(shuffle(e_, value, last));
    return moved;
  }

  // The last lane of each warp writes what its runs come to; copies of it write the same there.
  bool joinWarps() {
    std::vector<RegisterList> sums = exchangeSums();
    unsigned warps = order_.warpsAlong(), run = 0;
    llvm::Value* isFirstWarp = e_.b.CreateICmpEQ(warp_, e_.i32(0));
    llvm::Value* isFirst = e_.b.CreateAnd(isFirstWarp, e_.b.CreateICmpEQ(lane_, e_.i32(0)));
    for (unsigned other = 0; other < 1u << others_.size(); ++other) {
      Tuple all, before; // of the warps so far, and of those before this one
      for (unsigned step = 0; step < order_.stepCount(); ++step, ++run) {
        for (unsigned warp = 0; warp < warps; ++warp) {
          Tuple part, sum;
          for (const RegisterList& registers : sums)
            part.push_back(registers[size_t(run) * warps + inDirection(warp, order_.warps)]);
          if (all.empty()) {
            all = before = part;
            continue;
          }
          if (!combined(all, part, sum)) return false;
          all = sum;
          before = select(e_.b.CreateICmpSLE(warp_, e_.i32(warp)), before, all);
        }
        unsigned last = lastOf(other, step);
        Tuple sum;
        if (!combined(before, at(last), sum)) return false;
        set(last, step ? sum : select(isFirstWarp, at(last), sum));
        if (!finishRun(other, step, before, step ? nullptr : isFirst)) return false;
        before = all;
      }
    }
    return true;
  }

  std::vector<RegisterList> exchangeSums() {
    unsigned runs = 1u << (others_.size() + order_.steps.size());
    int64_t slots = static_cast<int64_t>(runs) * ownThreads(layout_) / order_.lanesAlong();
    layout::f2::ColumnVector among, runsOf, lanes, warps, reads;
    uint64_t next = 1;
    for (size_t i = 0; i < order_.warps.size(); ++i, next *= 2)
      among.push_back(next);
    for (unsigned i = 1; i < runs; i *= 2, next *= 2)
      runsOf.push_back(next);
    auto place = [&](Dim dim, llvm::ArrayRef<unsigned> along, layout::f2::ColumnVector& columns) {
      for (auto [bit, column] : llvm::enumerate(layout_.columns(dim))) {
        bool isOwn = column && !llvm::is_contained(along, bit);
        columns.push_back(isOwn ? next : 0);
        if (isOwn) next *= 2;
      }
    };
    place(Dim::Lane, order_.lanes, lanes);
    place(Dim::Warp, order_.warps, reads);
    warps = reads;
    for (auto [i, bit] : llvm::enumerate(order_.warps))
      warps[bit] = among[i];
    auto order = memoryOrder({.bits = llvm::Log2_64(static_cast<uint64_t>(slots)),
                              .warpBits = static_cast<unsigned>(order_.warps.size()),
                              .accessBits = accessBits(op_.getSrcs()),
                              .ofRegisters = runsOf,
                              .ofLanes = lanes,
                              .inTurn = !order_.steps.empty()});
    for (auto* columns : {&among, &runsOf, &lanes, &warps, &reads})
      for (uint64_t& column : *columns)
        column = inMemoryOrder(column, order);
    LinearLayout empty = LinearLayout::zeros1D(1, Dim::Register, Dim::Offset, slots);
    auto offsets = [&](llvm::ArrayRef<uint64_t> registers, llvm::ArrayRef<uint64_t> ofWarps) {
      return empty.sublayout({}, {Dim::Offset})
          .appendIn(Dim::Register, registers)
          .appendIn(Dim::Lane, lanes)
          .appendIn(Dim::Warp, ofWarps);
    };
    layout::f2::ColumnVector read = among;
    read.append(runsOf);

    std::vector<SharedPlace> places;
    int64_t base = e_.memory().of(op_)->offset;
    for (mlir::Value source : op_.getSrcs()) {
      SharedPlace& write = places.emplace_back();
      write.offsets = offsets(runsOf, warps);
      write.base = e_.sharedAddress(base);
      write.elementBits = static_cast<unsigned>(8 * elementBytes(source.getType()));
      base += static_cast<int64_t>(llvm::alignTo(slots * elementBytes(source.getType()), 16));
    }
    llvm::Value* isLast = e_.b.CreateICmpEQ(lane_, e_.i32(order_.lanesAlong() - 1));
    bool isInLoop = op_->getParentOfType<mlir::LoopLikeOpInterface>() != nullptr;
    for (auto [k, there] : llvm::enumerate(places)) {
      RegisterList totals;
      for (unsigned other = 0; other < 1u << others_.size(); ++other)
        for (unsigned step = 0; step < order_.stepCount(); ++step)
          totals.push_back(values_[k][lastOf(other, step)]);
      storeSharedWhere(e_, there, totals, isLast, isInLoop);
    }
    e_.barrier();
    std::vector<RegisterList> sums;
    for (auto [source, there] : llvm::zip(op_.getSrcs(), places)) {
      there.offsets = offsets(read, reads);
      sums.emplace_back(size_t(runs) << order_.warps.size());
      loadShared(e_, there, e_.elementType(source.getType()), sums.back());
    }
    return sums;
  }

  FunctionEmitter& e_;
  tt::ScanOp op_;
  bool reverse_;
  const LinearLayout& layout_;
  const Order& order_;
  llvm::SmallVectorImpl<RegisterList>& values_;   // by operand and register
  llvm::SmallVector<unsigned> others_;            // bits of registers that are not along the axis
  llvm::Value *lane_ = nullptr, *warp_ = nullptr; // places along the axis, in the scan's direction
};

bool scan(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::ScanOp>(operation);
  const LinearLayout layout = sourceLayout(op);
  auto bits = axisBits(layout, layout::tensorDim(op.getAxis()));
  if (!bits) return e.fail(op, "gluond cannot compile a scan in a layout of this kind");
  bool reverse = op.getReverse();
  llvm::SmallVector<RegisterList> values;
  for (mlir::Value source : op.getSrcs())
    values.emplace_back(e.get(source));
  if (auto order = orderOf(*bits)) {
    if (!OrderedScan(e, op, layout, *order, values).run()) return false;
    for (auto [result, registers] : llvm::zip(op.getResult(), values))
      e.set(result, registers);
    return true;
  }
  unsigned count = static_cast<unsigned>(values.front().size());
  unsigned threads = e.group().warps * e.state().threadsPerWarp;
  Masks lower;
  bool published = false;
  for (AxisBit level : *bits) {
    Masks through = lower; // the bits that tell the partner from the element
    through.add(level);
    // The partner has the level's bit as the lower half has it and the lower bits at their end.
    auto partnerOf = [&](unsigned number) {
      unsigned own = level.owner == Dim::Register ? 1u << level.bit : 0;
      return reverse ? (number & ~lower.registers) | own : (number | lower.registers) & ~own;
    };
    auto place = [&](llvm::Value* here, unsigned low, bool owns) -> llvm::Value* {
      unsigned own = owns ? 1u << level.bit : 0;
      llvm::Value* at = reverse ? e.b.CreateAnd(here, e.i32(~low)) : e.b.CreateOr(here, e.i32(low));
      if (!own) return at;
      return reverse ? e.b.CreateOr(at, e.i32(own)) : e.b.CreateAnd(at, e.i32(~own));
    };
    llvm::SmallVector<unsigned> takers, partners;
    for (unsigned number = 0; number < count; ++number) {
      if (level.owner == Dim::Register && ((number >> level.bit & 1) == (reverse ? 1u : 0u)))
        continue;
      takers.push_back(number);
      if (!llvm::is_contained(partners, partnerOf(number))) partners.push_back(partnerOf(number));
    }
    llvm::Value* lane = place(e.lane(), lower.lanes, level.owner == Dim::Lane);
    llvm::Value* warp = place(e.ownWarp(), lower.warps, level.owner == Dim::Warp);
    llvm::SmallVector<llvm::SmallVector<llvm::Value*, 2>> given(partners.size());
    if (through.warps) {
      if (published) e.barrier();
      published = true;
      int64_t base = e.memory().of(op)->offset;
      llvm::Value* mine = e.thread();
      llvm::Value* theirs =
          e.b.CreateAdd(e.b.CreateMul(warp, e.i32(e.state().threadsPerWarp)), lane);
      llvm::SmallVector<int64_t> starts;
      for (auto [k, source] : llvm::enumerate(op.getSrcs())) {
        llvm::Type* type = e.memoryType(source.getType());
        starts.push_back(base);
        for (auto [i, partner] : llvm::enumerate(partners)) {
          llvm::Value* slot = e.b.CreateAdd(mine, e.i32(static_cast<int64_t>(i) * threads));
          llvm::Value* value = values[k][partner];
          if (value->getType()->isIntegerTy(1)) value = e.b.CreateZExt(value, type);
          e.b.CreateAlignedStore(value, e.b.CreateGEP(type, e.sharedAddress(base), slot),
                                 ownAlignment(e, type));
        }
        base += static_cast<int64_t>(llvm::alignTo(
            static_cast<int64_t>(partners.size()) * threads * elementBytes(source.getType()), 16));
      }
      e.barrier();
      for (auto [i, partner] : llvm::enumerate(partners))
        for (auto [k, source] : llvm::enumerate(op.getSrcs())) {
          llvm::Type* type = e.memoryType(source.getType());
          llvm::Value* slot = e.b.CreateAdd(theirs, e.i32(static_cast<int64_t>(i) * threads));
          llvm::Value* value = e.b.CreateAlignedLoad(
              type, e.b.CreateGEP(type, e.sharedAddress(starts[k]), slot), ownAlignment(e, type));
          given[i].push_back(
              e.b.CreateTrunc(value, e.b.getInt1Ty()->isIntegerTy(1) &&
                                             e.elementType(source.getType())->isIntegerTy(1)
                                         ? e.b.getInt1Ty()
                                         : value->getType()));
        }
    } else {
      for (auto [i, partner] : llvm::enumerate(partners))
        for (const RegisterList& registers : values)
          given[i].push_back(through.lanes ? shuffle(e, registers[partner], lane)
                                           : registers[partner]);
    }
    llvm::Value* takes = nullptr;
    if (level.owner != Dim::Register) {
      llvm::Value* here = e.b.CreateAnd(level.owner == Dim::Lane ? e.lane() : e.ownWarp(),
                                        e.i32(int64_t(1) << level.bit));
      takes = reverse ? e.b.CreateICmpEQ(here, e.i32(0)) : e.b.CreateICmpNE(here, e.i32(0));
    }
    llvm::SmallVector<RegisterList> next = values;
    for (unsigned number : takers) {
      size_t which =
          static_cast<size_t>(llvm::find(partners, partnerOf(number)) - partners.begin());
      llvm::SmallVector<llvm::Value*, 2> own, sum;
      for (const RegisterList& registers : values)
        own.push_back(registers[number]);
      if (!combine(e, op.getCombineOp().front(), given[which], own, sum)) return false;
      for (auto [k, value] : llvm::enumerate(sum))
        next[k][number] = takes ? e.b.CreateSelect(takes, value, own[k]) : value;
    }
    values = std::move(next);
    lower.add(level);
  }
  for (auto [result, registers] : llvm::zip(op.getResult(), values))
    e.set(result, registers);
  return true;
}

} // namespace

static int64_t scanScratchBytes(mlir::Operation* op) {
  LinearLayout layout = sourceLayout(op);
  auto bits = axisBits(layout, layout::tensorDim(mlir::cast<tt::ScanOp>(op).getAxis()));
  if (!bits || llvm::none_of(*bits, [](AxisBit bit) { return bit.owner == Dim::Warp; })) return 0;
  int64_t slots = layout.inSize(Dim::Register), bytes = 0;
  if (auto order = orderOf(*bits))
    slots = slots * ownThreads(layout) / (int64_t(order->elements()) * order->lanesAlong());
  else
    slots *= layout.inSize(Dim::Lane) * layout.inSize(Dim::Warp);
  for (mlir::Value source : op->getOperands())
    bytes += static_cast<int64_t>(llvm::alignTo(slots * elementBytes(source.getType()), 16));
  return bytes;
}

llvm::ArrayRef<OpRow> scanOps() {
  static constexpr OpRow rows[] = {
      {"tt.scan", scan, scanScratchBytes},
      {"tt.scan.return", makesNoCode},
  };
  return rows;
}

} // namespace gluond::lowering
