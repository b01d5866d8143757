#include "passes/rewrite/GreedyRewriter.h"

#include "passes/folds/ArithmeticFolds.h"
#include "support/Allowance.h"

#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>
#include <mlir/Transforms/FoldUtils.h>
#include <mlir/Transforms/RegionUtils.h>

namespace gluond::passes {
using namespace mlir;

namespace {

constexpr unsigned maxRounds = 10;

// Last in, first out; an op is in it at most once.
class Worklist {
public:
  void clear() {
    ops_.clear();
    index_.clear();
  }
  void push(Operation* op) {
    if (index_.try_emplace(op, ops_.size()).second) ops_.push_back(op);
  }
  void remove(Operation* op) {
    auto found = index_.find(op);
    if (found == index_.end()) return;
    ops_[found->second] = nullptr;
    index_.erase(found);
  }
  Operation* pop() { // null when empty
    while (!ops_.empty()) {
      Operation* op = ops_.pop_back_val();
      if (!op) continue;
      index_.erase(op);
      return op;
    }
    return nullptr;
  }

private:
  SmallVector<Operation*> ops_;
  DenseMap<Operation*, unsigned> index_;
};

class GreedyRewriter : public RewriterBase::Listener {
public:
  GreedyRewriter(Operation* top, const PatternTable& patterns, RewriteOptions options)
      : top_(top), patterns_(patterns), options_(options), rewriter_(top->getContext()) {
    rewriter_.setListener(this);
  }

  void run() {
    for (Region& region : top_->getRegions())
      runOn(region);
  }

private:
  void runOn(Region& region) {
    region_ = &region;
    for (unsigned round = 0; round < maxRounds; ++round) {
      fill();
      bool changed = process();
      changed |= hasBranches(region)
                     ? succeeded(simplifyRegions(rewriter_, region, /*mergeBlocks=*/true))
                     : eraseDead(region);
      if (!changed || isStopped_) break;
    }
  }

  void fill() {
    worklist_.clear();
    OperationFolder folder(top_->getContext(), this);
    region_->walk([&](Operation* op) {
      if (options_.uniqueConstants && op->hasTrait<OpTrait::ConstantLike>()) {
        Attribute value;
        if (matchPattern(op, m_Constant(&value)) && !folder.insertKnownConstant(op, value))
          return; // merged away
      }
      push(op);
    });
  }

  bool process() {
    bool changed = false;
    while (Operation* op = worklist_.pop()) {
      if ((++steps_ & 63) == 0 && Spending::isSpent()) {
        isStopped_ = true; // the IR is valid, and whoever runs the pass stops, too
        return changed;
      }
      if (isOpTriviallyDead(op)) {
        rewriter_.eraseOp(op);
        changed = true;
      } else {
        changed |= fold(op) || applyPatterns(op);
      }
    }
    return changed;
  }

  bool fold(Operation* op) {
    if (op->hasTrait<OpTrait::ConstantLike>()) return false;
    SmallVector<OpFoldResult, 2> results;
    if (failed(foldOperation(op, results))) return false;
    if (results.empty()) {
      notifyOperationModified(op);
      return true;
    }
    OpBuilder::InsertionGuard guard(rewriter_);
    rewriter_.setInsertionPoint(op);
    SmallVector<Value, 2> values;
    for (auto [result, type] : llvm::zip_equal(results, op->getResultTypes())) {
      if (auto value = dyn_cast<Value>(result)) {
        values.push_back(value);
        continue;
      }
      Operation* constant = op->getDialect()->materializeConstant(
          rewriter_, cast<Attribute>(result), type, op->getLoc());
      if (!constant) {
        eraseConstants(values);
        return false;
      }
      values.push_back(constant->getResult(0));
    }
    rewriter_.replaceOp(op, values);
    return true;
  }

  void eraseConstants(ValueRange values) {
    for (Value value : values)
      if (Operation* op = value.getDefiningOp();
          op && op->hasTrait<OpTrait::ConstantLike>() && op->use_empty())
        rewriter_.eraseOp(op);
  }

  bool applyPatterns(Operation* op) {
    for (const RewritePattern* pattern : patterns_.patternsFor(op->getName())) {
      rewriter_.setInsertionPoint(op);
      if (succeeded(pattern->matchAndRewrite(op, rewriter_))) return true;
    }
    return false;
  }

  static bool hasBranches(Region& region) {
    if (region.empty()) return false;
    if (!region.hasOneBlock()) return true;
    for (Operation& op : region.front())
      for (Region& nested : op.getRegions())
        if (hasBranches(nested)) return true;
    return false;
  }

  // The simplification of regions if all have one block: removes dead ops that were not visited
  // again. As in MLIR, values that the terminator of a dead op's region uses are still alive; they
  // are removed in the next round.
  bool eraseDead(Region& region) {
    bool anyDead =
        region
            .walk([](Operation* op) {
              return isOpTriviallyDead(op) ? WalkResult::interrupt() : WalkResult::advance();
            })
            .wasInterrupted();
    if (!anyDead) return false;
    DenseSet<Operation*> live;
    markLive(region, live);
    eraseUnless(live, region);
    return true;
  }
  static void markLive(Region& region, DenseSet<Operation*>& live) {
    for (Block& block : region)
      for (Operation& op : llvm::reverse(block)) {
        for (Region& nested : op.getRegions())
          markLive(nested, live);
        if (!wouldOpBeTriviallyDead(&op) ||
            llvm::any_of(op.getUsers(), [&](Operation* user) { return live.contains(user); }))
          live.insert(&op);
      }
  }
  void eraseUnless(const DenseSet<Operation*>& live, Region& region) {
    for (Block& block : region)
      for (Operation& op : llvm::make_early_inc_range(llvm::reverse(block))) {
        if (live.contains(&op)) {
          for (Region& nested : op.getRegions())
            eraseUnless(live, nested);
        } else {
          op.dropAllUses();
          rewriter_.eraseOp(&op);
        }
      }
  }

  // An op is worth another look together with the ops around it, outermost last in.
  void push(Operation* op) {
    SmallVector<Operation*, 8> around;
    for (Operation* each = op; each; each = each->getParentOp()) {
      around.push_back(each);
      if (each->getParentRegion() == region_) {
        for (Operation* scheduled : around)
          worklist_.push(scheduled);
        return;
      }
    }
  }

  // --- notifications from the patterns

  void notifyOperationInserted(Operation* op, OpBuilder::InsertPoint) override { push(op); }
  void notifyOperationModified(Operation* op) override { push(op); }
  void notifyOperationErased(Operation* op) override {
    for (Value operand : op->getOperands())
      if (Operation* definition = operand ? operand.getDefiningOp() : nullptr)
        if (!hasTwoOtherUsers(operand, op)) push(definition);
    worklist_.remove(op);
  }
  // With one user left there may be something new to do.
  static bool hasTwoOtherUsers(Value value, Operation* than) {
    Operation* other = nullptr;
    for (Operation* user : value.getUsers()) {
      if (user == than || user == other) continue;
      if (other) return true;
      other = user;
    }
    return false;
  }

  Operation* top_;
  const PatternTable& patterns_;
  RewriteOptions options_;
  PatternRewriter rewriter_;
  Region* region_ = nullptr;
  Worklist worklist_;
  unsigned steps_ = 0;
  bool isStopped_ = false;
};

} // namespace

void rewriteGreedily(Operation* top, const PatternTable& patterns, RewriteOptions options) {
  GreedyRewriter(top, patterns, options).run();
}

} // namespace gluond::passes
