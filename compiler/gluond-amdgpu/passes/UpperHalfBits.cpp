#include "gluond-amdgpu/passes/UpperHalfBits.h"

#include "backend/PassHelpers.h"

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::amdgpu {

namespace {

constexpr uint64_t half = 16;

// The lowest bit of each word's upper half.
llvm::Value* lowestBits(llvm::Value* words, llvm::IRBuilder<>& b) {
  auto ofWord = [&](llvm::Value* word) {
    return b.CreateIntrinsic(llvm::Intrinsic::amdgcn_ubfe, {b.getInt32Ty()},
                             {word, b.getInt32(half), b.getInt32(1)});
  };
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(words->getType());
  if (!vector) return ofWord(words);
  llvm::Value* all = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < vector->getNumElements(); ++i)
    all = b.CreateInsertElement(all, ofWord(b.CreateExtractElement(words, i)), i);
  return all;
}

} // namespace

llvm::PreservedAnalyses UpperHalfBitsPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  using namespace llvm::PatternMatch;
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  bool hasChanged = false;
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function))) {
    llvm::Value* words = nullptr;
    if (!instruction.getType()->getScalarType()->isIntegerTy(32) ||
        uniformity.isUniform(&instruction) ||
        !match(&instruction,
               m_And(m_OneUse(m_LShr(m_Value(words), m_SpecificInt(half))), m_SpecificInt(1))))
      continue;
    llvm::IRBuilder<> builder(&instruction);
    instruction.replaceAllUsesWith(lowestBits(words, builder));
    instruction.eraseFromParent();
    hasChanged = true;
  }
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
