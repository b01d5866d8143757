#include "passes/scalar/LoopAwareCse.h"

#include "passes/rewrite/GreedyRewriter.h"
#include "passes/scalar/CommonSubexpressions.h"
#include "support/Allowance.h"

#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/IR/Dominance.h>
#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::passes {
using namespace mlir;

namespace {

class CarriedEquality {
public:
  explicit CarriedEquality(scf::ForOp loop) : loop_(loop) {}

  bool areEqual(unsigned i, unsigned j) {
    if (i == j) return true;
    if (loop_.getInitArgs()[i] != loop_.getInitArgs()[j]) return false;
    if (llvm::is_contained(assumed_, std::pair(i, j))) return true;
    assumed_.emplace_back(i, j);
    bool equal = areEqual(loop_.getYieldedValues()[i], loop_.getYieldedValues()[j]);
    assumed_.pop_back();
    return equal;
  }

private:
  bool areEqual(Value a, Value b) {
    if (a == b) return true;
    if (a.getType() != b.getType()) return false;
    // Shared values are compared each time, and chains can be as long as the loop.
    if (left_ == 0 || depth_ > mostDepth) return false;
    if (--left_ % 1024 == 0 && Spending::isSpent()) left_ = 0; // whoever runs the pass stops, too
    ++depth_;
    bool equal = areMadeEqually(a, b);
    --depth_;
    return equal;
  }
  bool areMadeEqually(Value a, Value b) {
    // Equal values from outside are one value by now.
    if (a.getParentBlock() != loop_.getBody() || b.getParentBlock() != loop_.getBody())
      return false;
    Value induction = loop_.getInductionVar();
    if (isa<BlockArgument>(a) != isa<BlockArgument>(b) || a == induction || b == induction)
      return false;
    if (auto argument = dyn_cast<BlockArgument>(a))
      return areEqual(argument.getArgNumber() - 1, cast<BlockArgument>(b).getArgNumber() - 1);
    if (cast<OpResult>(a).getResultNumber() != cast<OpResult>(b).getResultNumber()) return false;
    Operation *left = a.getDefiningOp(), *right = b.getDefiningOp();
    if (!isMemoryEffectFree(left) || !isMemoryEffectFree(right)) return false;
    if (left->getNumRegions() || right->getNumRegions()) return false;
    return OperationEquivalence::isEquivalentTo(
        left, right, [&](Value x, Value y) { return success(areEqual(x, y)); },
        /*markEquivalent=*/nullptr, OperationEquivalence::IgnoreLocations);
  }

  static constexpr unsigned mostDepth = 1000;
  unsigned left_ = 1'000'000, depth_ = 0;
  scf::ForOp loop_;
  SmallVector<std::pair<unsigned, unsigned>>
      assumed_; // by induction, while their yields are compared
};

void mergeCarried(scf::ForOp loop) {
  unsigned count = loop.getNumRegionIterArgs();
  SmallVector<unsigned> leader = llvm::to_vector(llvm::seq(count)); // the first of each class
  CarriedEquality equality(loop);
  auto find = [&](unsigned i) {
    while (leader[i] != i)
      i = leader[i];
    return i;
  };
  for (unsigned i = 0; i < count; ++i)
    for (unsigned j = i + 1; j < count; ++j)
      if (equality.areEqual(i, j)) {
        unsigned a = find(i), b = find(j);
        leader[std::max(a, b)] = std::min(a, b);
      }
  for (unsigned j = 0; j < count; ++j) {
    unsigned first = find(j);
    if (first == j) continue;
    BlockArgument other = loop.getRegionIterArg(j);
    other.replaceAllUsesWith(loop.getRegionIterArg(first));
    (*loop.getYieldedValuesMutable())[j].set(other); // carried unchanged: canonicalization drops it
    loop.getResult(j).replaceAllUsesWith(loop.getResult(first));
  }
}

} // namespace

void eliminateCommonSubexpressions(ModuleOp module, const PatternTable& loopPatterns) {
  DominanceInfo dominance(module);
  mergeEqualOps(module, dominance);
  module.walk(mergeCarried);
  // Again, even without loops: each run also drops dead ops, but only those whose users it has
  // already passed.
  mergeEqualOps(module, dominance);
  rewriteGreedily(module, loopPatterns);
}

} // namespace gluond::passes
