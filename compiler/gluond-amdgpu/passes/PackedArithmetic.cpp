#include "gluond-amdgpu/passes/PackedArithmetic.h"

#include "backend/PassHelpers.h"
#include "chips/Vendor.h"

#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>

#include <array>

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

// Whether two numbers of the block may go through one operation together. Conversions and choices
// alone are not worth the vectorizer's search, which takes a third of the time of a product's code.
bool hasPair(const llvm::BasicBlock& block, const llvm::TargetTransformInfo& target) {
  llvm::SmallDenseSet<std::pair<unsigned, llvm::Type*>> seen;
  return llvm::any_of(block, [&](const llvm::Instruction& each) {
    if (llvm::isa<llvm::CastInst, llvm::SelectInst>(each) || !isPacked(each, target)) return false;
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&each);
    unsigned kind =
        call ? llvm::Instruction::OtherOpsEnd + call->getIntrinsicID() : each.getOpcode();
    return !seen.insert({kind, each.getType()}).second;
  });
}

// Whether an instruction adds two of these numbers at once.
bool hasPackedSums(const llvm::Type& element, const chips::Chip& chip) {
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  return element.isHalfTy() || (element.isBFloatTy() && generation == Cdna5) ||
         (element.isFloatTy() && (generation == Cdna2 || generation == Cdna3 ||
                                  generation == Cdna4 || generation == Cdna5));
}

// left + -right, pair by pair: of longer vectors, LLVM would make differences of single numbers.
llvm::Value* sumWithOpposite(llvm::Value* left, llvm::Value* right, llvm::IRBuilder<>& b) {
  auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(left->getType());
  unsigned count = vector ? vector->getNumElements() : 1;
  if (count <= 2 || count % 2) return b.CreateFAdd(left, b.CreateFNeg(right));
  llvm::Value* all = llvm::PoisonValue::get(vector);
  for (unsigned i = 0; i < count; i += 2) {
    std::array pair{static_cast<int>(i), static_cast<int>(i + 1)};
    llvm::Value* sum = b.CreateFAdd(b.CreateShuffleVector(left, pair),
                                    b.CreateFNeg(b.CreateShuffleVector(right, pair)));
    for (unsigned k = 0; k < 2; ++k)
      all = b.CreateInsertElement(all, b.CreateExtractElement(sum, k), i + k);
  }
  return all;
}

// Makes differences, of pairs or of single numbers, sums with the opposite.
bool makeSums(llvm::Function& function, const chips::Chip& chip, bool ofPairs) {
  bool hasChanged = false;
  for (llvm::Instruction& each : llvm::make_early_inc_range(llvm::instructions(function))) {
    if (each.getOpcode() != llvm::Instruction::FSub || each.getType()->isVectorTy() != ofPairs ||
        !hasPackedSums(*each.getType()->getScalarType(), chip))
      continue;
    llvm::IRBuilder<> b(&each);
    b.setFastMathFlags(each.getFastMathFlags());
    each.replaceAllUsesWith(sumWithOpposite(each.getOperand(0), each.getOperand(1), b));
    each.eraseFromParent();
    hasChanged = true;
  }
  return hasChanged;
}

} // namespace

llvm::PreservedAnalyses PackedArithmeticPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  const auto& target = analyses.getResult<llvm::TargetIRAnalysis>(function);
  if (llvm::none_of(function,
                    [&](const llvm::BasicBlock& block) { return hasPair(block, target); }))
    return llvm::PreservedAnalyses::all();
  makeSums(function, chip_, /*ofPairs=*/false); // the vectorizer does not pair differences
  return llvm::SLPVectorizerPass().run(function, analyses);
}

llvm::PreservedAnalyses PackedDifferencesPass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager&) {
  return backend::keptAfter(makeSums(function, chip_, /*ofPairs=*/true));
}

} // namespace gluond::amdgpu
