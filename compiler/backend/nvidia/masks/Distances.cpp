#include "backend/nvidia/masks/Distances.h"

#include "backend/PassHelpers.h"

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

// What the numbers have in common: the first one, the bound, and the order (SLT or SLE).
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
    if (!comparison.isSigned()) return;
    llvm::Value *low = comparison.getOperand(0), *high = comparison.getOperand(1);
    llvm::CmpInst::Predicate predicate = comparison.getPredicate();
    if (llvm::ICmpInst::isGT(predicate) || llvm::ICmpInst::isGE(predicate)) {
      std::swap(low, high);
      predicate = llvm::CmpInst::getSwappedPredicate(predicate);
    }
    if (llvm::isa<llvm::Constant>(low) || llvm::isa<llvm::Constant>(high)) return;
    llvm::APInt distance(32, 0);
    auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(low);
    if (either && either->isDisjoint())
      if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(either->getOperand(1))) {
        low = either->getOperand(0);
        distance = constant->getValue();
      }
    if (distance.isNegative()) return;
    rows_[{{low, high}, predicate}].push_back({&comparison, distance});
  }

  bool measure(const Key& key, llvm::ArrayRef<Compared> row) {
    auto [first, bound] = key.first;
    bool isInclusive = key.second == llvm::CmpInst::ICMP_SLE;
    if (!llvm::computeKnownBits(first, function_.getDataLayout()).isNonNegative()) return false;
    llvm::Instruction* last = nullptr;
    for (llvm::Value* value : {first, bound})
      if (auto* made = llvm::dyn_cast<llvm::Instruction>(value);
          made && (!last || dominators_.dominates(last, made)))
        last = made;
    llvm::BasicBlock::iterator at =
        last ? *last->getInsertionPointAfterDef() : function_.getEntryBlock().getFirstInsertionPt();
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
