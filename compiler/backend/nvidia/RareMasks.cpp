#include "backend/nvidia/RareMasks.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/ProfDataUtils.h>

namespace gluond::backend::nvidia {

namespace {

using Blocks = llvm::SmallPtrSet<llvm::BasicBlock*, 8>;

// The blocks that only a branch leads to which says that it hardly ever takes this way.
Blocks rareBlocks(llvm::Function& function) {
  constexpr uint64_t timesAsLikely = 8;
  Blocks rare;
  for (llvm::BasicBlock& block : function) {
    llvm::BasicBlock* before = block.getSinglePredecessor();
    auto* branch = before ? llvm::dyn_cast<llvm::BranchInst>(before->getTerminator()) : nullptr;
    uint64_t yes = 0, no = 0;
    if (!branch || !branch->isConditional() || !llvm::extractBranchWeights(*branch, yes, no))
      continue;
    bool isYes = branch->getSuccessor(0) == &block;
    if ((isYes ? yes : no) < (isYes ? no : yes) / timesAsLikely) rare.insert(&block);
  }
  return rare;
}

// Comparisons, masks of masks, and what is compared: a number at a distance.
bool isCheap(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::ICmpInst>(instruction)) return true;
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
  if (!operation || operation->isIntDivRem()) return false;
  return operation->getType()->isIntegerTy(1) ||
         (operation->getType()->isIntegerTy() &&
          llvm::isa<llvm::ConstantInt>(operation->getOperand(1)));
}

} // namespace

void sinkIntoRareBlocks(llvm::Function& function) {
  Blocks rare = rareBlocks(function);
  if (rare.empty()) return;
  for (llvm::BasicBlock* block : llvm::post_order(&function)) // users first
    for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::reverse(*block))) {
      auto isElsewhere = [&](llvm::Use& use) {
        auto* user = llvm::cast<llvm::Instruction>(use.getUser());
        return user->getParent() != block && !llvm::isa<llvm::PHINode>(user) &&
               rare.contains(user->getParent());
      };
      if (each.use_empty() || !isCheap(each) || !llvm::all_of(each.uses(), isElsewhere)) continue;
      llvm::SmallMapVector<llvm::BasicBlock*, llvm::Instruction*, 4> copies;
      for (llvm::Use& use : llvm::make_early_inc_range(each.uses())) {
        llvm::BasicBlock* there = llvm::cast<llvm::Instruction>(use.getUser())->getParent();
        llvm::Instruction*& copy = copies[there];
        if (!copy) {
          copy = each.clone();
          copy->insertBefore(*there, there->getFirstInsertionPt());
        }
        use.set(copy);
      }
      each.eraseFromParent();
    }
  // The back end would put these blocks behind all others, where a branch back from them looks like
  // that of a loop.
  for (llvm::BasicBlock* block : rare)
    block->getSinglePredecessor()->getTerminator()->setMetadata(llvm::LLVMContext::MD_prof,
                                                                nullptr);
}

} // namespace gluond::backend::nvidia
