#include "gluond-amdgpu/passes/UniformBits.h"

#include "backend/PassHelpers.h"

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::amdgpu {

namespace {

// The instructions whose operands are scalar registers, up to 16 words of them.
bool copiesTensors(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call && llvm::is_contained({llvm::Intrinsic::amdgcn_tensor_load_to_lds,
                                     llvm::Intrinsic::amdgcn_tensor_load_to_lds_d2,
                                     llvm::Intrinsic::amdgcn_tensor_store_from_lds,
                                     llvm::Intrinsic::amdgcn_tensor_store_from_lds_d2},
                                    call->getIntrinsicID());
}

} // namespace

llvm::PreservedAnalyses UniformBitsPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  if (llvm::none_of(llvm::instructions(function), copiesTensors))
    return llvm::PreservedAnalyses::all();
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  llvm::SmallVector<llvm::ZExtInst*> found;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* word = llvm::dyn_cast<llvm::ZExtInst>(&instruction);
        word && word->getSrcTy()->isIntegerTy(1) && word->getType()->isIntegerTy(32) &&
        uniformity.isUniform(word))
      found.push_back(word);
  for (llvm::ZExtInst* word : found) {
    llvm::IRBuilder<> b(word);
    // A bit for each lane that runs: the chips with these copies have 32.
    llvm::Value* lanes =
        b.CreateIntrinsic(llvm::Intrinsic::amdgcn_ballot, {b.getInt32Ty()}, {word->getOperand(0)});
    word->replaceAllUsesWith(b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, lanes, b.getInt32(1)));
    word->eraseFromParent();
  }
  return backend::keptAfter(!found.empty());
}

} // namespace gluond::amdgpu
