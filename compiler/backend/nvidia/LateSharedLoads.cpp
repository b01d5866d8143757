#include "backend/nvidia/LateSharedLoads.h"

#include "backend/nvidia/Assembly.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

namespace gluond::backend::nvidia {

namespace {

constexpr unsigned leastPassed = 16; // instructions that a load moves over, else it stays

bool isSharedLoad(const llvm::Instruction& instruction) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
  return load && load->isUnordered() && !load->isVolatile() &&
         load->getPointerAddressSpace() == sharedSpace;
}

bool copiesInBulk(const llvm::Function& function) {
  return llvm::any_of(llvm::instructions(function), [](const llvm::Instruction& instruction) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
    auto* text = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
    if (text) return llvm::StringRef(text->getAsmString()).contains("cp.async.bulk.tensor");
    const llvm::Function* callee = call ? call->getCalledFunction() : nullptr;
    return callee && callee->getName().starts_with("llvm.nvvm.cp.async.bulk.tensor");
  });
}

// The first of the block's instructions after this one that uses it, or null.
llvm::Instruction* firstUser(llvm::Instruction& instruction) {
  llvm::Instruction* first = nullptr;
  for (llvm::User* user : instruction.users()) {
    auto* one = llvm::cast<llvm::Instruction>(user);
    if (one->getParent() != instruction.getParent() || llvm::isa<llvm::PHINode>(one)) continue;
    if (!first || one->comesBefore(first)) first = one;
  }
  return first;
}

class Delay {
public:
  explicit Delay(llvm::BasicBlock& block) : block_(block) {}

  void run() {
    // What is only taken out of loads or converted moves with them.
    llvm::SmallPtrSet<llvm::Instruction*, 32> parts;
    for (llvm::Instruction& instruction : block_)
      if (isSharedLoad(instruction) || isPart(instruction, parts)) parts.insert(&instruction);
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::reverse(block_)))
      if (parts.contains(&instruction)) move(instruction);
  }

private:
  static bool isPart(llvm::Instruction& instruction,
                     const llvm::SmallPtrSetImpl<llvm::Instruction*>& parts) {
    if (!llvm::isa<llvm::CastInst, llvm::ExtractValueInst, llvm::ExtractElementInst>(instruction))
      return false;
    auto* source = llvm::dyn_cast<llvm::Instruction>(instruction.getOperand(0));
    return source && parts.contains(source);
  }

  // To the first user, or to what may write memory or waits for other threads before it.
  void move(llvm::Instruction& instruction) {
    llvm::Instruction* user = firstUser(instruction);
    llvm::Instruction* end = user ? user : block_.getTerminator();
    llvm::Instruction* at = instruction.getNextNode();
    unsigned passed = 0;
    bool reads = instruction.mayReadFromMemory();
    for (; at != end && !(reads && (at->mayWriteToMemory() || at->mayHaveSideEffects()));
         at = at->getNextNode())
      ++passed;
    if (reads ? passed >= leastPassed : passed > 0) instruction.moveBefore(at->getIterator());
  }

  llvm::BasicBlock& block_;
};

} // namespace

void delaySharedLoads(llvm::Function& function) {
  if (function.isDeclaration() || !copiesInBulk(function)) return;
  for (llvm::BasicBlock& block : function)
    // Chains of shuffles of several rows run side by side only if the rows are there.
    if (llvm::none_of(block, isShuffle)) Delay(block).run();
}

} // namespace gluond::backend::nvidia
