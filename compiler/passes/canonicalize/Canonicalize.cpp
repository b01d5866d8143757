#include "passes/canonicalize/Canonicalize.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Dialect.h"
#include "passes/canonicalize/ArithmeticPatterns.h"
#include "passes/canonicalize/RegionPatterns.h"
#include "passes/rewrite/GreedyRewriter.h"
#include "passes/scalar/DeadLoopArguments.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlow.h>

namespace gluond::passes {
using namespace mlir;

namespace {

template <class Dialect> void addDialect(RewritePatternSet& patterns) {
  auto* context = patterns.getContext();
  auto* dialect = context->getOrLoadDialect<Dialect>();
  dialect->getCanonicalizationPatterns(patterns);
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (&op.getDialect() == dialect) op.getCanonicalizationPatterns(patterns, context);
}

template <class... Ops> void addOps(RewritePatternSet& patterns) {
  (Ops::getCanonicalizationPatterns(patterns, patterns.getContext()), ...);
}

} // namespace

PatternTable canonicalizationPatterns(MLIRContext& context) {
  RewritePatternSet patterns(&context);
  addDialect<arith::ArithDialect>(patterns);
  addArithmeticPatterns(patterns);
  addStructuredControlFlowPatterns(patterns);
  addDialect<cf::ControlFlowDialect>(patterns);
  addDialect<ttng::TTNGDialect>(patterns);
  addOps<tt::LoadOp, tt::StoreOp, tt::AtomicStoreOp, tt::BroadcastOp, tt::ExpandDimsOp,
         tt::ReshapeOp, tt::IntToPtrOp, ttg::WarpSpecializeOp, ttg::WarpSpecializePartitionsOp>(
      patterns);
  return PatternTable(std::move(patterns));
}

PatternTable controlFlowPatterns(MLIRContext& context) {
  RewritePatternSet patterns(&context);
  addStructuredControlFlowPatterns(patterns);
  addDialect<cf::ControlFlowDialect>(patterns);
  return PatternTable(std::move(patterns));
}

PatternTable loopPatterns(MLIRContext& context) {
  RewritePatternSet patterns(&context);
  addLoopPatterns(patterns);
  return PatternTable(std::move(patterns));
}

void canonicalize(Operation* top, const PatternTable& patterns) {
  forwardDeadLoopArguments(top);
  rewriteGreedily(top, patterns);
}

} // namespace gluond::passes
