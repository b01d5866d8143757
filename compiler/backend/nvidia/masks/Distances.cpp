#include "backend/nvidia/masks/Distances.h"

#include "backend/PassHelpers.h"
#include "backend/nvidia/masks/Comparison.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/KnownBits.h>

namespace gluond::backend::nvidia {

namespace {

// A comparison of  first + distance  with a bound.
struct Compared {
  llvm::ICmpInst* comparison = nullptr;
  llvm::APInt distance;
};

// What the numbers have in common: the first one, the bound, and whether that is inclusive.
using Key = std::pair<std::pair<llvm::Value*, llvm::Value*>, unsigned>;

class Measurer {
public:
  Measurer(llvm::Function& function, const llvm::DominatorTree& dominators)
      : function_(function), dominators_(dominators) {}

  bool run() {
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          comparison && comparison->getOperand(0)->getType()->isIntegerTy(32))
        note(*comparison);
    bool hasChanged = false;
    for (auto& [key, row] : rows_)
      if (row.size() >= fewest) hasChanged |= measure(key, row);
    return hasChanged;
  }

private:
  void note(llvm::ICmpInst& comparison) {
    auto compared = signedComparison(comparison);
    if (!compared) return;
    auto [low, high, isInclusive] = *compared;
    if (llvm::isa<llvm::Constant>(low) || llvm::isa<llvm::Constant>(high)) return;
    llvm::APInt distance(32, 0);
    auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(low);
    if (either && either->isDisjoint())
      if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(either->getOperand(1))) {
        low = either->getOperand(0);
        distance = constant->getValue();
      }
    if (distance.isNegative()) return;
    rows_[{{low, high}, isInclusive}].push_back({&comparison, distance});
  }

  bool measure(const Key& key, llvm::ArrayRef<Compared> row) {
    auto [first, bound] = key.first;
    bool isInclusive = key.second != 0;
    if (!llvm::computeKnownBits(first, function_.getDataLayout()).isNonNegative()) return false;
    PlaceBehind behind(function_, dominators_);
    behind.add(first);
    behind.add(bound);
    llvm::BasicBlock::iterator at = behind.place();
    llvm::IRBuilder<> b(at->getParent(), at);
    llvm::Value* reached =
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, bound, b.getInt32(isInclusive ? -1U : 0));
    llvm::Value* left = b.CreateNSWSub(reached, first);
    for (const Compared& each : row) {
      llvm::IRBuilder<> here(each.comparison);
      auto predicate = isInclusive ? llvm::CmpInst::ICMP_SGE : llvm::CmpInst::ICMP_SGT;
      llvm::Value* made = here.CreateICmp(predicate, left, here.getInt(each.distance));
      each.comparison->replaceAllUsesWith(made);
      each.comparison->eraseFromParent();
    }
    return true;
  }

  // Fewer masks than that are in predicates all the way.
  static constexpr size_t fewest = 9;
  llvm::Function& function_;
  const llvm::DominatorTree& dominators_;
  llvm::MapVector<Key, llvm::SmallVector<Compared>> rows_;
};

} // namespace

llvm::PreservedAnalyses Distances::run(llvm::Function& function,
                                       llvm::FunctionAnalysisManager& analyses) {
  return keptAfter(
      Measurer(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function)).run());
}

} // namespace gluond::backend::nvidia
