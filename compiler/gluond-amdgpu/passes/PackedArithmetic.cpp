#include "gluond-amdgpu/passes/PackedArithmetic.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

namespace gluond::amdgpu {

namespace {

// Integers of a word have no packed instructions, whatever their width says.
bool isPacked(const llvm::Instruction& instruction, const llvm::TargetTransformInfo& target) {
  if (!llvm::isa<llvm::BinaryOperator, llvm::UnaryOperator, llvm::CastInst, llvm::SelectInst,
                 llvm::IntrinsicInst>(instruction))
    return false;
  llvm::Type* type = instruction.getType();
  constexpr unsigned bitsOfWord = 32;
  unsigned bits = type->getScalarSizeInBits();
  if (!type->isFloatingPointTy() && !(type->isIntegerTy() && bits < bitsOfWord)) return false;
  return target.getMaximumVF(bits, instruction.getOpcode()) > 1;
}

} // namespace

llvm::PreservedAnalyses PackedArithmeticPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  if (llvm::none_of(llvm::instructions(function), [&](const llvm::Instruction& instruction) {
        return isPacked(instruction, target);
      }))
    return llvm::PreservedAnalyses::all();
  return llvm::SLPVectorizerPass().run(function, analyses);
}

} // namespace gluond::amdgpu
