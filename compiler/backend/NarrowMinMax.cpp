#include "backend/NarrowMinMax.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>

#include <array>

namespace gluond::backend {

namespace {

bool isChoice(llvm::Intrinsic::ID id) {
  switch (id) {
  case llvm::Intrinsic::maxnum:
  case llvm::Intrinsic::minnum:
  case llvm::Intrinsic::maximum:
  case llvm::Intrinsic::minimum:
    return true;
  default:
    return false;
  }
}

// The type that a number was widened from; null: it was not.
llvm::Type* narrowType(llvm::Value* value) {
  auto* widened = llvm::dyn_cast<llvm::FPExtInst>(value);
  return widened ? widened->getSrcTy() : nullptr;
}

// The number in the narrow type; null: it is not exact there.
llvm::Value* narrowed(llvm::Value* value, llvm::Type* type) {
  if (narrowType(value) == type) return llvm::cast<llvm::FPExtInst>(value)->getOperand(0);
  auto* constant = llvm::dyn_cast<llvm::ConstantFP>(value);
  if (!constant) return nullptr;
  llvm::APFloat number = constant->getValueAPF();
  bool isInexact = false;
  number.convert(type->getFltSemantics(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  return isInexact ? nullptr : llvm::ConstantFP::get(type, number);
}

// Whether nobody needs the wide number but `choice` and, where that is asked, comparisons with what
// is narrow or may become it.
bool isNeededNarrowOnly(llvm::Value* value, llvm::Type* type, const llvm::Instruction& choice,
                        bool alsoCompared) {
  if (llvm::isa<llvm::ConstantFP>(value)) return true;
  return llvm::all_of(value->users(), [&](const llvm::User* user) {
    if (user == &choice) return true;
    return alsoCompared && llvm::isa<llvm::FCmpInst>(user) &&
           llvm::all_of(user->operands(), [&](llvm::Value* operand) {
             auto* other = llvm::dyn_cast<llvm::IntrinsicInst>(operand);
             return narrowed(operand, type) || (other && isChoice(other->getIntrinsicID()));
           });
  });
}

} // namespace

void narrowMinMax(llvm::Module& module, NarrowNumbers which) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration()) continue;
    // Operands come first, so that chains become narrow whole.
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block)) {
        auto* choice = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
        if (!choice || !isChoice(choice->getIntrinsicID())) continue;
        llvm::Value *a = choice->getArgOperand(0), *b = choice->getArgOperand(1);
        if (a == b) continue;
        llvm::Type* type = narrowType(a) ? narrowType(a) : narrowType(b);
        if (!type || !(type->isHalfTy() || (which.bf16 && type->isBFloatTy()))) continue;
        llvm::Value *narrowA = narrowed(a, type), *narrowB = narrowed(b, type);
        if (!narrowA || !narrowB) continue;
        if (!llvm::all_of(std::array{a, b}, [&](llvm::Value* operand) {
              return isNeededNarrowOnly(operand, type, *choice, which.compared);
            }))
          continue;
        llvm::IRBuilder<> builder(choice);
        llvm::Value* narrow = builder.CreateBinaryIntrinsic(choice->getIntrinsicID(), narrowA,
                                                            narrowB, choice->getFastMathFlags());
        choice->replaceAllUsesWith(builder.CreateFPExt(narrow, choice->getType()));
        choice->eraseFromParent();
        for (llvm::Value* operand : {a, b})
          if (auto* widened = llvm::dyn_cast<llvm::FPExtInst>(operand);
              widened && widened->use_empty())
            widened->eraseFromParent();
      }
  }
}

} // namespace gluond::backend
