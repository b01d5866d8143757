// Effects, checks and canonicalization of loads, stores, atomics and descriptor accesses.
#include "ir/tt/Ops.h"
#include "ir/tt/ops/Patterns.h"

#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>

using namespace mlir;

namespace gluond::tt {

LogicalResult eraseIfPredicateIsFalse(Operation* op, PatternRewriter& rewriter) {
  Value predicate = cast<PredicatedOpInterface>(op).getPredicateOperand();
  APInt value;
  if (!predicate || !matchPattern(predicate, m_ConstantInt(&value)) || !value.isZero())
    return failure();
  rewriter.eraseOp(op);
  return success();
}

void LoadOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>& effects) {
  effects.emplace_back(MemoryEffects::Read::get(), &getPtrMutable(), GlobalMemory::get());
  if (getIsVolatile()) effects.emplace_back(MemoryEffects::Write::get());
}

LogicalResult LoadOp::verify() {
  return verifyCachePolicy(*this, getCachePolicyAttr(), CachePolicyUse::Load);
}
LogicalResult StoreOp::verify() {
  return verifyCachePolicy(*this, getCachePolicyAttr(), CachePolicyUse::Store);
}

namespace {

std::optional<bool> constantMask(Value mask) {
  APInt value;
  if (!mask || !matchPattern(mask, m_ConstantInt(&value))) return std::nullopt;
  return !value.isZero();
}

// load(p, true, other) -> load(p); load(p, false, other) -> other
struct ConstantMaskLoad : OpRewritePattern<LoadOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(LoadOp op, PatternRewriter& rewriter) const final {
    auto mask = constantMask(op.getMask());
    if (!mask) return failure();
    if (*mask) {
      rewriter.replaceOpWithNewOp<LoadOp>(op, op.getType(), op.getPtr(), Value(), Value(),
                                          op.getCachePolicyAttr(), op.getIsVolatileAttr());
      return success();
    }
    if (!op.getOther()) return failure();
    rewriter.replaceOp(op, op.getOther());
    return success();
  }
};

// store(p, v, true) -> store(p, v); store(p, v, false) -> nothing
struct ConstantMaskStore : OpRewritePattern<StoreOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(StoreOp op, PatternRewriter& rewriter) const final {
    if (succeeded(eraseIfPredicateIsFalse(op, rewriter))) return success();
    auto mask = constantMask(op.getMask());
    if (!mask || !*mask) return failure();
    rewriter.replaceOpWithNewOp<StoreOp>(op, op.getPtr(), op.getValue(), Value(),
                                         op.getCachePolicyAttr(), op.getIgnoreCtaAttr());
    return success();
  }
};

} // namespace

void LoadOp::getCanonicalizationPatterns(RewritePatternSet& patterns, MLIRContext* context) {
  patterns.add<ConstantMaskLoad>(context);
}
void StoreOp::getCanonicalizationPatterns(RewritePatternSet& patterns, MLIRContext* context) {
  patterns.add<ConstantMaskStore>(context);
}

LogicalResult AtomicStoreOp::canonicalize(AtomicStoreOp op, PatternRewriter& rewriter) {
  return eraseIfPredicateIsFalse(op, rewriter);
}

LogicalResult AtomicLoadOp::verify() {
  if (getSem() != MemSemantic::ACQUIRE && getSem() != MemSemantic::RELAXED)
    return emitOpError("only supports acquire and relaxed semantics");
  return success();
}

LogicalResult AtomicStoreOp::verify() {
  if (getSem() != MemSemantic::RELEASE && getSem() != MemSemantic::RELAXED)
    return emitOpError("only supports release and relaxed semantics");
  return success();
}

LogicalResult AtomicPollOp::verify() {
  if (getSem() != MemSemantic::ACQUIRE && getSem() != MemSemantic::RELAXED)
    return emitOpError("only supports acquire and relaxed semantics");
  unsigned bits = bitWidth(getElementTypeOrSelf(getExpected()));
  if (bits != 16 && bits != 32 && bits != 64)
    return emitOpError("only supports integer elements with width {16, 32, 64}");
  return success();
}

LogicalResult verifyGatherScatterResult(Operation* op, ShapedType result, ShapedType indices) {
  if (indices.getRank() != 1)
    return op->emitOpError("x offsets must be a 1D tensor, but got ") << indices;
  if (result.getRank() != 2)
    return op->emitOpError("result must be a 2D tensor, but got ") << result;
  // TMA swizzles as matrix units do, which sets a smallest tile: 8 rows of 32 bytes.
  auto rows = static_cast<unsigned>(result.getShape()[0]),
       columns = static_cast<unsigned>(result.getShape()[1]);
  if (rows < 8) return op->emitOpError("must have at least 8 rows, but got ") << rows;
  Type element = result.getElementType();
  if (bitWidth(element) > 32) return op->emitOpError("TMA dtype cannot be greater than 32 bits");
  unsigned minColumns = 32 / bitWidth(element) * 8;
  if (columns < minColumns)
    return op->emitOpError("must have at least ")
           << minColumns << " columns for " << element << ", but got " << columns;
  if (result.getShape()[0] != indices.getShape()[0])
    return op->emitOpError("result tensor must have as many rows as indices (")
           << indices.getShape()[0] << "), but got " << result;
  return success();
}

LogicalResult verifyGatherScatter(Operation* op, ShapedType block, ShapedType result,
                                  ShapedType indices) {
  if (block.getRank() != 2)
    return op->emitOpError("descriptor block must be a 2D tensor, but got ") << block;
  if (block.getShape()[0] != 1)
    return op->emitOpError("descriptor block must have exactly 1 row, but got ") << block;
  if (failed(verifyGatherScatterResult(op, result, indices))) return failure();
  if (result.getShape()[1] != block.getShape()[1])
    return op->emitOpError("result tensor number of columns must match block (")
           << block.getShape()[1] << "), but got " << result;
  if (result.getElementType() != block.getElementType())
    return op->emitOpError("result tensor element type must match block (")
           << block.getElementType() << "), but got " << result;
  return success();
}

LogicalResult verifyDescriptorLoadStore(Operation* op, TensorDescInterface desc,
                                        ShapedType tensor) {
  RankedTensorType block = desc.getSignlessBlockType();
  if (block.getElementType() != tensor.getElementType())
    return op->emitOpError("descriptor block and tensor element types must match, but got "
                           "descriptor element type ")
           << block.getElementType() << " and tensor element type " << tensor.getElementType();
  auto blockElements = static_cast<unsigned>(block.getNumElements());
  auto tensorElements = static_cast<unsigned>(tensor.getNumElements());
  if (blockElements != tensorElements)
    return op->emitOpError("descriptor block and tensor must have the same number of elements, but "
                           "got descriptor "
                           "block with ")
           << blockElements << " elements tensor with " << tensorElements << " elements";
  return success();
}

LogicalResult DescriptorLoadOp::verify() {
  return verifyDescriptorLoadStore(*this, cast<TensorDescInterface>(Type(getDesc().getType())),
                                   getType());
}
LogicalResult DescriptorStoreOp::verify() {
  return verifyDescriptorLoadStore(*this, cast<TensorDescInterface>(Type(getDesc().getType())),
                                   getSrc().getType());
}
LogicalResult DescriptorReduceOp::verify() {
  return verifyDescriptorLoadStore(*this, cast<TensorDescInterface>(Type(getDesc().getType())),
                                   getSrc().getType());
}
LogicalResult DescriptorGatherOp::verify() {
  return verifyGatherScatter(*this, getDesc().getType().getSignlessBlockType(), getType(),
                             getXOffsets().getType());
}
LogicalResult DescriptorScatterOp::verify() {
  return verifyGatherScatter(*this, getDesc().getType().getSignlessBlockType(), getSrc().getType(),
                             getXOffsets().getType());
}

} // namespace gluond::tt
