// Verifies that layouts fit their context: as many warps, lanes and CTAs as the surrounding
// code.
#include "ir/layouts/LayoutCache.h"
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "ir/ttg/ops/Interfaces.h"

using namespace mlir;

namespace gluond::ttg {

namespace {

// Ops known to work with generic linear layouts; others reject them.
bool takesGenericLayouts(Operation* op) {
  return op->hasTrait<OpTrait::Elementwise>() ||
         isa<tt::ExpandDimsOp, tt::ReshapeOp, tt::TransOp, tt::JoinOp, tt::SplitOp, tt::MakeRangeOp,
             tt::SplatOp, tt::BroadcastOp, tt::LoadOp, tt::StoreOp, tt::DotOp, tt::DotScaledOp,
             tt::CallOp, tt::ReturnOp, tt::FuncOp, tt::AssertOp, ConvertLayoutOp, Fp4ToFpOp,
             LocalLoadOp, LocalStoreOp>(op);
}

// Whether a blocked layout of one CTA, or slices of one, is made for this number of lanes and
// warps. It avoids the linear layout, which most kernels' types need for nothing else.
bool isPlainlyFor(Attribute layout, RankedTensorType type, unsigned lanes, unsigned warps) {
  auto rank = static_cast<unsigned>(type.getRank());
  while (auto slice = dyn_cast<SliceEncodingAttr>(layout)) {
    if (slice.getDim() > rank++) return false;
    layout = slice.getParent();
  }
  auto blocked = dyn_cast<BlockedEncodingAttr>(layout);
  auto product = [](ArrayRef<unsigned> factors) {
    uint64_t result = 1;
    for (unsigned factor : factors)
      result *= factor;
    return result;
  };
  return blocked && blocked.getOrder().size() == rank && getNumCTAs(blocked) == 1 &&
         product(blocked.getThreadsPerWarp()) == lanes &&
         product(blocked.getWarpsPerCTA()) == warps;
}

struct VerifyLayouts : tt::VerifyLayoutInterface {
  using VerifyLayoutInterface::VerifyLayoutInterface;

  static LogicalResult verifyCTAs(Attribute layout, unsigned expected, EmitError emitError) {
    unsigned got = getNumCTAs(layout);
    if (got == expected) return success();
    return emitError() << layout << ".\nLayout has " << got
                       << " CTAs per CGA, but the context requires " << expected
                       << " CTAs per CGA.";
  }

  // Caches successful checks: one look-up for each operand of almost every op.
  template <class Check> LogicalResult once(Type type, uint64_t context, Check check) const {
    auto& verified = static_cast<TTGDialect*>(getDialect())->layoutCache().verified;
    if (verified.contains({type, context})) return success();
    if (failed(check())) return failure();
    verified.insert({type, context});
    return success();
  }

  LogicalResult verifyTensor(Attribute layout, RankedTensorType type, Operation* op,
                             EmitError emitError) const final {
    // Whether an op supports generic layouts does not depend on its context alone.
    if (ir::isGenericLinear(layout) && !takesGenericLayouts(op))
      if (failed(verifyDistributed(layout, type, op, emitError, /*generic=*/true)))
        return failure();
    auto warps = lookupNumWarps(op);
    unsigned lanes = lookupThreadsPerWarp(op), ctas = lookupNumCTAs(op);
    uint64_t context =
        uint64_t(ctas) << 48 | uint64_t(lanes & 0xffff) << 32 | (warps ? *warps : 0xffffffffu);
    return once(type, context, [&]() -> LogicalResult {
      if (failed(verifyDistributed(layout, type, op, emitError, /*generic=*/false)))
        return failure();
      if (warps && isPlainlyFor(layout, type, lanes, *warps)) return success();
      const layout::LinearLayout& linear = ir::toLinearLayout(type);
      if (!linear.valid())
        return emitError() << layout << ".\nLayout does not fit a tensor of type " << type << ".";
      if (linear.inSize(layout::Dim::Lane) != lanes)
        return emitError() << layout << ".\nLayout has " << linear.inSize(layout::Dim::Lane)
                           << " threads per warp, but the module specifies " << lanes
                           << " threads per warp.";
      if (!warps)
        return emitError() << "Could not determine the number of warps per CTA. Operation is not "
                              "in a context with "
                              "`ttg.num-warps`.";
      if (linear.inSize(layout::Dim::Warp) != *warps)
        return emitError() << layout << ".\nLayout has " << linear.inSize(layout::Dim::Warp)
                           << " warps per CTA, but the context requires " << *warps
                           << " warps per CTA.";
      return success();
    });
  }

  // The checks that do not need the linear layout, in Triton's order.
  static LogicalResult verifyDistributed(Attribute layout, RankedTensorType type, Operation* op,
                                         EmitError emitError, bool generic) {
    if (auto any = dyn_cast<LayoutEncodingTrait>(layout)) {
      if (any.getRank() != type.getRank())
        return emitError() << "Layout has rank " << any.getRank()
                           << ", but the tensor it's attached to has rank " << type.getRank()
                           << ".";
      if (failed(verifyCTAs(layout, lookupNumCTAs(op), emitError))) return failure();
    }
    if (!isa<DistributedEncodingTrait>(layout))
      return emitError() << "Non-distributed layout is not allowed in tensor type.";
    if (generic)
      return emitError()
             << "Encoding not compatible with LinearEncodingAttr (e.g., swizzled warp bases or "
                "non-injective layout) is not supported on "
             << op->getName() << ".";
    if (!llvm::all_of(type.getShape(), [](int64_t size) {
          return size > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(size));
        }))
      return emitError() << "Layout has shape " << type.getShape()
                         << ", but the tensor it's attached to has shape " << type.getShape()
                         << " which is not a power of two.";
    return success();
  }

  LogicalResult verifyMemDesc(Attribute layout, Type type, Operation* op,
                              EmitError emitError) const final {
    auto memory = dyn_cast<MemDescType>(type);
    if (!memory) return emitError() << "Non-memdesc layout is not allowed in memdesc type.";
    unsigned ctas = lookupNumCTAs(op);
    return once(type, ctas, [&]() -> LogicalResult {
      if (auto any = dyn_cast<LayoutEncodingTrait>(layout)) {
        int64_t rank = any.getRank(), memoryRank = memory.getRank();
        if (rank != memoryRank && rank + 1 != memoryRank)
          return emitError()
                 << "Layout has rank " << rank << ", but the memdesc it's attached to has rank "
                 << memoryRank
                 << ". Memdesc rank must equal the layout rank or be exactly one greater for "
                    "multibuffering.";
        if (failed(verifyCTAs(layout, ctas, emitError))) return failure();
      }
      if (auto linear = dyn_cast<SharedLinearEncodingAttr>(layout)) {
        auto shape = dropPipeliningDim(memory.getAllocShape(), layout);
        auto sizes = linear.getLinearLayout().outSizes();
        if (shape != ArrayRef<int64_t>(sizes))
          return emitError() << layout << ".\nLayout has shape " << ArrayRef<int64_t>(sizes)
                             << ", but the memdesc type has shape " << shape << ".";
      }
      return success();
    });
  }
};

} // namespace

void addVerifyLayoutInterface(TTGDialect& dialect) {
  dialect.addInterfaces<VerifyLayouts>();
}

LogicalResult verifyMemDescLayouts(Operation* op) {
  return tt::verifyLayoutsOf(op, [op](Type type, auto emitError) -> LogicalResult {
    auto memory = dyn_cast<MemDescType>(type);
    if (!memory || !memory.getEncoding()) return success();
    auto* interface =
        memory.getEncoding().getDialect().getRegisteredInterface<tt::VerifyLayoutInterface>();
    return interface ? interface->verifyMemDesc(memory.getEncoding(), memory, op, emitError)
                     : success();
  });
}

} // namespace gluond::ttg
