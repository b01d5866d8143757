#include "backend/nvidia/ConstantOffsets.h"

#include "backend/PassHelpers.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Operator.h>
#include <llvm/Support/KnownBits.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::backend::nvidia {

namespace {

// A number without the constant that is added to it.
struct Split {
  llvm::Value* rest;
  int64_t constant = 0;
};

class Offsets {
public:
  bool run(llvm::Function& function) {
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
        if (auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&instruction))
          visit(*address);
        else if (auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(&instruction))
          visit(*sum);
    for (llvm::WeakVH& handle : replaced_)
      if (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(&*handle))
        llvm::RecursivelyDeleteTriviallyDeadInstructions(instruction);
    return !replaced_.empty();
  }

private:
  static bool isDisjointOr(const llvm::Value* value) {
    auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(value);
    return either && either->isDisjoint();
  }
  static llvm::Value* disjointOr(llvm::IRBuilder<>& b, llvm::Value* left, llvm::Value* right) {
    llvm::Value* made = b.CreateOr(left, right);
    if (auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(made))
      either->setIsDisjoint(true);
    return made;
  }

  // Only sums that do not wrap around, so that they may be taken apart under an extension: those by
  // a disjoint `or` of numbers that are not negative, or by an `xor` that sets bits, what an `and`
  // keeps of them, and their multiples by powers of two.
  static bool hasConstant(llvm::Value* value, unsigned depth = 0) {
    constexpr unsigned mostDepth = 4;
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || depth == mostDepth) return false;
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(operation->getOperand(1));
    if (constant && operation->getOpcode() == llvm::Instruction::Xor)
      return setBits(*operation, *constant).isStrictlyPositive();
    if (constant && operation->getOpcode() == llvm::Instruction::And)
      return keptConstant(*operation, *constant).isStrictlyPositive();
    if (isDisjointOr(operation)) {
      if (constant) return !constant->isNegative();
      return hasConstant(operation->getOperand(0), depth + 1) ||
             hasConstant(operation->getOperand(1), depth + 1);
    }
    return isMultiple(*operation) && hasConstant(operation->getOperand(0), depth + 1);
  }
  // The bits that the constant sets where the other number has none: x ^ 9 is (x ^ 8) + 1 of even
  // x.
  static llvm::APInt setBits(llvm::BinaryOperator& difference, llvm::ConstantInt& constant) {
    return constant.getValue() &
           llvm::computeKnownBits(difference.getOperand(0), difference.getDataLayout()).Zero;
  }
  // The bits of a constant that an `and` keeps: LLVM makes (x | 3) ^ 1 of even x to (x | 3) & ~1.
  static llvm::APInt keptConstant(llvm::BinaryOperator& masked, llvm::ConstantInt& mask) {
    auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(masked.getOperand(0));
    auto* constant =
        sum && isDisjointOr(sum) ? llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)) : nullptr;
    return constant ? constant->getValue() & mask.getValue()
                    : llvm::APInt::getZero(mask.getBitWidth());
  }
  // What an `and` keeps of a number; the number where it has no other bits.
  static llvm::Value* keptBits(llvm::Value* number, llvm::ConstantInt& mask, llvm::IRBuilder<>& b) {
    llvm::KnownBits known = llvm::computeKnownBits(number, b.GetInsertBlock()->getDataLayout());
    return (~mask.getValue()).isSubsetOf(known.Zero) ? number : b.CreateAnd(number, &mask);
  }
  static bool isMultiple(llvm::BinaryOperator& operation) {
    return operation.getOpcode() == llvm::Instruction::Shl &&
           llvm::isa<llvm::ConstantInt>(operation.getOperand(1)) && operation.hasNoUnsignedWrap() &&
           operation.hasNoSignedWrap();
  }

  Split split(llvm::Value* value, llvm::IRBuilder<>& b) {
    if (!hasConstant(value)) return {value};
    auto& operation = llvm::cast<llvm::BinaryOperator>(*value);
    llvm::Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    if (isMultiple(operation)) {
      Split inner = split(left, b);
      return {b.CreateShl(inner.rest, right, "", true, true),
              inner.constant << llvm::cast<llvm::ConstantInt>(right)->getZExtValue()};
    }
    auto* constant = llvm::dyn_cast<llvm::ConstantInt>(right);
    if (constant && operation.getOpcode() == llvm::Instruction::Xor) {
      llvm::APInt set = setBits(operation, *constant);
      return {b.CreateXor(left, b.getInt(constant->getValue() & ~set)), set.getSExtValue()};
    }
    if (constant && operation.getOpcode() == llvm::Instruction::And) {
      llvm::Value* number = llvm::cast<llvm::BinaryOperator>(left)->getOperand(0);
      return {keptBits(number, *constant, b), keptConstant(operation, *constant).getSExtValue()};
    }
    if (constant) {
      Split inner = split(left, b);
      return {inner.rest, inner.constant + constant->getSExtValue()};
    }
    Split first = split(left, b), second = split(right, b);
    return {disjointOr(b, first.rest, second.rest), first.constant + second.constant};
  }

  // An address as another one and a number of bytes.
  static Split bytesBehind(llvm::Value* pointer) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(pointer);
    if (!address || !address->getSourceElementType()->isIntegerTy(8) ||
        address->getNumIndices() != 1)
      return {pointer};
    auto* bytes = llvm::dyn_cast<llvm::ConstantInt>(address->getOperand(1));
    return bytes ? Split{address->getPointerOperand(), bytes->getSExtValue()} : Split{pointer};
  }

  // An index that is no address, such as one that a mask compares: x | (y | 16), where only y | 16
  // stays the same in a loop, would keep a register for each constant.
  void visit(llvm::BinaryOperator& sum) {
    auto isPartOfSum = [](const llvm::User* user) {
      return isDisjointOr(user) || llvm::isa<llvm::CastInst, llvm::GetElementPtrInst>(user);
    };
    if (!isDisjointOr(&sum) || !sum.getType()->isIntegerTy() ||
        llvm::isa<llvm::Constant>(sum.getOperand(1)) || !hasConstant(&sum) ||
        llvm::any_of(sum.users(), isPartOfSum))
      return;
    llvm::IRBuilder<> b(&sum);
    Split part = split(&sum, b);
    llvm::Value* moved =
        disjointOr(b, part.rest, b.getIntN(sum.getType()->getIntegerBitWidth(), part.constant));
    sum.replaceAllUsesWith(moved);
    replaced_.emplace_back(&sum);
  }

  void visit(llvm::GetElementPtrInst& address) {
    if (address.getNumIndices() != 1 || address.getType()->isVectorTy()) return;
    llvm::Value* index = address.getOperand(1);
    if (llvm::isa<llvm::Constant>(index)) return;
    Split pointer = bytesBehind(address.getPointerOperand());
    auto* extension = llvm::dyn_cast<llvm::CastInst>(index);
    if (extension && extension->getOpcode() != llvm::Instruction::ZExt &&
        extension->getOpcode() != llvm::Instruction::SExt)
      extension = nullptr;
    llvm::Value* number = extension ? extension->getOperand(0) : index;
    if (!pointer.constant && !hasConstant(number)) return;
    llvm::TypeSize size = address.getDataLayout().getTypeAllocSize(address.getSourceElementType());
    llvm::IRBuilder<> b(&address);
    Split part = split(number, b);
    llvm::Value* rest = part.rest;
    if (extension) {
      rest = b.CreateCast(extension->getOpcode(), rest, extension->getType());
      auto* made = llvm::dyn_cast<llvm::PossiblyNonNegInst>(rest);
      if (made && extension->hasNonNeg()) made->setNonNeg(true);
    }
    llvm::Value* moved = b.CreateGEP(address.getSourceElementType(), pointer.rest, rest);
    int64_t bytes = pointer.constant + part.constant * static_cast<int64_t>(size.getFixedValue());
    moved = b.CreateGEP(b.getInt8Ty(), moved, b.getInt64(static_cast<uint64_t>(bytes)));
    address.replaceAllUsesWith(moved);
    replaced_.emplace_back(&address);
  }

  llvm::SmallVector<llvm::WeakVH> replaced_;
};

} // namespace

llvm::PreservedAnalyses ConstantOffsets::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  return keptAfter(Offsets().run(function));
}

} // namespace gluond::backend::nvidia
