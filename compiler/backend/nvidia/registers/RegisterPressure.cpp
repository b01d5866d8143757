#include "backend/nvidia/registers/RegisterPressure.h"

#include <llvm/ADT/DenseSet.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Instructions.h>

namespace gluond::backend::nvidia {

namespace {

using Values = llvm::DenseSet<llvm::Instruction*>;

// Goes through a block backwards with the values that are held.
class Holder {
public:
  explicit Holder(llvm::BasicBlock& block) : layout_(block.getDataLayout()) {}

  void need(llvm::Value* value) {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    if (instruction && held_.insert(instruction).second) change(*instruction, true);
  }
  void pass(llvm::Instruction& instruction) {
    if (held_.erase(&instruction)) change(instruction, false);
    if (llvm::isa<llvm::PHINode>(instruction)) return; // needs its operands where they come from
    for (llvm::Value* operand : instruction.operands())
      need(operand);
  }
  unsigned most() const { return most_; }
  Values take() { return std::move(held_); }

private:
  void change(llvm::Instruction& value, bool begins) {
    unsigned count = registersOf(value.getType(), layout_);
    now_ = begins ? now_ + count : now_ - count;
    most_ = std::max(most_, now_);
  }

  const llvm::DataLayout& layout_;
  Values held_;
  unsigned now_ = 0, most_ = 0;
};

} // namespace

unsigned registersOf(llvm::Type* type, const llvm::DataLayout& layout) {
  constexpr unsigned bitsOfRegister = 32;
  if (!type->isSized() || type->isIntegerTy(1)) return 0; // predicates are apart
  uint64_t bits = layout.getTypeSizeInBits(type).getFixedValue();
  return static_cast<unsigned>((bits + bitsOfRegister - 1) / bitsOfRegister);
}

unsigned mostRegisters(llvm::Function& function) {
  llvm::DenseMap<llvm::BasicBlock*, Values> heldAtBegin;
  unsigned most = 0;
  for (bool hasChanged = true; hasChanged;) {
    hasChanged = false;
    for (llvm::BasicBlock* block : llvm::post_order(&function)) {
      Holder holder(*block);
      for (llvm::BasicBlock* next : llvm::successors(block)) {
        for (llvm::Instruction* value : heldAtBegin[next])
          holder.need(value);
        for (llvm::PHINode& phi : next->phis())
          holder.need(phi.getIncomingValueForBlock(block));
      }
      for (llvm::Instruction& instruction : llvm::reverse(*block))
        holder.pass(instruction);
      most = std::max(most, holder.most());
      Values held = holder.take();
      Values& before = heldAtBegin[block];
      hasChanged |= held.size() != before.size(); // more each time
      before = std::move(held);
    }
  }
  return most;
}

} // namespace gluond::backend::nvidia
