#include "gluond-amdgpu/passes/MixedPrecision.h"

#include "backend/PassHelpers.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace gluond::amdgpu {

namespace {

bool is(unsigned opcode, const llvm::Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && instruction->getOpcode() == opcode;
}

bool isSum(const llvm::Value* value) {
  return is(llvm::Instruction::FAdd, value) || is(llvm::Instruction::FSub, value);
}

bool isProduct(const llvm::Value* value) {
  return is(llvm::Instruction::FMul, value);
}

// Whether nobody needs the widened number itself, which stays a half until it is used.
bool isWidenedHalf(const llvm::Value* value) {
  auto* widening = llvm::dyn_cast<llvm::FPExtInst>(value);
  return widening && widening->getOperand(0)->getType()->getScalarType()->isHalfTy() &&
         llvm::all_of(widening->users(), [](const llvm::User* user) {
           auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(user);
           return isSum(user) || isProduct(user) ||
                  (call && call->getIntrinsicID() == llvm::Intrinsic::fma);
         });
}

// Returns the product that LLVM makes one instruction with the sum that adds it.
const llvm::Value* fusedProduct(const llvm::User& sum) {
  for (const llvm::Value* operand : sum.operand_values())
    if (isProduct(operand)) return operand;
  return nullptr;
}

bool isFusedLater(const llvm::BinaryOperator& operation) {
  if (isSum(&operation)) return fusedProduct(operation);
  return llvm::any_of(operation.users(), [&](const llvm::User* user) {
    return isSum(user) ? fusedProduct(*user) == &operation : is(llvm::Instruction::FNeg, user);
  });
}

// The number 1, of which LLVM does not know that it is 1: it would make a sum again.
llvm::Value* opaqueOne(llvm::Function& function) {
  llvm::IRBuilder<> b(&*function.getEntryBlock().getFirstInsertionPt());
  llvm::Type* type = b.getFloatTy();
  return b.CreateCall(llvm::InlineAsm::get(llvm::FunctionType::get(type, {}, false),
                                           "s_mov_b32 $0, 1.0", "=s", /*hasSideEffects=*/false));
}

} // namespace

llvm::PreservedAnalyses MixedPrecisionPass::run(llvm::Function& function,
                                                llvm::FunctionAnalysisManager&) {
  llvm::SmallVector<llvm::BinaryOperator*> found;
  for (llvm::Instruction& each : llvm::instructions(function))
    if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&each);
        operation && operation->getType()->getScalarType()->isFloatTy() &&
        (isSum(&each) || isProduct(&each)) &&
        llvm::any_of(operation->operand_values(), isWidenedHalf) && !isFusedLater(*operation))
      found.push_back(operation);
  if (found.empty()) return llvm::PreservedAnalyses::all();
  llvm::Value* one = llvm::any_of(found, isSum) ? opaqueOne(function) : nullptr;
  for (llvm::BinaryOperator* operation : found) {
    llvm::IRBuilder<> b(operation);
    llvm::Value *x = operation->getOperand(0), *y = operation->getOperand(1);
    llvm::Type* type = operation->getType();
    llvm::Value* added = llvm::ConstantFP::getNegativeZero(type);
    if (!isProduct(operation)) {
      bool subtracts = operation->getOpcode() == llvm::Instruction::FSub;
      if (!isWidenedHalf(x))
        std::swap(x, y); // x + y, or -x + y
      else if (subtracts)
        y = b.CreateFNeg(y);
      if (subtracts && x != operation->getOperand(0)) x = b.CreateFNeg(x);
      added = y;
      auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(type);
      y = vector ? b.CreateVectorSplat(vector->getNumElements(), one) : one;
    }
    operation->replaceAllUsesWith(b.CreateIntrinsic(llvm::Intrinsic::fma, {type}, {x, y, added}));
    operation->eraseFromParent();
  }
  return backend::keptAfter(true);
}

} // namespace gluond::amdgpu
