// Folding, canonicalization and checks of casts, pointer arithmetic and inline code.
#include "ir/tt/Ops.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>

using namespace mlir;

namespace gluond::tt {

OpFoldResult BitcastOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType()) return getSrc();
  return {};
}

LogicalResult BitcastOp::verify() {
  Type to = getElementTypeOrSelf(getType()), from = getElementTypeOrSelf(getSrc());
  auto toPtr = dyn_cast<PointerType>(to), fromPtr = dyn_cast<PointerType>(from);
  if (toPtr && fromPtr) {
    if (toPtr.getAddressSpace() != fromPtr.getAddressSpace())
      return emitError("Cannot bitcast pointer between different address spaces");
    return success();
  }
  if (toPtr || fromPtr) return emitError("Cannot bitcast pointer to non-pointer type");
  unsigned toBits = bitWidth(to), fromBits = bitWidth(from);
  if (toBits != fromBits)
    return emitError("Cannot bitcast data-type of size ")
           << fromBits << " to data-type of size " << toBits;
  return success();
}

OpFoldResult FpToFpOp::fold(FoldAdaptor) {
  if (getSrc().getType() == getType()) return getSrc();
  // Only a zero is the same in every format.
  bool negative = matchPattern(getSrc(), m_NegZeroFloat());
  if (!negative && !matchPattern(getSrc(), m_PosZeroFloat())) return {};
  auto element = cast<FloatType>(getElementTypeOrSelf(getType()));
  APFloat zero = APFloat::getZero(element.getFloatSemantics(), negative);
  if (auto tensor = dyn_cast<RankedTensorType>(getType()))
    return DenseElementsAttr::get(tensor, zero);
  return FloatAttr::get(element, zero);
}

LogicalResult FpToFpOp::verify() {
  Type to = getElementTypeOrSelf(getType()), from = getElementTypeOrSelf(getSrc());
  if (bitWidth(to) < bitWidth(from) && !getRounding())
    return emitError("Rounding mode is required for FP downcast");
  return success();
}

OpFoldResult AddPtrOp::fold(FoldAdaptor adaptor) {
  if (matchPattern(adaptor.getOffset(), m_Zero())) return getPtr();
  return {};
}

namespace {

// int_to_ptr(ptr_to_int(p)) -> bitcast(p)
struct RoundTrip : OpRewritePattern<IntToPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IntToPtrOp op, PatternRewriter& rewriter) const final {
    auto source = op.getSrc().getDefiningOp<PtrToIntOp>();
    if (!source) return failure();
    rewriter.replaceOpWithNewOp<BitcastOp>(op, op.getType(), source.getSrc());
    return success();
  }
};

// int_to_ptr(x + bytes) -> addptr(int_to_ptr(x), bytes / size), where that divides evenly
struct ConstantOffset : OpRewritePattern<IntToPtrOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(IntToPtrOp op, PatternRewriter& rewriter) const final {
    auto add = op.getSrc().getDefiningOp<arith::AddIOp>();
    APInt bytes;
    if (!add || !matchPattern(add.getRhs(), m_ConstantInt(&bytes))) return failure();
    auto pointer = cast<PointerType>(getElementTypeOrSelf(op.getType()));
    int64_t size = std::max<int64_t>(1, bitWidth(pointer.getPointeeType()) / 8);
    if (bytes.getSExtValue() % size != 0) return failure();

    Value base = IntToPtrOp::create(rewriter, op.getLoc(), op.getType(), add.getLhs());
    TypedAttr elements =
        rewriter.getIntegerAttr(getElementTypeOrSelf(add.getRhs()), bytes.getSExtValue() / size);
    if (auto tensor = dyn_cast<RankedTensorType>(op.getType()))
      elements = SplatElementsAttr::get(cast<ShapedType>(tensor.clone(elements.getType())),
                                        Attribute(elements));
    Value offset = arith::ConstantOp::create(rewriter, op.getLoc(), elements);
    rewriter.replaceOpWithNewOp<AddPtrOp>(op, op.getType(), base, offset);
    return success();
  }
};

} // namespace

void IntToPtrOp::getCanonicalizationPatterns(RewritePatternSet& patterns, MLIRContext* context) {
  patterns.add<RoundTrip, ConstantOffset>(context);
}

template <class Op> static Speculation::Speculatability speculatability(Op op) {
  return op.getPure() ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

using Effects = SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>;

void ExternElementwiseOp::getEffects(Effects& effects) {
  if (getPure()) return;
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
}

Speculation::Speculatability ExternElementwiseOp::getSpeculatability() {
  return speculatability(*this);
}

void ElementwiseInlineAsmOp::getEffects(Effects& effects) {
  inlineAsmEffects(*this, getPure(), effects);
}

Speculation::Speculatability ElementwiseInlineAsmOp::getSpeculatability() {
  return speculatability(*this);
}

LogicalResult ElementwiseInlineAsmOp::verify() {
  if (static_cast<int32_t>(getPackedElement()) <= 0)
    return emitOpError("packed_element must be positive");
  // All tensors among operands and results agree; none at all is fine.
  RankedTensorType first;
  for (Type type :
       llvm::concat<Type>(llvm::to_vector(getOperandTypes()), llvm::to_vector(getResultTypes()))) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) continue;
    if (!first) first = tensor;
    if (tensor.getShape() != first.getShape())
      return emitOpError("requires matching tensor shapes");
    if (tensor.getEncoding() != first.getEncoding())
      return emitOpError("requires matching tensor encodings");
  }
  if (first && first.getNumElements() % getPackedElement() != 0)
    return emitError("number of input elements ")
           << first.getNumElements() << " must be a multiple of the op's packed_element attribute, "
           << getPackedElement();
  return verifyInlineAsmOperands(*this, getPure());
}

LogicalResult MapElementwiseOp::verify() {
  if (getOperands().empty())
    return emitOpError() << "MapElementwiseOp must have at least 1 operand";
  if (!llvm::isPowerOf2_32(getPack())) return emitOpError() << "Pack must be a power of 2";
  return success();
}

// Element types of `values`, each `pack` times in a row.
static SmallVector<Type> packedElementTypes(ValueRange values, unsigned pack) {
  SmallVector<Type> result;
  for (Value value : values)
    result.append(pack, getElementTypeOrSelf(value));
  return result;
}

LogicalResult MapElementwiseOp::verifyRegions() {
  if (getScalarOp().empty()) return emitOpError() << "region has wrong number of arguments";
  Block& entry = getScalarOp().front();
  if (entry.getNumArguments() != size_t(getNumOperands()) * getPack())
    return emitOpError() << "region has wrong number of arguments";
  if (entry.getArgumentTypes() != TypeRange(packedElementTypes(getOperands(), getPack())))
    return emitError() << "argument types did not match";
  SmallVector<Type> returned = packedElementTypes(getResults(), getPack());
  auto walk = getScalarOp().walk([&](Operation* op) -> WalkResult {
    // A store would run once per copy of an element.
    auto effects = dyn_cast<MemoryEffectOpInterface>(op);
    if (effects && effects.hasEffect<MemoryEffects::Write>())
      return op->emitOpError() << "Stores are not supported inside map_elementwise";
    if (isa<MapElementwiseReturnOp>(op) && op->getOperandTypes() != TypeRange(returned))
      return op->emitError() << "region return does not match map_elementwise result";
    return WalkResult::advance();
  });
  return success(!walk.wasInterrupted());
}

} // namespace gluond::tt
