#include "gluond-amdgpu/passes/SwizzledOffsets.h"

#include "backend/PassHelpers.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::amdgpu {

namespace {

bool split(llvm::BinaryOperator& operation, const llvm::DataLayout& layout) {
  namespace match = llvm::PatternMatch;
  llvm::Value* number = nullptr;
  const llvm::APInt* constant = nullptr;
  if (!operation.getType()->isIntegerTy() ||
      !match::match(&operation, match::m_Xor(match::m_Value(number), match::m_APInt(constant))) ||
      constant->isNegative()) // a complement
    return false;
  llvm::APInt added = *constant & llvm::computeKnownBits(number, layout).Zero;
  llvm::APInt kept = *constant & ~added;
  if (added.isZero() || kept.isZero()) return false;
  llvm::IRBuilder<> b(&operation);
  operation.replaceAllUsesWith(b.CreateOr(b.CreateXor(number, b.getInt(kept)), b.getInt(added), "",
                                          /*IsDisjoint=*/true));
  operation.eraseFromParent();
  return true;
}

} // namespace

llvm::PreservedAnalyses SwizzledOffsetsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  bool hasChanged = false;
  const llvm::DataLayout& layout = function.getDataLayout();
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function)))
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&each))
      hasChanged |= split(*operation, layout);
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
