#include "passes/canonicalize/DivisionPattern.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace gluond::passes {
using namespace mlir;

namespace {

bool isForNvidia(Operation* op) {
  auto module = op->getParentOfType<ModuleOp>();
  auto target = module ? module->getAttrOfType<StringAttr>(ttg::targetAttr) : StringAttr();
  return target && target.getValue().starts_with("cuda:");
}

bool hasNormalReciprocal(const APFloat& divisor) {
  if (!divisor.isNormal()) return false;
  APFloat reciprocal(divisor.getSemantics(), 1);
  reciprocal.divide(divisor, APFloat::rmNearestTiesToEven);
  return reciprocal.isNormal();
}

struct DivideByConstant : OpRewritePattern<arith::DivFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::DivFOp op, PatternRewriter& rewriter) const override {
    APFloat divisor(0.0f);
    if (!getElementTypeOrSelf(op.getType()).isF32() ||
        !matchPattern(op.getRhs(), m_ConstantFloat(&divisor)) || !hasNormalReciprocal(divisor) ||
        !isForNvidia(op))
      return failure();
    Location loc = op.getLoc();
    auto f32 = rewriter.getF32Type();
    auto tensor = dyn_cast<RankedTensorType>(op.getType());
    Value scalar = op.getRhs();
    if (tensor)
      scalar = arith::ConstantOp::create(rewriter, loc, rewriter.getFloatAttr(f32, divisor));
    Value one = arith::ConstantOp::create(rewriter, loc, rewriter.getF32FloatAttr(1));
    Value reciprocal = tt::ApproxDivFOp::create(rewriter, loc, one, scalar);
    if (tensor) reciprocal = tt::SplatOp::create(rewriter, loc, tensor, reciprocal);
    rewriter.replaceOpWithNewOp<arith::MulFOp>(op, op.getLhs(), reciprocal);
    return success();
  }
};

} // namespace

void addDivisionPattern(RewritePatternSet& patterns) {
  patterns.add<DivideByConstant>(patterns.getContext());
}

} // namespace gluond::passes
