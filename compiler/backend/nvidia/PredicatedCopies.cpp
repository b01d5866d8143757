#include "backend/nvidia/PredicatedCopies.h"

#include "backend/PassHelpers.h"
#include "backend/nvidia/Assembly.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

namespace gluond::backend::nvidia {

namespace {

// Of the block, with the arithmetic of its addresses: threads compute what they may not need.
constexpr size_t mostInstructions = 128;

bool isPlainCopy(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  auto* assembly = call ? llvm::dyn_cast<llvm::InlineAsm>(call->getCalledOperand()) : nullptr;
  return assembly && !llvm::StringRef(assembly->getAsmString()).starts_with("@") &&
         onlyInstruction(*call).starts_with("cp.async.c");
}

// Whether the block does nothing but copy, and only the branch leads to it and past it.
bool holdsOnlyCopies(const llvm::BasicBlock& block) {
  if (block.size() > mostInstructions) return false;
  bool copies = false;
  for (const llvm::Instruction& instruction : block) {
    if (instruction.isTerminator() || isMovable(instruction)) continue;
    if (!isPlainCopy(instruction)) return false;
    copies = true;
  }
  return copies;
}

// A branch around a block that comes back to the branch's other side.
struct Guard {
  llvm::BranchInst* branch = nullptr;
  llvm::BasicBlock *guarded = nullptr, *after = nullptr;
  bool entersIfTrue = true;
};

Guard guardOf(llvm::BasicBlock& block) {
  auto* branch = llvm::dyn_cast<llvm::BranchInst>(block.getTerminator());
  if (!branch || !branch->isConditional()) return {};
  for (unsigned side : {0u, 1u}) {
    llvm::BasicBlock *guarded = branch->getSuccessor(side), *after = branch->getSuccessor(1 - side);
    if (guarded == after || guarded->getSinglePredecessor() != &block ||
        guarded->getSingleSuccessor() != after || !after->phis().empty() ||
        !holdsOnlyCopies(*guarded))
      continue;
    return {branch, guarded, after, side == 0};
  }
  return {};
}

void predicate(llvm::CallInst& copy, llvm::Value* condition) {
  auto* assembly = llvm::cast<llvm::InlineAsm>(copy.getCalledOperand());
  llvm::SmallVector<llvm::Value*> operands(copy.args());
  std::string text = "@$" + std::to_string(operands.size()) + " " +
                     llvm::StringRef(assembly->getAsmString()).str();
  operands.push_back(condition);
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* operand : operands)
    types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(copy.getType(), types, false);
  auto* made = llvm::InlineAsm::get(type, text,
                                    llvm::StringRef(assembly->getConstraintString()).str() + ",b",
                                    assembly->hasSideEffects());
  llvm::IRBuilder<> b(&copy);
  llvm::CallInst* call = b.CreateCall(made, operands);
  call->setAttributes(copy.getAttributes());
  call->setDebugLoc(copy.getDebugLoc());
  copy.eraseFromParent();
}

void remove(const Guard& guard) {
  llvm::IRBuilder<> b(guard.branch);
  llvm::Value* condition = guard.branch->getCondition();
  if (!guard.entersIfTrue) condition = b.CreateNot(condition);
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(*guard.guarded)) {
    if (instruction.isTerminator()) break;
    instruction.moveBefore(guard.branch->getIterator());
    if (isPlainCopy(instruction)) predicate(llvm::cast<llvm::CallInst>(instruction), condition);
  }
  b.CreateBr(guard.after);
  guard.branch->eraseFromParent();
  llvm::DeleteDeadBlock(guard.guarded);
}

} // namespace

void predicateCopies(llvm::Function& function) {
  for (llvm::BasicBlock& block : function)
    for (Guard guard = guardOf(block); guard.branch; guard = guardOf(block)) {
      remove(guard);
      llvm::MergeBlockIntoPredecessor(guard.after);
    }
}

} // namespace gluond::backend::nvidia
