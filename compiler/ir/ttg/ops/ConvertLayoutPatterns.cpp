// Canonicalization around convert_layout: conversions merge with each other and with ops that can
// take or give any layout. All of them are patterns of convert_layout, so they run wherever its
// patterns do.
#include "ir/layouts/Layouts.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/ops/Patterns.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>

using namespace mlir;

namespace gluond::ttg {

namespace {

Attribute encoding(Value value) {
  return cast<RankedTensorType>(value.getType()).getEncoding();
}

bool isExpensiveView(Value from, Type to) {
  auto a = cast<RankedTensorType>(from.getType()), b = cast<RankedTensorType>(to);
  return ir::isExpensiveView(a.getShape(), a.getEncoding(), b.getShape(), b.getEncoding());
}

// Both layouts put every element in the same place: the conversion only renames.
bool isTrivial(ConvertLayoutOp op) {
  auto from = op.getSrc().getType();
  if (!from.getEncoding() || !op.getType().getEncoding()) return false;
  auto* interface = tt::inferLayout(from.getEncoding());
  return interface && succeeded(interface->verifyEqual(from.getShape(), from.getEncoding(),
                                                       op.getType().getEncoding(), std::nullopt));
}

bool isIota(ArrayRef<int32_t> order) {
  return llvm::equal(order, llvm::seq<int32_t>(0, static_cast<int32_t>(order.size())));
}

template <class Op> struct FromConvert : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter& rewriter) const final;
};

// reshape(cvt(x)) -> reshape(x), where order does not matter or the conversion only renames
template <>
LogicalResult FromConvert<tt::ReshapeOp>::matchAndRewrite(tt::ReshapeOp op,
                                                          PatternRewriter& rewriter) const {
  auto convert = op.getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!convert) return failure();
  if (!isTrivial(convert) &&
      (isExpensiveView(convert.getSrc(), op.getType()) || !op.getAllowReorder()))
    return failure();
  rewriter.replaceOpWithNewOp<tt::ReshapeOp>(op, op.getType(), convert.getSrc(),
                                             op.getAllowReorder(), op.getEfficientLayout());
  return success();
}

// trans(x) that changes nothing -> cvt(x); trans(cvt(x)) -> trans(x), where the conversion only
// renames
template <>
LogicalResult FromConvert<tt::TransOp>::matchAndRewrite(tt::TransOp op,
                                                        PatternRewriter& rewriter) const {
  if (isIota(op.getOrder())) {
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), op.getSrc());
    return success();
  }
  auto convert = op.getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!convert || !isTrivial(convert)) return failure();
  rewriter.replaceOpWithNewOp<tt::TransOp>(op, op.getType(), convert.getSrc(), op.getOrder());
  return success();
}

// gather(cvt(x), i) -> gather(x, i): the source goes through shared memory anyway, unless its
// layout was chosen
template <>
LogicalResult FromConvert<tt::GatherOp>::matchAndRewrite(tt::GatherOp op,
                                                         PatternRewriter& rewriter) const {
  auto convert = op.getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!convert || op.getEfficientLayout()) return failure();
  rewriter.replaceOpWithNewOp<tt::GatherOp>(op, convert.getSrc(), op.getIndices(), op.getAxis());
  return success();
}

// histogram(cvt(x)) -> histogram(x); a mask is converted instead
template <>
LogicalResult FromConvert<tt::HistogramOp>::matchAndRewrite(tt::HistogramOp op,
                                                            PatternRewriter& rewriter) const {
  auto convert = op.getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!convert) return failure();
  Value mask = op.getMask();
  if (mask)
    mask = ConvertLayoutOp::create(rewriter, op.getLoc(),
                                   tt::i1SameShape(convert.getSrc().getType()), mask);
  rewriter.replaceOpWithNewOp<tt::HistogramOp>(op, op.getType(), convert.getSrc(), mask);
  return success();
}

// local_alloc(cvt(x)) -> local_alloc(x), local_store(cvt(x)) -> local_store(x)
template <>
LogicalResult FromConvert<LocalAllocOp>::matchAndRewrite(LocalAllocOp op,
                                                         PatternRewriter& rewriter) const {
  auto convert = op.getSrc() ? op.getSrc().getDefiningOp<ConvertLayoutOp>() : ConvertLayoutOp();
  if (!convert) return failure();
  rewriter.replaceOpWithNewOp<LocalAllocOp>(op, op.getType(), convert.getSrc());
  return success();
}
template <>
LogicalResult FromConvert<LocalStoreOp>::matchAndRewrite(LocalStoreOp op,
                                                         PatternRewriter& rewriter) const {
  auto convert = op.getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!convert) return failure();
  rewriter.replaceOpWithNewOp<LocalStoreOp>(op, convert.getSrc(), op.getDst());
  return success();
}

// split(cvt(x)) -> split(x), where the halves have the same layout either way
template <>
LogicalResult FromConvert<tt::SplitOp>::matchAndRewrite(tt::SplitOp op,
                                                        PatternRewriter& rewriter) const {
  auto convert = op.getSrc().getDefiningOp<ConvertLayoutOp>();
  if (!convert || !encoding(convert.getSrc())) return failure();
  auto* interface = tt::inferLayout(encoding(convert.getSrc()));
  if (!interface) return failure();
  auto halves = interface->split(encoding(convert.getSrc()), convert.getSrc().getType().getShape(),
                                 std::nullopt);
  if (failed(halves) || *halves != encoding(op.getOutLHS())) return failure();
  rewriter.replaceOpWithNewOp<tt::SplitOp>(op, convert.getSrc());
  return success();
}

// cvt(op(...)) -> op(...) with the requested layout
template <>
LogicalResult FromConvert<ConvertLayoutOp>::matchAndRewrite(ConvertLayoutOp op,
                                                            PatternRewriter& rewriter) const {
  if (op.getType() == op.getSrc().getType()) {
    rewriter.replaceOp(op, op.getSrc());
    return success();
  }
  // Registers of a matrix unit become its operand without going through shared memory: leave that
  // visible.
  if (isa_and_nonnull<DotOperandEncodingAttr>(op.getType().getEncoding()) &&
      isa_and_nonnull<NvidiaMmaEncodingAttr>(encoding(op.getSrc())))
    return failure();
  Operation* source = op.getSrc().getDefiningOp();
  if (!source) return failure();

  if (auto reshape = dyn_cast<tt::ReshapeOp>(source)) {
    if (!reshape.getAllowReorder() || reshape.getEfficientLayout() ||
        isExpensiveView(reshape.getSrc(), op.getType()))
      return failure();
    // Operands of dots are packed by registers, which a reshape does not expect.
    if (isa_and_nonnull<DotOperandEncodingAttr>(encoding(op.getSrc())) ||
        isa_and_nonnull<DotOperandEncodingAttr>(op.getType().getEncoding()))
      return failure();
    rewriter.replaceOpWithNewOp<tt::ReshapeOp>(op, op.getType(), reshape.getResult(),
                                               reshape.getAllowReorder());
    return success();
  }
  if (auto histogram = dyn_cast<tt::HistogramOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::HistogramOp>(op, op.getType(), histogram.getSrc(),
                                                 histogram.getMask());
    return success();
  }
  if (auto load = dyn_cast<LocalLoadOp>(source)) {
    // Where the load was: something after it may overwrite the buffer.
    rewriter.setInsertionPoint(source);
    rewriter.replaceOpWithNewOp<LocalLoadOp>(op, op.getType(), load.getSrc(), load.getToken());
    return success();
  }
  if (auto cat = dyn_cast<tt::CatOp>(source)) {
    if (!op.getType().getEncoding() || !isLegalCatEncoding(cat, op.getType().getEncoding()))
      return failure();
    rewriter.replaceOpWithNewOp<tt::CatOp>(op, op.getType(), cat.getLhs(), cat.getRhs());
    return success();
  }
  if (auto convert = dyn_cast<ConvertLayoutOp>(source)) {
    rewriter.replaceOpWithNewOp<ConvertLayoutOp>(op, op.getType(), convert.getSrc());
    return success();
  }
  if (auto splat = dyn_cast<tt::SplatOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  if (auto range = dyn_cast<tt::MakeRangeOp>(source)) {
    rewriter.replaceOpWithNewOp<tt::MakeRangeOp>(op, op.getType(), range.getStartAttr(),
                                                 range.getEndAttr());
    return success();
  }
  if (auto constant = dyn_cast<arith::ConstantOp>(source))
    if (auto splat = dyn_cast<SplatElementsAttr>(constant.getValue())) {
      auto value =
          SplatElementsAttr::get(cast<ShapedType>(op.getType()), splat.getSplatValue<Attribute>());
      rewriter.replaceOpWithNewOp<arith::ConstantOp>(op, value);
      return success();
    }
  return failure();
}

} // namespace

bool isLegalCatEncoding(tt::CatOp cat, Attribute encoding) {
  auto unique = [](ArrayRef<int64_t> shape, Attribute layout) {
    const layout::LinearLayout& linear = ir::toLinearLayout(shape, layout);
    return linear.valid()
               ? linear.removeZeroBases(layout::Dim::Register).inSize(layout::Dim::Register)
               : 0;
  };
  auto operand = cat.getLhs().getType();
  return 2 * unique(operand.getShape(), operand.getEncoding()) ==
         unique(cat.getType().getShape(), encoding);
}

void ConvertLayoutOp::getCanonicalizationPatterns(RewritePatternSet& patterns,
                                                  MLIRContext* context) {
  patterns.add<FromConvert<ConvertLayoutOp>, FromConvert<tt::ReshapeOp>, FromConvert<tt::TransOp>,
               FromConvert<tt::GatherOp>, FromConvert<tt::HistogramOp>, FromConvert<LocalAllocOp>,
               FromConvert<LocalStoreOp>, FromConvert<tt::SplitOp>>(context);
  ttng::addTensorMemoryStoreOfConvert(patterns);
}

} // namespace gluond::ttg
