// Checks and canonicalization of barriers and cluster ops.
#include "ir/layouts/Layouts.h"
#include "ir/ttng/ops/Checks.h"
#include "ir/ttng/ops/Patterns.h"
#include "layout/access/SharedAccess.h"

using namespace mlir;

namespace gluond::ttng {

using layout::Dim;

std::string formatCGA(ttg::CGAEncodingAttr cga) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << '[';
  llvm::interleaveComma(cga.getLinearLayout().bases(Dim::Block), os, [&](const auto& basis) {
    os << '[';
    llvm::interleaveComma(basis, os);
    os << ']';
  });
  os << ']';
  return text;
}

LogicalResult verifyBarrierCGA(Operation* op, Value barrier, ttg::CGAEncodingAttr expected,
                               StringRef name) {
  auto actual = ttg::getCGALayout(cast<ttg::MemDescType>(barrier.getType()).getEncoding());
  if (actual == expected) return success();
  return op->emitOpError() << name << " cga_layout must be " << formatCGA(expected) << ", got "
                           << formatCGA(actual);
}

LogicalResult verifyCompletionBarrier(Operation* op, Value barrier) {
  return verifyBarrierCGA(
      op, barrier, ttg::CGAEncodingAttr::get1DLayout(op->getContext(), ttg::lookupNumCTAs(op)),
      "completion barrier");
}

#define GLUOND_BARRIER_IS(OP, OPERAND)                                                             \
  TypedValue<ttg::MemDescType> OP::getBarrier() {                                                  \
    return get##OPERAND();                                                                         \
  }
GLUOND_BARRIER_IS(InitBarrierOp, Alloc)
GLUOND_BARRIER_IS(InvalBarrierOp, Alloc)
GLUOND_BARRIER_IS(BarrierExpectOp, Alloc)
GLUOND_BARRIER_IS(WaitBarrierOp, Alloc)
GLUOND_BARRIER_IS(ArriveBarrierOp, Alloc)
GLUOND_BARRIER_IS(AsyncSharedStoreOp, Mbarrier)
GLUOND_BARRIER_IS(CLCTryCancelOp, Mbarrier)
#undef GLUOND_BARRIER_IS

LogicalResult InitBarrierOp::verify() {
  if (getCount() < 1) return emitOpError("count must be greater than or equal to 1");
  // Between the barrier's making and its first use all CTAs that share it must meet, which they
  // cannot inside a partition.
  bool shared = getAlloc().getType().getShape()[0] != ttg::lookupNumCTAs(*this);
  if (shared && (*this)->getParentOfType<ttg::WarpSpecializeOp>())
    return emitOpError("cannot be used inside `ttg.warp_specialize`");
  return success();
}

static LogicalResult verifyFromCTA(Operation* op, Value barrier, std::optional<uint32_t> fromCTA) {
  if (!fromCTA) return success();
  uint32_t numCTAs = ttg::lookupNumCTAs(op);
  if (*fromCTA >= numCTAs) return op->emitOpError("fromCTA must be in the range [0, num_ctas - 1]");
  auto type = cast<ttg::MemDescType>(barrier.getType());
  if (type.getRank() != 1 || type.getNumElements() != numCTAs ||
      ttg::getCGALayout(type.getEncoding()) !=
          ttg::CGAEncodingAttr::get1DLayout(op->getContext(), numCTAs))
    return op->emitOpError("fromCTA requires a 1D barrier with one element per CTA and canonical "
                           "CGA layout");
  return success();
}

// That each CTA arrives for itself is the default, so this value is removed.
template <class Op> static LogicalResult canonicalizeArrival(Op op, PatternRewriter& rewriter) {
  if (succeeded(eraseIfIdle(op, rewriter))) return success();
  if (op.getFromCTA() != ttg::lookupNumCTAs(op) - 1) return failure();
  rewriter.modifyOpInPlace(op, [&] { op.setFromCTAAttr(IntegerAttr()); });
  return success();
}

LogicalResult BarrierExpectOp::verify() {
  return verifyFromCTA(*this, getAlloc(), getFromCTA());
}
LogicalResult BarrierExpectOp::canonicalize(BarrierExpectOp op, PatternRewriter& rewriter) {
  return canonicalizeArrival(op, rewriter);
}
LogicalResult WaitBarrierOp::canonicalize(WaitBarrierOp op, PatternRewriter& rewriter) {
  // The uses of `deps` stay, even of a wait that never happens.
  return op.getDeps().empty() ? eraseIfIdle(op, rewriter) : failure();
}
LogicalResult ArriveBarrierOp::canonicalize(ArriveBarrierOp op, PatternRewriter& rewriter) {
  return canonicalizeArrival(op, rewriter);
}

LogicalResult ArriveBarrierOp::verify() {
  if (getCount() < 1) return emitOpError("count must be greater than or equal to 1");
  uint32_t numCTAs = ttg::lookupNumCTAs(*this);
  if (isMulticast()) {
    if (numCTAs <= 1) return emitOpError("multicast arrive requires num_ctas > 1");
    if (getMulticastCTA() > numCTAs - 1) return emitOpError("multicastCTA exceeds numCTAs - 1");
    if (failed(verifyBarrierCGA(*this, getAlloc(),
                                ttg::CGAEncodingAttr::get1DLayout(getContext(), numCTAs),
                                "multicast barrier")))
      return failure();
  }
  if (failed(verifyFromCTA(*this, getAlloc(), getFromCTA()))) return failure();
  if (isMulticast() && getFromCTA() && *getFromCTA() != numCTAs - 1)
    return emitOpError("fromCTA cannot be combined with multicast arrive");
  return success();
}

LogicalResult AsyncSharedStoreOp::verify() {
  if (ttg::lookupNumCTAs(*this) < 2)
    return emitOpError("requires at least two CTAs in the cluster");
  auto source = getSrc().getType();
  auto destination = getDst().getType();
  if (!destination.getMutableMemory()) return emitOpError("cannot store into immutable memory");
  if (failed(ttg::verifyMemoryOpTypes(*this, source, destination))) return failure();

  // One message moves at least 32 bits.
  unsigned bits = tt::bitWidth(source.getElementType());
  const layout::LinearLayout& registers = ir::toLinearLayout(source);
  layout::LinearLayout shared = ir::toLinearLayout(destination);
  if (!registers.valid() || !shared.valid()) return success();
  auto toOffsets = registers.invertAndCompose(shared);
  if (!toOffsets) return success();
  std::optional<int64_t> most;
  if (auto padded = ttg::getPaddedEncoding(destination.getEncoding()))
    most = padded.getMinInterval();
  if (layout::widestSharedAccess(*toOffsets, bits, most).elements * bits < 32)
    return emitOpError("requires a layout vectorizing stores to at least 32 bits");
  return success();
}

static LogicalResult verifyMultiCTA(Operation* op) {
  if (ttg::lookupNumCTAs(op) > 1) return success();
  return op->emitOpError("requires ttg.num-ctas > 1");
}

LogicalResult FenceMBarrierInitReleaseClusterOp::verify() {
  return verifyMultiCTA(*this);
}

LogicalResult ClusterBarrierOp::verify() {
  if (failed(verifyMultiCTA(*this))) return failure();
  if (auto function = (*this)->getParentOfType<FunctionOpInterface>()) {
    if (function.isPublic()) return success();
    // A function that will be inlined into a kernel may have one.
    if (auto func = dyn_cast<tt::FuncOp>(function.getOperation())) {
      auto noinline = func->getAttrOfType<BoolAttr>("noinline");
      if (!noinline || !noinline.getValue()) return success();
    }
  }
  return emitOpError("must be inside a kernel function");
}

LogicalResult CLCTryCancelSyncOp::verify() {
  auto type = getResponse().getType();
  if (type.getRank() != 1) return emitOpError("response must be a rank-one tensor");
  if (type.getShape() != ArrayRef<int64_t>{2}) return emitOpError("response must have shape [2]");
  if (!type.getElementType().isInteger(64)) return emitOpError("response element type must be i64");
  return success();
}

static LogicalResult verifyCLCResult(Location loc, ttg::MemDescType type) {
  if (!type.getElementType().isInteger(64))
    return emitError(loc) << "Expected CLC result buffer to have type int64, but got"
                          << type.getElementType();
  if (type.getRank() != 1 || type.getDimSize(0) != 2)
    return emitError(loc) << "Expected CLC result buffer to have rank 1 and a single dimension "
                             "equal to 2, but got "
                          << type.getShape() << ".";
  if (!ttg::isContiguousSharedMemory(type))
    return emitError(loc)
           << "CLC result buffer must have a contiguous shared-memory layout without subviews";
  auto cga = ttg::getCGALayout(type.getEncoding());
  for (const auto& basis : cga.getLinearLayout().bases(Dim::Block))
    if (llvm::any_of(basis, [](int32_t v) { return v != 0; }))
      return emitError(loc) << "Expected CLC result buffer cga_layout bases to be all zeros. Got "
                            << formatCGA(cga);
  return success();
}

LogicalResult CLCTryCancelOp::verify() {
  if (failed(verifyCLCResult(getLoc(), getResult().getType()))) return failure();
  return verifyCompletionBarrier(*this, getMbarrier());
}
LogicalResult CLCLoadResultOp::verify() {
  return verifyCLCResult(getLoc(), getSrc().getType());
}

} // namespace gluond::ttng
