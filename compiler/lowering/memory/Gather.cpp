// Elements picked by index: in a tensor, in a buffer; and counting them.
#include "chips/Vendor.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "lowering/Combine.h"
#include "lowering/Handlers.h"
#include "lowering/PickedLoads.h"
#include "lowering/memory/Atomics.h"
#include "lowering/memory/SharedAccess.h"

namespace gluond::lowering {

namespace {

// Coordinates of each register of a tensor, in this thread; one list per register, in dimension
// order.
llvm::SmallVector<RegisterList> coordinates(FunctionEmitter& e, const LinearLayout& layout) {
  RegisterList here = e.applyHere(layout, e.i32(0));
  llvm::SmallVector<RegisterList> all;
  for (uint64_t place : registerPlaces(layout)) {
    layout::Coordinates more = layout.unpack(place);
    RegisterList at;
    for (auto [base, offset] : llvm::zip(here, more))
      at.push_back(offset ? e.b.CreateXor(base, e.i32(offset)) : base);
    all.push_back(std::move(at));
  }
  return all;
}

// Row-major offsets of a tensor of `shape`, as a shared layout.
LinearLayout rowMajor(llvm::ArrayRef<int64_t> shape) {
  LinearLayout layout;
  for (size_t i = shape.size(); i-- > 0;)
    layout *= LinearLayout::identity1D(shape[i], Dim::Offset,
                                       layout::tensorDim(static_cast<unsigned>(i)));
  llvm::SmallVector<Dim> order;
  for (unsigned i = 0; i < shape.size(); ++i)
    order.push_back(layout::tensorDim(i));
  return layout.transposeOuts(order);
}

// The coordinates of an element, each with its dimension.
llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> byDimension(Registers at) {
  llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> place;
  for (auto [i, coordinate] : llvm::enumerate(at))
    place.push_back({layout::tensorDim(static_cast<unsigned>(i)), coordinate});
  return place;
}

llvm::Value* index32(FunctionEmitter& e, llvm::Value* index) {
  return e.b.CreateZExtOrTrunc(index, e.b.getInt32Ty());
}

// A gather whose elements come from lanes of the same warp: where an element lies that an index
// picks.
struct WarpGather {
  LinearLayout toLane, toRegister;            // of coordinates in the source
  llvm::SmallVector<uint64_t> firstRegisters; // of each result: where index 0 leads
  llvm::SmallVector<uint64_t> otherRegisters; // what an index may change in that, 0 first
};

// Nothing if elements come from other warps, or if shared memory is faster: each register that an
// element may come from is a shuffle.
std::optional<WarpGather> warpGather(tt::GatherOp op) {
  constexpr size_t mostShuffles = 4, wordBytes = 4, accessBytes = 16;
  constexpr size_t meetings = 2; // as many accesses take as long as warps that meet
  auto source = mlir::cast<mlir::RankedTensorType>(op.getSrc().getType());
  // As the emitter's layouts: registers that repeat others are not counted.
  LinearLayout from = ir::toLinearLayout(source).removeZeroBases(Dim::Register);
  LinearLayout indices =
      ir::toLinearLayout(mlir::cast<mlir::RankedTensorType>(op.getIndices().getType()))
          .removeZeroBases(Dim::Register);
  std::optional<LinearLayout> places = from.pseudoInvert();
  if (!places) return std::nullopt;
  // Where the coordinates lead, for those of one bit of the indices' threads; along the axis, the
  // index says where.
  Dim axis = layout::tensorDim(op.getAxis());
  auto lead = [&](llvm::ArrayRef<int32_t> coordinates, Dim out) {
    llvm::SmallVector<LinearLayout::Place> place;
    for (auto [i, coordinate] : llvm::enumerate(coordinates))
      if (Dim dim = layout::tensorDim(static_cast<unsigned>(i)); dim != axis)
        place.push_back({dim, static_cast<uint64_t>(coordinate)});
    return static_cast<uint64_t>(places->sublayout(places->inDims(), {out}).apply(place).front());
  };
  auto keepsThreads = [&](Dim dim) {
    for (unsigned bit = 0; bit < indices.inBits(dim); ++bit) {
      layout::Coordinates at = indices.basis(dim, bit);
      uint64_t own = dim == Dim::Warp || dim == Dim::Block ? uint64_t(1) << bit : 0;
      for (Dim out : {Dim::Warp, Dim::Block})
        if (lead(at, out) != (out == dim ? own & ~from.freeMask(dim) : 0)) return false;
      if (dim != Dim::Register && lead(at, Dim::Register)) return false;
    }
    return true;
  };
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block})
    if (!keepsThreads(dim)) return std::nullopt;
  WarpGather found{places->sublayout(places->inDims(), {Dim::Lane}),
                   places->sublayout(places->inDims(), {Dim::Register}),
                   {},
                   {0}};
  for (unsigned bit = 0; bit < places->inBits(axis); ++bit) {
    if (places->basis(axis, bit, Dim::Warp) || places->basis(axis, bit, Dim::Block))
      return std::nullopt;
    auto more = static_cast<uint64_t>(places->basis(axis, bit, Dim::Register));
    if (llvm::is_contained(found.otherRegisters, more)) continue;
    for (size_t i = 0, known = found.otherRegisters.size(); i < known; ++i)
      found.otherRegisters.push_back(found.otherRegisters[i] ^ more);
  }
  size_t words = llvm::divideCeil(elementBytes(source), wordBytes);
  size_t shuffles = found.otherRegisters.size() * words;
  if (shuffles > mostShuffles) return std::nullopt;
  // AMD's memory executes shuffles, too, and one of its accesses does the work of all candidates'.
  auto results = static_cast<size_t>(indices.inSize(Dim::Register));
  size_t stores = llvm::divideCeil(
      static_cast<size_t>(from.inSize(Dim::Register)) * elementBytes(source), accessBytes);
  if (chips::isAmd(ttg::targetOf(op)) && results * shuffles > results + stores + meetings)
    return std::nullopt;
  for (uint64_t place : registerPlaces(indices))
    found.firstRegisters.push_back(lead(indices.unpack(place), Dim::Register));
  return found;
}

bool gatherFromLanes(FunctionEmitter& e, tt::GatherOp op, const WarpGather& how) {
  Registers values = e.get(op.getSrc()), indices = e.get(op.getIndices());
  RegisterList results;
  for (auto [r, at] : llvm::enumerate(coordinates(e, e.layoutOf(op.getIndices().getType())))) {
    at[op.getAxis()] = index32(e, indices[r]);
    auto element = byDimension(at);
    llvm::Value* lane = e.apply(how.toLane, element).front();
    llvm::Value* picked =
        how.otherRegisters.size() > 1 ? e.apply(how.toRegister, element).front() : nullptr;
    llvm::Value* result = nullptr;
    for (uint64_t other : how.otherRegisters) {
      uint64_t number = how.firstRegisters[r] ^ other;
      llvm::Value* value = shuffle(e, values[number], lane);
      result = result
                   ? e.b.CreateSelect(e.b.CreateICmpEQ(picked, e.i32(static_cast<int64_t>(number))),
                                      value, result)
                   : value;
    }
    results.push_back(result);
  }
  e.set(op.getResult(), results);
  return true;
}

bool gather(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::GatherOp>(operation);
  if (std::optional<WarpGather> how = warpGather(op)) return gatherFromLanes(e, op, *how);
  auto source = mlir::cast<mlir::RankedTensorType>(op.getSrc().getType());
  LinearLayout shared = rowMajor(source.getShape());
  SharedPlace place;
  std::optional<LinearLayout> offsets = e.layoutOf(source).invertAndCompose(shared);
  if (!offsets) return e.fail(op, "the source's layout does not hold every element");
  place.offsets = offsets->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
  place.base = e.scratch(op);
  place.elementBits = e.memoryBits(source.getElementType());
  // Every CTA has its part where the whole tensor would have it, and reads the others' from them.
  const LinearLayout& layout = e.layoutOf(source);
  bool spread = llvm::any_of(layout.columns(Dim::Block), [](uint64_t column) { return column; });
  if (spread) {
    if (!e.needs(op, Feature::ClusterMemory, "a gather across the CTAs of a cluster needs"))
      return false;
    place.offsets = offsets->sublayout(offsets->inDims(), {Dim::Offset});
  }
  storeShared(e, place, e.get(op.getSrc()));
  e.meet(spread);
  std::optional<LinearLayout> owners = spread ? layout.pseudoInvert() : std::nullopt;
  llvm::Type *element = e.elementType(source), *memory = e.memoryType(source);
  RegisterList results;
  Registers indices = e.get(op.getIndices());
  for (auto [r, at] : llvm::enumerate(coordinates(e, e.layoutOf(op.getIndices().getType())))) {
    at[op.getAxis()] = index32(e, indices[r]);
    llvm::Value* offset = e.i32(0);
    for (auto [coordinate, size] : llvm::zip(at, source.getShape()))
      offset = e.b.CreateAdd(e.b.CreateMul(offset, e.i32(size)), coordinate);
    llvm::Value* address = e.b.CreateGEP(memory, place.base, offset);
    if (owners) {
      address = e.inBlock(
          address,
          e.apply(owners->sublayout(owners->inDims(), {Dim::Block}), byDimension(at)).front());
    }
    llvm::Value* value =
        markPicked(e.b.CreateAlignedLoad(memory, address, ownAlignment(e, memory)));
    results.push_back(element->isIntegerTy(1) ? e.b.CreateTrunc(value, element) : value);
  }
  e.set(op.getResult(), results);
  if (spread) e.clusterBarrier(); // all have read: the memory may be written again
  return true;
}

// Addresses in a buffer of the elements that `indices` pick along `axis`; of another CTA's memory
// where the buffer is spread over a cluster.
std::optional<RegisterList> pickedAddresses(FunctionEmitter& e, mlir::Operation* op,
                                            mlir::Value buffer, mlir::Value indices,
                                            unsigned axis) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  std::optional<LinearLayout> offsets = ir::toLinearLayout(type).pseudoInvert();
  if (!offsets) {
    e.fail(op, "gluond cannot compile indexed accesses to a buffer of this layout yet");
    return std::nullopt;
  }
  LinearLayout toOffset = offsets->sublayout(offsets->inDims(), {Dim::Offset});
  bool spread = offsets->hasOut(Dim::Block) && offsets->outBits(Dim::Block) && e.state().ctas > 1;
  if (spread) e.state().touchesOtherCtas = true;
  ttg::PaddedSharedEncodingAttr padding = ttg::getPaddedEncoding(type.getEncoding());
  llvm::Value* view = e.viewOffset(buffer);
  llvm::Type* memory = e.memoryType(type.getElementType());
  RegisterList addresses;
  Registers registers = e.get(indices), begins = e.get(buffer).drop_front();
  for (auto [r, at] : llvm::enumerate(coordinates(e, e.layoutOf(indices.getType())))) {
    at[axis] = index32(e, registers[r]);
    llvm::SmallVector<std::pair<Dim, llvm::Value*>, 4> place, whole;
    for (auto [i, value] : llvm::enumerate(at)) {
      place.push_back({layout::tensorDim(static_cast<unsigned>(i)), value});
      if (begins.size() == at.size())
        whole.push_back(
            {layout::tensorDim(static_cast<unsigned>(i)), e.b.CreateXor(value, begins[i])});
    }
    llvm::Value* offset = e.b.CreateXor(e.apply(toOffset, place).front(), view);
    if (padding) offset = padded(e, padding, offset);
    llvm::Value* address = e.b.CreateGEP(memory, e.viewBase(buffer), offset);
    if (spread) {
      // Among CTAs that have the same, this one's own.
      llvm::Value* block = e.apply(offsets->sublayout(offsets->inDims(), {Dim::Block}),
                                   whole.empty() ? place : whole)
                               .front();
      if (uint64_t same = ir::toLinearLayout(type).freeMask(Dim::Block))
        block = e.b.CreateOr(block, e.b.CreateAnd(e.block(), e.i32(static_cast<int64_t>(same))));
      address = e.inBlock(address, block);
    }
    addresses.push_back(address);
  }
  return addresses;
}

bool localGather(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::LocalGatherOp>(operation);
  auto addresses = pickedAddresses(e, op, op.getSrc(), op.getIndices(), op.getAxis());
  if (!addresses) return false;
  llvm::Type *element = e.elementType(op.getType()), *memory = e.memoryType(op.getType());
  RegisterList results;
  for (llvm::Value* address : *addresses) {
    llvm::Value* value =
        markPicked(e.b.CreateAlignedLoad(memory, address, ownAlignment(e, memory)));
    results.push_back(element->isIntegerTy(1) ? e.b.CreateTrunc(value, element) : value);
  }
  e.set(op.getResult(), results);
  return true;
}

bool localScatter(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::LocalScatterOp>(operation);
  auto addresses = pickedAddresses(e, op, op.getDst(), op.getIndices(), op.getAxis());
  if (!addresses) return false;
  llvm::Type* memory = e.memoryType(op.getValues().getType());
  for (auto [address, value] : llvm::zip(*addresses, e.get(op.getValues())))
    e.b.CreateAlignedStore(e.b.CreateZExtOrBitCast(value, memory), address,
                           ownAlignment(e, memory));
  return true;
}

bool localAtomicScatter(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::LocalAtomicScatterRMWOp>(operation);
  auto addresses = pickedAddresses(e, op, op.getDst(), op.getIndices(), op.getAxis());
  if (!addresses) return false;
  tt::RMWOp kind = op.getAtomicRmwOp();
  if (!e.target().atomicElements(kind, mlir::getElementTypeOrSelf(op.getType())))
    return e.fail(op, noAtomicOperation);
  llvm::Value* first = e.isFirstCopy(e.layoutOf(op.getType()));
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers(),
            values = e.get(op.getValues());
  RegisterList results;
  for (auto [i, address] : llvm::enumerate(*addresses)) {
    AtomicAccess access{.address = address,
                        .predicate = masks.empty() ? first : e.b.CreateAnd(first, masks[i]),
                        .isResultUsed = !op->getResult(0).use_empty()};
    llvm::append_range(results, e.target().atomicUpdate(e, access, kind, values[i]));
  }
  results = shareAtomicResults(e, op, op.getType(), std::move(results), first);
  e.set(op.getResult(), results);
  return true;
}

// Counts in shared memory, with atomics; in a cluster every CTA its part, then all are added.
bool histogram(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::HistogramOp>(operation);
  auto result = mlir::cast<mlir::RankedTensorType>(op.getType());
  const LinearLayout &to = e.layoutOf(result), &from = e.layoutOf(op.getSrc().getType());
  std::optional<LinearLayout> offsets = to.invertAndCompose(rowMajor(result.getShape()));
  if (!offsets) return e.fail(op, "the result's layout does not hold every bin");
  uint64_t spread = 0; // bits of the CTA's number over which the source is spread
  for (auto [i, column] : llvm::enumerate(from.columns(Dim::Block)))
    if (column) spread |= uint64_t(1) << i;
  if (spread &&
      !e.needs(op, Feature::ClusterMemory, "a histogram across the CTAs of a cluster needs"))
    return false;
  SharedPlace bins;
  bins.base = e.scratch(op);
  bins.offsets = offsets->sublayout(offsets->inDims(), {Dim::Offset});
  // All bins are cleared, whichever of them this CTA reads afterwards.
  unsigned threads = e.group().warps * e.state().threadsPerWarp;
  for (int64_t first = 0; first < result.getNumElements(); first += threads) {
    llvm::Value* bin = e.b.CreateAdd(e.thread(), e.i32(first));
    llvm::Value* address = e.b.CreateGEP(e.b.getInt32Ty(), bins.base, bin);
    llvm::Value* isBin = e.b.CreateICmpULT(bin, e.i32(result.getNumElements()));
    e.target().storeShared(e, isBin, address, e.i32(0));
  }
  e.barrier();
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  // Every CTA counts for itself, also elements that other CTAs have copies of.
  llvm::Value* first = e.isFirstCopy(from, /*ofOwnCta=*/true);
  for (auto [i, bin] : llvm::enumerate(e.get(op.getSrc()))) {
    llvm::Value* counts = masks.empty() ? first : e.b.CreateAnd(first, masks[i]);
    llvm::Value* address = e.b.CreateGEP(e.b.getInt32Ty(), bins.base, index32(e, bin));
    e.target().countShared(e, counts, address);
  }
  e.meet(spread);
  RegisterList sums;
  for (uint64_t other : differences(spread)) {
    bins.otherBlock = other ? e.i32(static_cast<int64_t>(other)) : nullptr;
    RegisterList counts(static_cast<size_t>(to.inSize(Dim::Register)));
    loadShared(e, bins, e.b.getInt32Ty(), counts);
    for (auto [i, count] : llvm::enumerate(counts))
      if (other)
        sums[i] = e.b.CreateAdd(sums[i], count);
      else
        sums.push_back(count);
  }
  for (llvm::Value*& sum : sums)
    sum = e.b.CreateZExtOrTrunc(sum, e.elementType(result));
  e.set(op.getResult(), sums);
  if (spread) e.clusterBarrier(); // all have read: the memory may be written again
  return true;
}

} // namespace

static int64_t gatherScratchBytes(mlir::Operation* op) {
  if (warpGather(mlir::cast<tt::GatherOp>(op))) return 0;
  auto type = mlir::cast<mlir::RankedTensorType>(op->getOperand(0).getType());
  return type.getNumElements() * elementBytes(type);
}

static int64_t histogramScratchBytes(mlir::Operation* op) {
  return mlir::cast<mlir::RankedTensorType>(op->getResult(0).getType()).getNumElements() * 4;
}

llvm::ArrayRef<OpRow> gatherOps() {
  static constexpr OpRow rows[] = {
      {"tt.gather", gather, gatherScratchBytes},
      {"tt.histogram", histogram, histogramScratchBytes},
      {"ttg.local_gather", localGather},
      {"ttg.local_scatter", localScatter},
      {"ttg.local_atomic_scatter_rmw", localAtomicScatter, atomicScratchBytes},
  };
  return rows;
}

} // namespace gluond::lowering
