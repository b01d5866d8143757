#include "passes/layouts/CoalescedLayout.h"

#include "chips/MemorySizes.h"
#include "chips/Vendor.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "support/Allowance.h"

#include <llvm/ADT/SetVector.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned widestAccessBits = 8 * chips::widestAccessBytes;

unsigned pointeeBits(RankedTensorType pointers) {
  return tt::bitWidth(getElementTypeOrSelf(tt::pointeeType(pointers)));
}

// Axes from the one that runs longest to the shortest; later axes first among equals.
SmallVector<unsigned> orderOf(const AxisInfo& info) {
  SmallVector<unsigned> order = llvm::to_vector(llvm::reverse(llvm::seq(info.rank())));
  for (auto* it = order.begin(); it != order.end(); ++it) // stable insertion
    std::rotate(std::upper_bound(order.begin(), it, *it,
                                 [&](unsigned a, unsigned b) {
                                   return info.contiguity[a] > info.contiguity[b];
                                 }),
                it, std::next(it));
  return order;
}

// Atomics narrower than a store of the same type.
std::optional<unsigned> atomicElements(Operation* op) {
  if (isa<tt::AtomicCASOp>(op)) return 1;
  auto rmw = dyn_cast<tt::AtomicRMWOp>(op);
  if (!rmw) return std::nullopt;
  Type element = getElementTypeOrSelf(rmw.getVal().getType());
  if (element.isInteger() || element.isF64()) return 1;
  StringRef target = ttg::targetOf(op);
  if (chips::isAmd(target)) return std::max(1u, 32 / tt::bitWidth(element));
  if (rmw.getAtomicRmwOp() != tt::RMWOp::FADD || !chips::capabilityOf(target) ||
      chips::featuresOf(target).has(chips::Feature::VectorSums))
    return std::nullopt;
  if (element.isF32() || element.isBF16()) return 1;
  return element.isF16() ? std::optional<unsigned>(2) : std::nullopt;
}

// Returns how many neighbouring elements along `axis` one thread may access at once.
unsigned elementsPerThread(Operation* access, unsigned axis, const ModuleAxisInfo& axes,
                           ArrayRef<int64_t> shape) {
  Value pointer = accessedPointer(access);
  AxisInfo info = axes.at(pointer);
  unsigned bits = pointeeBits(cast<RankedTensorType>(pointer.getType())),
           bytes = std::max(bits / 8, 1u);
  auto aligned = std::max(static_cast<unsigned>(info.divisibility[axis]) / bytes, 1u);
  auto run = static_cast<unsigned>(std::min(info.contiguity[axis], shape[axis]));
  unsigned most = widestAccessBits / bits;
  if (auto elements = atomicElements(access)) most = std::min(most, *elements);
  return std::min({aligned, run, most});
}

bool isLoop(Operation* op) {
  return op->getNumRegions() == 1 && op->getRegion(0).hasOneBlock();
}

// Calls `use` with the operations that one depends on, and with those that depend on it. If it
// calls `use` with an operation, then also the other way around.
template <typename Use> void forEachNeighbor(Operation* op, Use use) {
  for (Value operand : op->getOperands()) {
    Operation* before = operand.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(operand)) {
      before = argument.getOwner()->getParentOp();
      if (!isLoop(before)) continue;
    }
    if (!before->hasTrait<OpTrait::IsIsolatedFromAbove>()) use(before);
  }
  for (Operation* user : op->getUsers())
    use(user);
  if (isLoop(op))
    for (BlockArgument argument : op->getRegion(0).getArguments())
      for (Operation* user : argument.getUsers())
        use(user);
}

} // namespace

Value accessedPointer(Operation* op) {
  if (auto load = dyn_cast<tt::LoadOp>(op)) return load.getPtr();
  if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op)) return atomic.getPtr();
  if (auto atomic = dyn_cast<tt::AtomicCASOp>(op)) return atomic.getPtr();
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op)) return copy.getSrc();
  if (auto store = dyn_cast<tt::StoreOp>(op)) return store.getPtr();
  return {};
}

// The related operations are those of mlir::getSlice(), which Triton asks here; that recurses along
// each chain, and starts again for each operation.
const CoalescedLayouts::Widths& CoalescedLayouts::widthsAround(Operation* access) {
  auto [group, isNew] = groups_.try_emplace(access, widths_.size());
  if (!isNew) return widths_[group->second];
  size_t number = widths_.size();
  Widths& widths = widths_.emplace_back();
  llvm::SetVector<Operation*> related;
  related.insert(access);
  // Neighbors have the same related operations. An operation and those in its regions have not.
  for (bool isInside : {false, true}) {
    for (size_t i = 0; i < related.size(); ++i) {
      if (i % 64 == 0 && Spending::isSpent()) return widths;
      Operation* op = related[i];
      if (!isInside) groups_[op] = number;
      forEachNeighbor(op, [&](Operation* other) { related.insert(other); });
      for (Region& region : op->getRegions())
        for (Operation& inner : region.getOps())
          if (isInside) related.insert(&inner);
    }
  }
  for (Operation* op : related) {
    Value pointer = accessedPointer(op);
    auto type = pointer ? dyn_cast<RankedTensorType>(pointer.getType()) : RankedTensorType();
    if (!type) continue;
    SmallVector<unsigned> order = orderOf(axes_.at(pointer));
    unsigned elements = elementsPerThread(op, order[0], axes_, type.getShape());
    auto* same = llvm::find_if(widths, [&](const Width& width) {
      return width.shape == type.getShape() && width.order == order;
    });
    if (same == widths.end())
      widths.push_back({llvm::to_vector(type.getShape()), std::move(order), elements});
    else
      same->elements = std::max(same->elements, elements);
  }
  return widths;
}

ttg::BlockedEncodingAttr CoalescedLayouts::of(Operation* access, unsigned numWarps) {
  Value pointer = accessedPointer(access);
  auto type = cast<RankedTensorType>(pointer.getType());
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<unsigned> order = orderOf(axes_.at(pointer));
  unsigned own = elementsPerThread(access, order[0], axes_, shape), perThread = own;
  // Only loads may have more than they can use.
  if (isa<tt::LoadOp>(access) && pointer.getDefiningOp())
    for (const Width& width : widthsAround(access))
      if (ArrayRef(width.shape) == shape && width.order == order)
        perThread = std::max(perThread, width.elements);
  auto share = static_cast<unsigned>(
      std::max<int64_t>(type.getNumElements() / (int64_t{numWarps} * threadsPerWarp_), 1));
  perThread = std::min(perThread, share);
  // Stores wider than one instruction leave gaps between the lanes; loads find the gaps in the
  // cache.
  if (!isa<tt::LoadOp>(access)) perThread = std::min(perThread, own);
  SmallVector<unsigned> sizePerThread(type.getRank(), 1);
  sizePerThread[order[0]] = perThread;
  return ttg::spreadThreads(shape, sizePerThread, order, numWarps, threadsPerWarp_,
                            ttg::CGAEncodingAttr::get1CTALayout(
                                access->getContext(), static_cast<unsigned>(order.size())));
}

} // namespace gluond::passes
