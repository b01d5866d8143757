#include "backend/nvidia/rounding/ProductOrder.h"

#include "backend/PassHelpers.h"
#include "backend/nvidia/rounding/LibraryBranches.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::backend::nvidia {

namespace {

// The ranks of Reassociate, with or without the borders of blocks that Triton's code has.
class Ranks {
public:
  Ranks(llvm::Function& function, bool hasBorders) {
    uint64_t rank = 2;
    for (llvm::Argument& argument : function.args())
      ranks_[&argument] = ++rank;
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function)) {
      uint64_t here = ++rank << blockShift;
      for (llvm::Instruction& instruction : *block) {
        if (hasBorders && isFoundByBranch(instruction)) here = ++rank << blockShift;
        ranks_[&instruction] =
            llvm::mayHaveNonDefUseDependency(instruction) ? ++here : ofOperands(instruction);
      }
    }
  }
  uint64_t of(const llvm::Value* value) const { return ranks_.lookup(value); }

private:
  static constexpr unsigned blockShift = 16;

  uint64_t ofOperands(llvm::Instruction& instruction) const {
    uint64_t most = 0;
    for (const llvm::Value* operand : instruction.operands())
      most = std::max(most, of(operand));
    using namespace llvm::PatternMatch;
    bool isSign = match(&instruction, m_Not(m_Value())) || match(&instruction, m_Neg(m_Value())) ||
                  match(&instruction, m_FNeg(m_Value()));
    return isSign ? most : most + 1;
  }

  llvm::DenseMap<const llvm::Value*, uint64_t> ranks_;
};

bool isProduct(const llvm::Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && instruction->getOpcode() == llvm::Instruction::FMul;
}

} // namespace

llvm::PreservedAnalyses ProductOrder::run(llvm::Function& function,
                                          llvm::FunctionAnalysisManager&) {
  if (llvm::none_of(llvm::instructions(function), isFoundByBranch)) return keptAfter(false);
  Ranks own(function, false), tritons(function, true);
  bool hasChanged = false;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    if (each.getOpcode() != llvm::Instruction::FAdd) continue;
    llvm::Value *left = each.getOperand(0), *right = each.getOperand(1);
    if (!isProduct(left) || !isProduct(right)) continue;
    // Where both agree, Reassociate has decided, of the code as it was then.
    if (tritons.of(right) >= tritons.of(left) || own.of(right) < own.of(left)) continue;
    llvm::cast<llvm::BinaryOperator>(each).swapOperands();
    hasChanged = true;
  }
  return keptAfter(hasChanged);
}

} // namespace gluond::backend::nvidia
