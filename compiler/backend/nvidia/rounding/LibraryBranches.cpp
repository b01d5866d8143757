#include "backend/nvidia/rounding/LibraryBranches.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>

namespace gluond::backend::nvidia {

bool isFoundByBranch(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call || !call->getType()->isFloatTy()) return false;
  if (auto* assembly = llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()))
    return llvm::StringRef(assembly->getAsmString()).contains(".approx.ftz.");
  const llvm::Function* callee = call->getCalledFunction();
  return callee && callee->getName().starts_with("llvm.nvvm.") &&
         callee->getName().contains(".ftz.");
}

} // namespace gluond::backend::nvidia
