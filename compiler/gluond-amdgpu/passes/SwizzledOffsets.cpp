#include "gluond-amdgpu/passes/SwizzledOffsets.h"

#include "backend/PassHelpers.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Support/KnownBits.h>

namespace gluond::amdgpu {

namespace {

namespace match = llvm::PatternMatch;

bool splitExclusive(llvm::BinaryOperator& operation, const llvm::DataLayout& layout) {
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

// Among what is computed of the number, its part without the bits of the constant; null if nothing
// is.
llvm::Instruction* partWithout(llvm::Instruction& number, const llvm::APInt& constant,
                               const llvm::KnownBits& known) {
  llvm::APInt part = ~known.Zero & ~constant;
  for (llvm::User* user : number.users()) {
    const llvm::APInt* mask = nullptr;
    if (match::match(user, match::m_And(match::m_Specific(&number), match::m_APInt(mask))) &&
        (*mask & ~known.Zero) == part)
      return llvm::cast<llvm::Instruction>(user);
  }
  return nullptr;
}

bool splitSetBits(llvm::BinaryOperator& operation, const llvm::DataLayout& layout) {
  llvm::Instruction* number = nullptr;
  const llvm::APInt* constant = nullptr;
  if (!operation.getType()->isIntegerTy() ||
      !match::match(&operation,
                    match::m_Or(match::m_Instruction(number), match::m_APInt(constant))) ||
      constant->isNegative())
    return false;
  llvm::KnownBits known = llvm::computeKnownBits(number, layout);
  if (constant->isSubsetOf(known.Zero)) return false;
  llvm::Instruction* part = partWithout(*number, *constant, known);
  std::optional<llvm::BasicBlock::iterator> place =
      part ? number->getInsertionPointAfterDef() : std::nullopt;
  if (!place) return false;
  part->moveBefore(*place);
  llvm::IRBuilder<> b(&operation);
  operation.replaceAllUsesWith(b.CreateOr(part, b.getInt(*constant), "", /*IsDisjoint=*/true));
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
      hasChanged |= splitExclusive(*operation, layout) || splitSetBits(*operation, layout);
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
