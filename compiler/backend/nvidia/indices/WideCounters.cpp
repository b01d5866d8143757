#include "backend/nvidia/indices/WideCounters.h"

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Support/MathExtras.h>

#include <optional>

namespace gluond::backend::nvidia {

namespace {

// `counter` begins at `start`; the loop ends when `next`, the counter after one more step, is
// `end`.
struct Counter {
  llvm::PHINode* counter;
  llvm::BinaryOperator* next;
  llvm::ICmpInst* isLast;
  int64_t start, step, end;
};

std::optional<int64_t> numberOf(llvm::Value* value) {
  auto* number = llvm::dyn_cast<llvm::ConstantInt>(value);
  if (!number) return std::nullopt;
  return number->getSExtValue();
}

std::optional<Counter> counterOf(const llvm::Loop& loop) {
  llvm::BasicBlock *latch = loop.getLoopLatch(), *before = loop.getLoopPreheader();
  if (!latch || !before || !loop.isLoopExiting(latch)) return std::nullopt;
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(latch->getTerminator());
  auto* isLast = branch && branch->isConditional()
                     ? llvm::dyn_cast<llvm::ICmpInst>(branch->getCondition())
                     : nullptr;
  if (!isLast || !isLast->isEquality() || !isLast->hasOneUse()) return std::nullopt;
  auto* next = llvm::dyn_cast<llvm::BinaryOperator>(isLast->getOperand(0));
  if (!next || next->getOpcode() != llvm::Instruction::Add || !next->getType()->isIntegerTy(32))
    return std::nullopt;
  auto* counter = llvm::dyn_cast<llvm::PHINode>(next->getOperand(0));
  if (!counter || counter->getParent() != loop.getHeader() ||
      counter->getIncomingValueForBlock(latch) != next)
    return std::nullopt;
  auto start = numberOf(counter->getIncomingValueForBlock(before)),
       step = numberOf(next->getOperand(1)), end = numberOf(isLast->getOperand(1));
  if (!start || !step || !end) return std::nullopt;
  return Counter{counter, next, isLast, *start, *step, *end};
}

// Whether all of its numbers are the same in 64 bits, extended with or without a sign.
bool isNeverNegative(const Counter& each) {
  return each.start >= 0 && each.end > each.start && each.step > 0 &&
         (each.end - each.start) % each.step == 0;
}

bool isWidened(const llvm::User* user) {
  return llvm::isa<llvm::SExtInst, llvm::ZExtInst>(user) && user->getType()->isIntegerTy(64);
}

// Users of `narrow` use `wide`, or what is left of it.
void replaceUses(llvm::Instruction& narrow, llvm::Value* wide, llvm::BasicBlock::iterator behind) {
  for (llvm::User* user : llvm::make_early_inc_range(narrow.users()))
    if (isWidened(user)) {
      user->replaceAllUsesWith(wide);
      llvm::cast<llvm::Instruction>(user)->eraseFromParent();
    }
  if (narrow.use_empty()) return;
  llvm::IRBuilder<> builder(behind->getParent(), behind);
  narrow.replaceAllUsesWith(builder.CreateTrunc(wide, narrow.getType(), "", /*IsNUW=*/true,
                                                /*IsNSW=*/true));
}

void widen(const Counter& each) {
  llvm::Type* i64 = llvm::Type::getInt64Ty(each.counter->getContext());
  auto number = [&](int64_t value) { return llvm::ConstantInt::getSigned(i64, value); };
  llvm::IRBuilder<> builder(each.counter);
  llvm::PHINode* wide = builder.CreatePHI(i64, 2);
  builder.SetInsertPoint(each.next);
  llvm::Value* next =
      builder.CreateAdd(wide, number(each.step), "", /*HasNUW=*/true, /*HasNSW=*/true);
  for (unsigned k = 0; k < each.counter->getNumIncomingValues(); ++k) {
    bool isStep = each.counter->getIncomingValue(k) == each.next;
    wide->addIncoming(isStep ? next : number(each.start), each.counter->getIncomingBlock(k));
  }
  builder.SetInsertPoint(each.isLast);
  llvm::Value* isLast = builder.CreateICmp(each.isLast->getPredicate(), next, number(each.end));
  each.isLast->replaceAllUsesWith(isLast);
  each.isLast->eraseFromParent();
  // The two refer to each other.
  each.counter->replaceUsesOfWith(each.next, llvm::PoisonValue::get(each.counter->getType()));
  replaceUses(*each.next, next, std::next(each.next->getIterator()));
  each.next->eraseFromParent();
  replaceUses(*each.counter, wide, each.counter->getParent()->getFirstInsertionPt());
  each.counter->eraseFromParent();
}

} // namespace

llvm::PreservedAnalyses WideCounters::run(llvm::Function& function,
                                          llvm::FunctionAnalysisManager& analyses) {
  bool hasChanged = false;
  for (llvm::Loop* loop : analyses.getResult<llvm::LoopAnalysis>(function).getLoopsInPreorder()) {
    auto each = counterOf(*loop);
    if (!each || !isNeverNegative(*each)) continue;
    if (llvm::none_of(each->counter->users(), isWidened) &&
        llvm::none_of(each->next->users(), isWidened))
      continue;
    widen(*each);
    hasChanged = true;
  }
  if (!hasChanged) return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

} // namespace gluond::backend::nvidia
