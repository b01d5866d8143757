#include "gluond-amdgpu/passes/BFloatRounding.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

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

} // namespace gluond::amdgpu
