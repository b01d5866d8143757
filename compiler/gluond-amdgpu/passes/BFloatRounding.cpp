#include "gluond-amdgpu/passes/BFloatRounding.h"

#include "backend/PassHelpers.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

namespace gluond::amdgpu {

namespace {

// A float to the nearest bfloat, ties to even. `type`: bfloat, or a vector of them.
llvm::Value* rounded(llvm::IRBuilder<>& b, llvm::Value* value, llvm::Type* type) {
  llvm::Type *words = type->getWithNewType(b.getInt32Ty()),
             *halves = type->getWithNewType(b.getInt16Ty());
  auto all = [&](uint64_t bits) { return llvm::ConstantInt::get(words, bits); };
  constexpr uint64_t bitsLost = 16, nan = 0x7fff;
  llvm::Value* bits = b.CreateBitCast(value, words);
  llvm::Value* isOdd = b.CreateAnd(b.CreateLShr(bits, all(bitsLost)), all(1));
  constexpr uint64_t justUnderHalf = (1 << (bitsLost - 1)) - 1;
  bits = b.CreateAdd(b.CreateAdd(bits, isOdd), all(justUnderHalf));
  bits = b.CreateSelect(b.CreateFCmpORD(value, value), bits, all(nan << bitsLost));
  return b.CreateBitCast(b.CreateTrunc(b.CreateLShr(bits, all(bitsLost)), halves), type);
}

// The number as a float, where the instruction makes a bfloat that must be rounded; otherwise null.
llvm::Value* beforeRounding(llvm::IRBuilder<>& b, llvm::Instruction& instruction) {
  llvm::Type* type = instruction.getType()->getWithNewType(b.getFloatTy());
  auto operand = [&](unsigned number) { return instruction.getOperand(number); };
  using I = llvm::Instruction;
  switch (instruction.getOpcode()) {
  case I::FPTrunc: // doubles must not be rounded twice
    return operand(0)->getType() == type ? operand(0) : nullptr;
  case I::SIToFP:
    return b.CreateSIToFP(operand(0), type);
  case I::UIToFP:
    return b.CreateUIToFP(operand(0), type);
  case I::FAdd:
  case I::FSub:
  case I::FMul:
  case I::FDiv: {
    llvm::Value *left = b.CreateFPExt(operand(0), type), *right = b.CreateFPExt(operand(1), type);
    return b.CreateBinOp(static_cast<I::BinaryOps>(instruction.getOpcode()), left, right);
  }
  default:
    return nullptr;
  }
}

bool isChoice(llvm::Intrinsic::ID id) {
  using namespace llvm::Intrinsic;
  return id == maxnum || id == minnum || id == maximum || id == minimum || id == maximumnum ||
         id == minimumnum;
}

} // namespace

void roundBFloats(llvm::Module& module) {
  for (llvm::Function& function : module)
    for (llvm::Instruction& instruction :
         llvm::make_early_inc_range(llvm::instructions(function))) {
      llvm::Type* type = instruction.getType();
      if (!type->getScalarType()->isBFloatTy()) continue;
      llvm::IRBuilder<> builder(&instruction);
      if (auto* math = llvm::dyn_cast<llvm::FPMathOperator>(&instruction))
        builder.setFastMathFlags(math->getFastMathFlags());
      llvm::Value* value = beforeRounding(builder, instruction);
      if (!value) continue;
      builder.clearFastMathFlags();
      instruction.replaceAllUsesWith(rounded(builder, value, type));
      instruction.eraseFromParent();
    }
}

llvm::PreservedAnalyses WideChoicesPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  llvm::DenseMap<llvm::Value*, llvm::Value*> known; // of upper halves: the floats
  for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
      auto* choice = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      llvm::Type* narrow = instruction.getType();
      if (!choice || !isChoice(choice->getIntrinsicID()) || !narrow->getScalarType()->isBFloatTy())
        continue;
      if (hasPairs_ && narrow->isVectorTy()) continue;
      llvm::IRBuilder<> b(choice);
      llvm::Type* wide = narrow->getWithNewType(b.getFloatTy());
      // The absolute value of a float is a part of the instruction that takes it.
      auto widened = [&](llvm::Value* value) {
        if (llvm::Value* whole = known.lookup(value)) return whole;
        auto* math = llvm::dyn_cast<llvm::IntrinsicInst>(value);
        if (!math || math->getIntrinsicID() != llvm::Intrinsic::fabs)
          return b.CreateFPExt(value, wide);
        llvm::Value* inside = math->getArgOperand(0);
        llvm::Value* whole = known.lookup(inside);
        return static_cast<llvm::Value*>(b.CreateUnaryIntrinsic(
            llvm::Intrinsic::fabs, whole ? whole : b.CreateFPExt(inside, wide)));
      };
      llvm::Value *left = widened(choice->getArgOperand(0)),
                  *right = widened(choice->getArgOperand(1));
      llvm::Value* chosen = b.CreateBinaryIntrinsic(choice->getIntrinsicID(), left, right,
                                                    choice->getFastMathFlags());
      for (llvm::User* user : llvm::make_early_inc_range(choice->users()))
        if (auto* extension = llvm::dyn_cast<llvm::FPExtInst>(user);
            extension && extension->getType() == wide)
          extension->replaceAllUsesWith(chosen);
      constexpr unsigned bitsOfHalf = 16;
      llvm::Type *words = wide->getWithNewType(b.getInt32Ty()),
                 *halves = narrow->getWithNewType(b.getInt16Ty());
      llvm::Value* upper = b.CreateLShr(b.CreateBitCast(chosen, words), bitsOfHalf);
      upper = b.CreateBitCast(b.CreateTrunc(upper, halves), narrow);
      known[upper] = chosen;
      choice->replaceAllUsesWith(upper);
      choice->eraseFromParent();
    }
  return backend::keptAfter(!known.empty());
}

} // namespace gluond::amdgpu
