#include "passes/layouts/CoalescedLayout.h"

#include "chips/Vendor.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttg/Target.h"

#include <mlir/Analysis/SliceAnalysis.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned widestAccessBits = 128;

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
  if (chips::isAmd(target)) return std::max(1u, 32 / element.getIntOrFloatBitWidth());
  if (rmw.getAtomicRmwOp() != tt::RMWOp::FADD || !chips::capabilityOf(target) ||
      chips::featuresOf(target).has(chips::Feature::VectorSums))
    return std::nullopt;
  if (element.isF32() || element.isBF16()) return 1;
  return element.isF16() ? std::optional<unsigned>(2) : std::nullopt;
}

// How many neighbouring elements along `axis` one thread may access at once.
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

} // namespace

Value accessedPointer(Operation* op) {
  if (auto load = dyn_cast<tt::LoadOp>(op)) return load.getPtr();
  if (auto atomic = dyn_cast<tt::AtomicRMWOp>(op)) return atomic.getPtr();
  if (auto atomic = dyn_cast<tt::AtomicCASOp>(op)) return atomic.getPtr();
  if (auto copy = dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(op)) return copy.getSrc();
  if (auto store = dyn_cast<tt::StoreOp>(op)) return store.getPtr();
  return {};
}

ttg::BlockedEncodingAttr coalescedLayout(Operation* access, const ModuleAxisInfo& axes,
                                         unsigned numWarps, unsigned threadsPerWarp) {
  Value pointer = accessedPointer(access);
  auto type = cast<RankedTensorType>(pointer.getType());
  ArrayRef<int64_t> shape = type.getShape();
  SmallVector<unsigned> order = orderOf(axes.at(pointer));
  unsigned own = elementsPerThread(access, order[0], axes, shape), perThread = own;
  if (pointer.getDefiningOp()) {
    for (Operation* other : mlir::getSlice(access)) {
      Value accessed = accessedPointer(other);
      if (!accessed || other == access) continue;
      auto tensor = dyn_cast<RankedTensorType>(accessed.getType());
      if (!tensor || tensor.getShape() != shape || orderOf(axes.at(accessed)) != order) continue;
      perThread = std::max(perThread, elementsPerThread(other, order[0], axes, shape));
    }
  }
  auto share = static_cast<unsigned>(
      std::max<int64_t>(type.getNumElements() / (numWarps * threadsPerWarp), 1));
  perThread = std::min(perThread, share);
  // Stores wider than one instruction leave gaps between the lanes; loads find the gaps in the
  // cache.
  if (!isa<tt::LoadOp>(access)) perThread = std::min(perThread, own);
  SmallVector<unsigned> sizePerThread(type.getRank(), 1);
  sizePerThread[order[0]] = perThread;
  return ttg::spreadThreads(shape, sizePerThread, order, numWarps, threadsPerWarp,
                            ttg::CGAEncodingAttr::get1CTALayout(
                                access->getContext(), static_cast<unsigned>(order.size())));
}

} // namespace gluond::passes
