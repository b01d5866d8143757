#include "passes/canonicalize/ArithmeticPatterns.h"

#include "ir/tt/ReleaseInForce.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>

namespace gluond::passes {
using namespace mlir;

namespace {

std::optional<APInt> constantInt(Value value) {
  APInt found;
  if (matchPattern(value, m_ConstantInt(&found))) return found;
  return std::nullopt;
}

Value integer(PatternRewriter& rewriter, Location loc, Type type, const APInt& value) {
  return arith::ConstantOp::create(rewriter, loc, type, IntegerAttr::get(type, value));
}

// (x op c) op d = x op (c op d), for the bitwise operations on scalars: MLIR leaves tensors alone.
// Constants are on the right by now.
template <class Op> struct CombineConstants : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter& rewriter) const override {
    if (!op.getType().isIntOrIndex()) return failure();
    auto inner = op.getLhs().template getDefiningOp<Op>();
    auto outerConstant = constantInt(op.getRhs());
    if (!inner || !outerConstant) return failure();
    auto innerConstant = constantInt(inner.getRhs());
    if (!innerConstant) return failure();
    Value combined =
        integer(rewriter, op.getLoc(), op.getType(), apply(*innerConstant, *outerConstant));
    rewriter.replaceOpWithNewOp<Op>(op, inner.getLhs(), combined);
    return success();
  }
  static APInt apply(const APInt& a, const APInt& b) {
    if constexpr (std::is_same_v<Op, arith::AndIOp>) return a & b;
    if constexpr (std::is_same_v<Op, arith::OrIOp>) return a | b;
    if constexpr (std::is_same_v<Op, arith::XOrIOp>) return a ^ b;
  }
};

// select(a < b, a, b) = min(a, b), and its kin.
struct SelectOfCompare : OpRewritePattern<arith::SelectOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SelectOp select, PatternRewriter& rewriter) const override {
    auto compare = select.getCondition().getDefiningOp<arith::CmpIOp>();
    if (!compare) return failure();
    Value a = compare.getLhs(), b = compare.getRhs();
    bool straight = select.getTrueValue() == a && select.getFalseValue() == b;
    bool swapped = select.getTrueValue() == b && select.getFalseValue() == a;
    if (!straight && !swapped) return failure();
    if (tt::follows(releases::Rule::SelectsStay, select.getContext())) return failure();
    using P = arith::CmpIPredicate;
    switch (compare.getPredicate()) {
    case P::slt:
    case P::sle:
      return choose<arith::MinSIOp, arith::MaxSIOp>(select, straight, a, b, rewriter);
    case P::sgt:
    case P::sge:
      return choose<arith::MaxSIOp, arith::MinSIOp>(select, straight, a, b, rewriter);
    case P::ult:
    case P::ule:
      return choose<arith::MinUIOp, arith::MaxUIOp>(select, straight, a, b, rewriter);
    case P::ugt:
    case P::uge:
      return choose<arith::MaxUIOp, arith::MinUIOp>(select, straight, a, b, rewriter);
    default:
      return failure();
    }
  }
  template <class Straight, class Swapped>
  static LogicalResult choose(arith::SelectOp select, bool straight, Value a, Value b,
                              PatternRewriter& rewriter) {
    if (straight)
      rewriter.replaceOpWithNewOp<Straight>(select, a, b);
    else
      rewriter.replaceOpWithNewOp<Swapped>(select, a, b);
    return success();
  }
};

// Extending an integer before it becomes a float changes nothing but its type.
template <class ToFloat, class Extend, class Replacement>
struct ConvertUnextended : OpRewritePattern<ToFloat> {
  using OpRewritePattern<ToFloat>::OpRewritePattern;
  LogicalResult matchAndRewrite(ToFloat op, PatternRewriter& rewriter) const override {
    auto extend = op.getIn().template getDefiningOp<Extend>();
    if (!extend) return failure();
    rewriter.replaceOpWithNewOp<Replacement>(op, op.getType(), extend.getIn());
    return success();
  }
};

// x + -y = x - y, -x + y = y - x.
struct AddNegated : OpRewritePattern<arith::AddFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::AddFOp add, PatternRewriter& rewriter) const override {
    Value negated = add.getLhs(), x = add.getRhs();
    auto negation = negated.getDefiningOp<arith::NegFOp>();
    if (!negation) {
      std::swap(x, negated);
      negation = negated.getDefiningOp<arith::NegFOp>();
    }
    if (!negation || tt::follows(releases::Rule::NegatedSumsStay, add.getContext()))
      return failure();
    rewriter.replaceOpWithNewOp<arith::SubFOp>(add, x, negation.getOperand(), add.getFastmath());
    return success();
  }
};

// -0.0 - x = -x.
struct NegativeZeroMinus : OpRewritePattern<arith::SubFOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(arith::SubFOp sub, PatternRewriter& rewriter) const override {
    if (!matchPattern(sub.getLhs(), m_NegZeroFloat())) return failure();
    rewriter.replaceOpWithNewOp<arith::NegFOp>(sub, sub.getRhs(), sub.getFastmath());
    return success();
  }
};

} // namespace

void addArithmeticPatterns(RewritePatternSet& patterns) {
  using namespace arith;
  patterns.add<CombineConstants<AndIOp>, CombineConstants<OrIOp>, CombineConstants<XOrIOp>,
               SelectOfCompare, ConvertUnextended<SIToFPOp, ExtSIOp, SIToFPOp>,
               ConvertUnextended<SIToFPOp, ExtUIOp, UIToFPOp>,
               ConvertUnextended<UIToFPOp, ExtUIOp, UIToFPOp>, AddNegated, NegativeZeroMinus>(
      patterns.getContext(), 2);
}

} // namespace gluond::passes
