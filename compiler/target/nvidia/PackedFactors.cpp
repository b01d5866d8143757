#include "target/nvidia/PackedFactors.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::target::nvidia {

namespace {

using namespace llvm::PatternMatch;

bool isPackedArithmetic(const llvm::Instruction& instruction, bool alsoProducts) {
  auto* type = llvm::dyn_cast<llvm::FixedVectorType>(instruction.getType());
  if (!type || type->getNumElements() != 2) return false;
  unsigned opcode = instruction.getOpcode();
  return opcode == llvm::Instruction::FAdd || opcode == llvm::Instruction::FSub ||
         (alsoProducts && opcode == llvm::Instruction::FMul);
}

// The product of two vectors that is the vector of two products, which nothing else uses; null
// for all other values.
llvm::Value* packedProduct(llvm::Value* vector) {
  llvm::Value *first = nullptr, *second = nullptr;
  if (!match(vector,
             m_OneUse(m_InsertElt(m_OneUse(m_InsertElt(m_Undef(), m_Value(first), m_ZeroInt())),
                                  m_Value(second), m_SpecificInt(1)))))
    return nullptr;
  auto isProduct = [](llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::BinaryOperator>(value);
    return instruction && instruction->getOpcode() == llvm::Instruction::FMul &&
           instruction->hasOneUse();
  };
  if (first == second || !isProduct(first) || !isProduct(second)) return nullptr;
  auto *a = llvm::cast<llvm::BinaryOperator>(first), *b = llvm::cast<llvm::BinaryOperator>(second);
  llvm::IRBuilder<> builder(llvm::cast<llvm::Instruction>(vector));
  auto pairOf = [&](llvm::Value* low, llvm::Value* high) {
    llvm::Value* pair = llvm::PoisonValue::get(vector->getType());
    pair = builder.CreateInsertElement(pair, low, uint64_t(0));
    return builder.CreateInsertElement(pair, high, uint64_t(1));
  };
  // Factors that both have stand on the same side.
  bool isCrossed = a->getOperand(0) == b->getOperand(1) || a->getOperand(1) == b->getOperand(0);
  llvm::Value* product = builder.CreateFMul(pairOf(a->getOperand(0), b->getOperand(isCrossed)),
                                            pairOf(a->getOperand(1), b->getOperand(!isCrossed)));
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(product)) {
    made->copyIRFlags(a);
    made->andIRFlags(b);
  }
  return product;
}

} // namespace

llvm::PreservedAnalyses PackedFactors::run(llvm::Function& function,
                                           llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::Instruction*> next;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (isPackedArithmetic(instruction, false)) next.push_back(&instruction);
  bool isChanged = false;
  while (!next.empty()) {
    llvm::Instruction* sum = next.pop_back_val();
    for (llvm::Use& operand : sum->operands()) {
      auto* before = llvm::dyn_cast<llvm::Instruction>(operand.get());
      llvm::Value* product = before ? packedProduct(before) : nullptr;
      if (!product) continue;
      operand.set(product);
      isChanged = true;
      // What is multiplied may be a product itself.
      if (auto* made = llvm::dyn_cast<llvm::Instruction>(product);
          made && isPackedArithmetic(*made, true))
        next.push_back(made);
      // The two products, and their vector.
      llvm::SmallVector<llvm::Instruction*, 4> dead{before};
      while (!dead.empty()) {
        llvm::Instruction* unused = dead.pop_back_val();
        if (!unused->use_empty()) continue;
        for (llvm::Value* each : unused->operands())
          if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(each);
              instruction && instruction->hasOneUse() &&
              (llvm::isa<llvm::InsertElementInst>(instruction) ||
               instruction->getOpcode() == llvm::Instruction::FMul))
            dead.push_back(instruction);
        unused->eraseFromParent();
      }
    }
  }
  return isChanged ? llvm::PreservedAnalyses::none() : llvm::PreservedAnalyses::all();
}

} // namespace gluond::target::nvidia
