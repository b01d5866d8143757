#include "gluond-amdgpu/passes/HoistBetweenMasks.h"

#include "backend/PassHelpers.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Instructions.h>

namespace gluond::amdgpu {

namespace {

llvm::Value* maskOf(const llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  return branch && branch->isConditional() ? branch->getCondition() : nullptr;
}

// The block that goes to `join` directly or through one other block, by the mask that `join` itself
// branches on; or null.
llvm::BasicBlock* earlierBranch(llvm::BasicBlock& join) {
  llvm::Value* mask = maskOf(join);
  if (!mask || !join.hasNPredecessors(2)) return nullptr;
  for (llvm::BasicBlock* under : llvm::predecessors(&join)) {
    llvm::BasicBlock* start = under->getSinglePredecessor();
    if (start && under->getSingleSuccessor() == &join && maskOf(*start) == mask &&
        llvm::is_contained(llvm::predecessors(&join), start))
      return start;
  }
  return nullptr;
}

} // namespace

llvm::PreservedAnalyses HoistBetweenMasksPass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager&) {
  bool hasChanged = false;
  // The last blocks first: what moves into a block that follows such a branch itself moves on.
  for (llvm::BasicBlock* join : llvm::post_order(&function)) {
    llvm::BasicBlock* start = earlierBranch(*join);
    if (!start) continue;
    auto isHere = [&](const llvm::Use& use) {
      auto* operand = llvm::dyn_cast<llvm::Instruction>(use);
      return operand && operand->getParent() == join;
    };
    for (llvm::Instruction& each : llvm::make_early_inc_range(*join)) {
      if (!backend::isMovable(each) || llvm::any_of(each.operands(), isHere)) continue;
      each.moveBefore(start->getTerminator()->getIterator());
      hasChanged = true;
    }
  }
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
