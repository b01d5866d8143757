#include "backend/nvidia/EarlyLoads.h"

#include "backend/PassHelpers.h"
#include "backend/nvidia/Assembly.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/IntrinsicInst.h>

namespace gluond::backend::nvidia {

namespace {

constexpr uint64_t mostBits = 512; // of what the loads moved in a block bring into registers

// The effect of an instruction on memory, as far as the order of loads is concerned.
enum class Effect { None, GlobalLoad, Shared, Barrier, Other };

bool isBarrier(llvm::StringRef name) {
  return name.starts_with("llvm.nvvm.barrier.cta.") || name.starts_with("llvm.nvvm.barrier0") ||
         name == "llvm.nvvm.bar.warp.sync";
}
bool isMatrixAccess(llvm::StringRef name) {
  return name.starts_with("llvm.nvvm.ldmatrix.") || name.starts_with("llvm.nvvm.stmatrix.");
}

Effect effectOf(const llvm::Instruction& instruction) {
  if (!instruction.mayReadOrWriteMemory() && !instruction.mayThrow()) return Effect::None;
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction)) {
    if (!load->isUnordered() || load->isVolatile()) return Effect::Other;
    if (load->getPointerAddressSpace() == globalSpace) return Effect::GlobalLoad;
    return load->getPointerAddressSpace() == sharedSpace ? Effect::Shared : Effect::Other;
  }
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&instruction))
    return store->isUnordered() && !store->isVolatile() &&
                   store->getPointerAddressSpace() == sharedSpace
               ? Effect::Shared
               : Effect::Other;
  auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  if (!call) return Effect::Other;
  if (call->isInlineAsm()) {
    llvm::StringRef text = onlyInstruction(*call);
    if (text.starts_with("ld.global.") && !call->getType()->isVoidTy()) return Effect::GlobalLoad;
    if (text.starts_with("st.shared.") || text.starts_with("ld.shared.")) return Effect::Shared;
    return Effect::Other;
  }
  const llvm::Function* callee = call->getCalledFunction();
  if (!callee || !callee->isIntrinsic()) return Effect::Other;
  if (isBarrier(callee->getName())) return Effect::Barrier;
  if (isMatrixAccess(callee->getName())) return Effect::Shared;
  return isShuffle(*call) ? Effect::None : Effect::Other;
}

class Mover {
public:
  explicit Mover(llvm::BasicBlock& block) : block_(block) {}

  bool run() {
    llvm::Instruction* last = nullptr; // the load after which the next one is placed
    bool isApart = false;              // whether a barrier stands between
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block_)) {
      Effect effect = effectOf(instruction);
      if (effect == Effect::Other)
        last = nullptr;
      else if (effect == Effect::Barrier)
        isApart = true;
      if (effect != Effect::GlobalLoad) continue;
      if (last && isApart && move(instruction, *last)) {
        last = &instruction;
        continue;
      }
      last = &instruction;
      isApart = false;
    }
    return moved_ != 0;
  }

  // Loads that the addresses or masks of other loads depend on, in turn after the first of them.
  bool moveLeading() {
    llvm::SmallPtrSet<llvm::Instruction*, 16> leading = leadingLoads();
    if (leading.size() < 2) return false;
    llvm::Instruction* last = nullptr;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block_)) {
      Effect effect = effectOf(instruction);
      if (effect == Effect::Other || effect == Effect::Barrier) last = nullptr;
      if (!leading.contains(&instruction)) continue;
      if (last) move(instruction, *last);
      last = &instruction;
    }
    return moved_ != 0;
  }

private:
  llvm::SmallPtrSet<llvm::Instruction*, 16> leadingLoads() {
    llvm::SmallPtrSet<llvm::Instruction*, 16> leading, needed; // for later loads
    for (llvm::Instruction& instruction : llvm::reverse(block_)) {
      bool isLoad = effectOf(instruction) == Effect::GlobalLoad;
      bool isNeeded = needed.contains(&instruction);
      if (isLoad && isNeeded) leading.insert(&instruction);
      if (llvm::isa<llvm::PHINode>(instruction) || (!isLoad && !isNeeded)) continue;
      for (llvm::Value* operand : instruction.operands())
        if (auto* made = llvm::dyn_cast<llvm::Instruction>(operand); made && made != &instruction)
          needed.insert(made);
    }
    return leading;
  }

  bool move(llvm::Instruction& load, llvm::Instruction& after) {
    uint64_t bits = block_.getDataLayout().getTypeSizeInBits(load.getType()).getFixedValue();
    if (moved_ + bits > mostBits) return false;
    llvm::SmallVector<llvm::Instruction*> needed{&load};
    llvm::SmallPtrSet<llvm::Instruction*, 8> known{&load};
    for (size_t i = 0; i < needed.size(); ++i)
      for (llvm::Value* operand : needed[i]->operands()) {
        auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
        if (!made || made->getParent() != &block_ || !after.comesBefore(made) ||
            !known.insert(made).second)
          continue;
        if (!isMovable(*made)) return false;
        needed.push_back(made);
      }
    llvm::sort(needed, [](auto* a, auto* b) { return a->comesBefore(b); });
    llvm::Instruction* at = &after;
    for (llvm::Instruction* one : needed) {
      one->moveAfter(at);
      at = one;
    }
    moved_ += bits;
    return true;
  }

  llvm::BasicBlock& block_;
  uint64_t moved_ = 0; // bits
};

} // namespace

llvm::PreservedAnalyses EarlyLoads::run(llvm::Function& function,
                                        llvm::FunctionAnalysisManager& analyses) {
  const auto& loops = analyses.getResult<llvm::LoopAnalysis>(function);
  // Blocks that write to global memory or order it otherwise, and those that may run after them.
  llvm::SmallPtrSet<llvm::BasicBlock*, 16> ordered;
  llvm::SmallVector<llvm::BasicBlock*> todo;
  for (llvm::BasicBlock& block : function)
    if (llvm::any_of(block, [](llvm::Instruction& i) { return effectOf(i) == Effect::Other; })) {
      ordered.insert(&block);
      todo.push_back(&block);
    }
  while (!todo.empty())
    for (llvm::BasicBlock* next : llvm::successors(todo.pop_back_val()))
      if (ordered.insert(next).second) todo.push_back(next);
  bool hasMoved = false;
  for (llvm::BasicBlock& block : function) {
    hasMoved |= Mover(block).moveLeading();
    if (loops.getLoopFor(&block) && !ordered.contains(&block)) hasMoved |= Mover(block).run();
  }
  return keptAfter(hasMoved);
}

} // namespace gluond::backend::nvidia
