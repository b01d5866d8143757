// Answers what passes over a kernel's LLVM IR may move, and which analyses they preserve.
#pragma once

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/Analysis.h>
#include <llvm/IR/Instructions.h>

namespace gluond::backend {

// Returns the result of a pass that changes instructions, but neither blocks nor branches.
inline llvm::PreservedAnalyses keptAfter(bool hasChanged) {
  if (!hasChanged) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

// Whether the instruction computes the same wherever its operands are known: it touches no memory,
// cannot fail, and does not depend on which lanes run it.
inline bool isMovable(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return !llvm::isa<llvm::PHINode>(instruction) && !instruction.isTerminator() &&
         !instruction.mayReadOrWriteMemory() && llvm::isSafeToSpeculativelyExecute(&instruction) &&
         !(call && call->isConvergent());
}

} // namespace gluond::backend
