#include "passes/canonicalize/RegionPatterns.h"

#include "passes/analysis/LoopBounds.h"

#include <llvm/ADT/EquivalenceClasses.h>
#include <llvm/ADT/MapVector.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Matchers.h>

namespace gluond::passes {
using namespace mlir;

namespace {

std::optional<bool> constantBool(Value value) {
  APInt found;
  if (!matchPattern(value, m_ConstantInt(&found))) return std::nullopt;
  return !found.isZero();
}

//===----------------------------------------------------------------------===//
// scf.for: values through the loop
//===----------------------------------------------------------------------===//

// The sources of a loop-carried argument and of the result at the same index.
struct CarriedSources {
  bool initReachesArgument, initReachesResult, yieldReachesArgument, yieldReachesResult;
  explicit CarriedSources(scf::ForOp loop) {
    auto count = tripCount(loop);
    initReachesArgument = !count || *count > 0;
    initReachesResult = !count || *count == 0;
    yieldReachesArgument = !count || *count > 1;
    yieldReachesResult = true;
  }
};

// Each argument and result with the operands that may flow into it, in the order of the edges.
using Sources = llvm::MapVector<Value, SmallVector<OpOperand*, 2>>;

Sources sourcesOf(scf::ForOp loop) {
  CarriedSources flow(loop);
  Sources sources;
  auto inits = loop.getInitArgsMutable();
  auto yields = *loop.getYieldedValuesMutable();
  auto connect = [&](MutableArrayRef<OpOperand> operands, ValueRange targets) {
    for (auto [operand, target] : llvm::zip(operands, targets))
      sources[target].push_back(&operand);
  };
  if (flow.initReachesArgument) connect(inits, loop.getRegionIterArgs());
  if (flow.initReachesResult) connect(inits, loop.getResults());
  if (flow.yieldReachesArgument) connect(yields, loop.getRegionIterArgs());
  if (flow.yieldReachesResult) connect(yields, loop.getResults());
  return sources;
}

// The one value, not itself carried, that `value` always has; null where there are several.
Value soleSource(Value value, const Sources& sources) {
  Value sole;
  llvm::SmallDenseSet<Value, 8> seen;
  SmallVector<Value> pending{value};
  while (!pending.empty()) {
    Value next = pending.pop_back_val();
    auto found = sources.find(next);
    if (found == sources.end()) {
      if (sole && sole != next) return {};
      sole = next;
      continue;
    }
    for (OpOperand* operand : found->second)
      if (seen.insert(operand->get()).second) pending.push_back(operand->get());
  }
  return sole;
}

// Whether `source` is visible where `value`, an argument or result of `loop`, is.
bool isVisibleFor(scf::ForOp loop, Value source, Value value) {
  if (source.getParentRegion() != &loop.getRegion()) return true;
  return isa<BlockArgument>(value) && isa<BlockArgument>(source);
}

struct ForwardSoleSource : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter& rewriter) const override {
    Sources sources = sourcesOf(loop);
    bool changed = false;
    for (auto& entry : sources) {
      Value value = entry.first;
      if (value.use_empty()) continue;
      Value sole = soleSource(value, sources);
      if (!sole || !isVisibleFor(loop, sole, value)) continue;
      rewriter.replaceAllUsesWith(value, sole);
      changed = true;
    }
    return success(changed);
  }
};

// Two arguments (or results) fed the same values by every edge are one.
struct MergeEqualCarried : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter& rewriter) const override {
    CarriedSources flow(loop);
    auto inits = loop.getInitArgs();
    auto yields = loop.getYieldedValues();
    bool changed = false;
    auto merge = [&](ValueRange values, unsigned i, unsigned j, bool init, bool yield) {
      if (values[j].use_empty() || !(init || yield)) return;
      if ((init && inits[i] != inits[j]) || (yield && yields[i] != yields[j])) return;
      rewriter.replaceAllUsesWith(values[j], values[i]);
      changed = true;
    };
    for (unsigned i = 0; i < inits.size(); ++i)
      for (unsigned j = i + 1; j < inits.size(); ++j) {
        merge(loop.getRegionIterArgs(), i, j, flow.initReachesArgument, flow.yieldReachesArgument);
        merge(loop.getResults(), i, j, flow.initReachesResult, flow.yieldReachesResult);
      }
    return success(changed);
  }
};

// Removes a carried value whose argument and result are both unused, with its init and its
// yield.
struct DropUnreadCarried : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter& rewriter) const override {
    unsigned count = loop.getInitArgs().size();
    BitVector dead(count);
    for (unsigned i = 0; i < count; ++i)
      dead[i] = loop.getRegionIterArg(i).use_empty() && loop.getResult(i).use_empty();
    if (dead.none()) return failure();
    auto shifted = [&](unsigned by) {
      BitVector bits(by);
      for (unsigned i = 0; i < count; ++i)
        bits.push_back(dead[i]);
      return bits;
    };
    Operation* yield = loop.getBody()->getTerminator();
    rewriter.modifyOpInPlace(loop,
                             [&] { loop->eraseOperands(shifted(loop.getNumControlOperands())); });
    rewriter.modifyOpInPlace(yield, [&] { yield->eraseOperands(dead); });
    rewriter.modifyOpInPlace(
        loop, [&] { loop.getBody()->eraseArguments(shifted(loop.getNumInductionVars())); });
    rewriter.eraseOpResults(loop, dead);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// Inlining the only way through an op
//===----------------------------------------------------------------------===//

// The region that is entered exactly once, or none if the op does nothing.
struct OnlyWay {
  Region* region = nullptr;
  ValueRange arguments; // for the region's block
  ValueRange results;   // where there is no region
};

std::optional<OnlyWay> onlyWay(scf::IfOp op) {
  auto condition = constantBool(op.getCondition());
  if (!condition) return std::nullopt;
  Region& taken = *condition ? op.getThenRegion() : op.getElseRegion();
  return OnlyWay{taken.empty() ? nullptr : &taken, {}, {}};
}

std::optional<OnlyWay> onlyWay(scf::WhileOp op) {
  auto condition = constantBool(op.getConditionOp().getCondition());
  if (!condition || *condition) return std::nullopt;
  return OnlyWay{&op.getBefore(), op.getInits(), {}};
}

std::optional<OnlyWay> onlyWay(scf::IndexSwitchOp op) {
  APInt value;
  if (!matchPattern(op.getArg(), m_ConstantInt(&value))) return std::nullopt;
  for (auto [number, region] : llvm::zip(op.getCases(), op.getCaseRegions()))
    if (value.getSExtValue() == number) return OnlyWay{&region, {}, {}};
  return OnlyWay{&op.getDefaultRegion(), {}, {}};
}

std::optional<OnlyWay> onlyWay(scf::ExecuteRegionOp op) {
  if (op.getNoInline() || !op.getRegion().hasOneBlock()) return std::nullopt;
  return OnlyWay{&op.getRegion(), {}, {}};
}

ValueRange leavingValues(Operation* terminator) {
  ValueRange operands = terminator->getOperands();
  return isa<scf::ConditionOp>(terminator) ? operands.drop_front() : operands;
}

template <class Op> struct InlineOnlyWay : OpRewritePattern<Op> {
  using OpRewritePattern<Op>::OpRewritePattern;
  LogicalResult matchAndRewrite(Op op, PatternRewriter& rewriter) const override {
    auto way = onlyWay(op);
    if (!way) return failure();
    if (!way->region) {
      rewriter.replaceOp(op, way->results);
      return success();
    }
    Block* block = &way->region->front();
    Operation* terminator = block->getTerminator();
    // The values that leave may be arguments of the block: read them after inlining has replaced
    // those.
    rewriter.inlineBlockBefore(block, op, way->arguments);
    SmallVector<Value> results(leavingValues(terminator));
    rewriter.eraseOp(terminator);
    rewriter.replaceOp(op, results);
    return success();
  }
};

struct InlineTrivialLoop : OpRewritePattern<scf::ForOp> {
  using OpRewritePattern::OpRewritePattern;
  LogicalResult matchAndRewrite(scf::ForOp loop, PatternRewriter& rewriter) const override {
    auto count = tripCount(loop);
    if (!count || *count > 1) return failure();
    if (*count == 0) {
      rewriter.replaceOp(loop, loop.getInitArgs());
      return success();
    }
    SmallVector<Value> arguments{loop.getLowerBound()};
    llvm::append_range(arguments, loop.getInitArgs());
    Block* body = loop.getBody();
    Operation* yield = body->getTerminator();
    // The yielded values may be arguments of the body: read them after inlining has replaced those.
    rewriter.inlineBlockBefore(body, loop, arguments);
    SmallVector<Value> results(yield->getOperands());
    rewriter.eraseOp(yield);
    rewriter.replaceOp(loop, results);
    return success();
  }
};

//===----------------------------------------------------------------------===//
// The set
//===----------------------------------------------------------------------===//

// Patterns of MLIR 22 that 24 replaced, by the op and the end of the pattern's name.
struct Outdated {
  StringRef op, pattern;
};
constexpr Outdated outdated[] = {
    {"scf.for", "SimplifyTrivialLoops"},
    {"scf.for", "MakeRegionBranchOpSuccessorInputsDead"},
    {"scf.for", "RemoveDuplicateSuccessorInputUses"},
    {"scf.for", "RemoveDeadRegionBranchOpSuccessorInputs"},
    {"scf.if", "RemoveStaticCondition"},
    {"scf.index_switch", "FoldConstantCase"},
    {"scf.execute_region", "SingleBlockExecuteInliner"},
};

bool isOutdated(const RewritePattern& pattern) {
  auto root = pattern.getRootKind();
  return root && llvm::any_of(outdated, [&](const Outdated& row) {
           return root->getStringRef() == row.op && pattern.getDebugName().ends_with(row.pattern);
         });
}

// Moves those of `library` that Triton's MLIR still has.
void takeCurrent(RewritePatternSet& library, RewritePatternSet& patterns) {
  for (auto& pattern : library.getNativePatterns())
    if (!isOutdated(*pattern)) patterns.add(std::move(pattern));
}

} // namespace

void addLoopPatterns(RewritePatternSet& patterns) {
  RewritePatternSet library(patterns.getContext());
  scf::ForOp::getCanonicalizationPatterns(library, patterns.getContext());
  takeCurrent(library, patterns);
  patterns.add<ForwardSoleSource, MergeEqualCarried, DropUnreadCarried, InlineTrivialLoop>(
      patterns.getContext());
}

void addStructuredControlFlowPatterns(RewritePatternSet& patterns) {
  auto* context = patterns.getContext();
  RewritePatternSet library(context);
  auto* dialect = context->getOrLoadDialect<scf::SCFDialect>();
  dialect->getCanonicalizationPatterns(library);
  // getRegisteredOperationsByDialect("scf") finds nothing in MLIR 22: it compares whole names.
  for (RegisteredOperationName op : context->getRegisteredOperations())
    if (&op.getDialect() == dialect && op.getStringRef() != scf::ForOp::getOperationName())
      op.getCanonicalizationPatterns(library, context);
  takeCurrent(library, patterns);
  addLoopPatterns(patterns);
  patterns.add<InlineOnlyWay<scf::IfOp>, InlineOnlyWay<scf::WhileOp>,
               InlineOnlyWay<scf::IndexSwitchOp>, InlineOnlyWay<scf::ExecuteRegionOp>>(context);
}

} // namespace gluond::passes
