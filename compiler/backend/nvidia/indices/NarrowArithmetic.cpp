#include "backend/nvidia/indices/NarrowArithmetic.h"

#include "backend/PassHelpers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::backend::nvidia {

namespace {

// Whether every value of the integer is a number of the type: no more bits than its significand.
bool isExactIn(llvm::Type* type, llvm::Value* integer, bool isSigned,
               const llvm::DataLayout& layout) {
  unsigned bits = isSigned ? integer->getType()->getIntegerBitWidth() -
                                 llvm::ComputeNumSignBits(integer, layout)
                           : llvm::computeKnownBits(integer, layout).countMaxActiveBits();
  return bits <= llvm::APFloat::semanticsPrecision(type->getFltSemantics());
}

// Makes the number in the narrow type; null: it may not be exact there.
llvm::Value* narrowed(llvm::Value* value, llvm::Type* type, llvm::IRBuilder<>& builder) {
  if (auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value)) {
    llvm::APFloat number = constant->getValueAPF();
    bool isInexact = false;
    number.convert(type->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
    return isInexact ? nullptr : llvm::ConstantFP::get(type, number);
  }
  auto* cast = llvm::dyn_cast<llvm::CastInst>(value);
  if (!cast) return nullptr;
  llvm::Value* source = cast->getOperand(0);
  const llvm::DataLayout& layout = cast->getDataLayout();
  switch (cast->getOpcode()) {
  case llvm::Instruction::FPExt:
    return source->getType() == type ? source : nullptr;
  case llvm::Instruction::SIToFP:
    return isExactIn(type, source, true, layout) ? builder.CreateSIToFP(source, type) : nullptr;
  case llvm::Instruction::UIToFP:
    return isExactIn(type, source, false, layout) ? builder.CreateUIToFP(source, type) : nullptr;
  default:
    return nullptr;
  }
}

bool isSumOrProduct(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
  case llvm::Instruction::FMul:
    return true;
  default:
    return false;
  }
}

// The sum or product rounded to the type; null: it needs the wide type.
llvm::Value* narrowResult(llvm::Value* wide, llvm::Type* type) {
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(wide);
  if (!operation || !operation->hasOneUse() || !isSumOrProduct(*operation)) return nullptr;
  llvm::IRBuilder<> builder(operation);
  llvm::Value* a = narrowed(operation->getOperand(0), type, builder);
  llvm::Value* b = a ? narrowed(operation->getOperand(1), type, builder) : nullptr;
  if (!b) {
    if (a) llvm::RecursivelyDeleteTriviallyDeadInstructions(a);
    return nullptr;
  }
  llvm::Value* narrow = builder.CreateBinOp(operation->getOpcode(), a, b);
  if (auto* made = llvm::dyn_cast<llvm::Instruction>(narrow)) made->copyFastMathFlags(operation);
  return narrow;
}

// Both numbers of a pair that a thread puts together.
bool parts(llvm::Value* pair, llvm::Value*& first, llvm::Value*& second) {
  auto* last = llvm::dyn_cast<llvm::InsertElementInst>(pair);
  auto* before = last ? llvm::dyn_cast<llvm::InsertElementInst>(last->getOperand(0)) : nullptr;
  auto at = [](llvm::InsertElementInst* insert, uint64_t place) {
    auto* index = llvm::dyn_cast<llvm::ConstantInt>(insert->getOperand(2));
    return index && index->getZExtValue() == place;
  };
  if (!before || !last->hasOneUse() || !before->hasOneUse() || !at(before, 0) || !at(last, 1))
    return false;
  first = before->getOperand(1);
  second = last->getOperand(1);
  return true;
}

// The value that replaces the rounding; null if none does.
llvm::Value* replacement(llvm::FPTruncInst& rounding) {
  llvm::Type* type = rounding.getType()->getScalarType();
  llvm::Value* wide = rounding.getOperand(0);
  if (!wide->getType()->getScalarType()->isFloatTy() || !(type->isHalfTy() || type->isBFloatTy()))
    return nullptr;
  if (!rounding.getType()->isVectorTy()) return narrowResult(wide, type);
  llvm::Value *first = nullptr, *second = nullptr;
  if (!parts(wide, first, second)) return nullptr;
  llvm::Value* a = narrowResult(first, type);
  llvm::Value* b = a ? narrowResult(second, type) : nullptr;
  if (!b) {
    if (a) llvm::RecursivelyDeleteTriviallyDeadInstructions(a);
    return nullptr;
  }
  llvm::IRBuilder<> builder(&rounding);
  llvm::Value* pair = llvm::PoisonValue::get(rounding.getType());
  pair = builder.CreateInsertElement(pair, a, uint64_t{0});
  return builder.CreateInsertElement(pair, b, uint64_t{1});
}

} // namespace

llvm::PreservedAnalyses NarrowArithmetic::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::FPTruncInst*> roundings;
  for (llvm::Instruction& instruction : llvm::instructions(function))
    if (auto* rounding = llvm::dyn_cast<llvm::FPTruncInst>(&instruction))
      roundings.push_back(rounding);
  bool hasChanged = false;
  for (llvm::FPTruncInst* rounding : roundings)
    if (llvm::Value* narrow = replacement(*rounding)) {
      rounding->replaceAllUsesWith(narrow);
      llvm::RecursivelyDeleteTriviallyDeadInstructions(rounding);
      hasChanged = true;
    }
  return keptAfter(hasChanged);
}

} // namespace gluond::backend::nvidia
