#include "gluond-amdgpu/passes/registers/PressureReduction.h"

#include "backend/PassHelpers.h"
#include "gluond-amdgpu/passes/registers/Registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Instructions.h>

namespace gluond::amdgpu {

namespace {

// Positions are numbers of the block's instructions.
class Block {
public:
  Block(llvm::BasicBlock& block, const llvm::UniformityInfo& uniformity)
      : block_(block), uniformity_(uniformity) {
    for (llvm::Instruction& instruction : block) {
      positions_[&instruction] = order_.size();
      order_.push_back(&instruction);
    }
  }

  // The words that live at once, at most, if offsets and addresses are computed when they are
  // needed.
  int64_t peak() const {
    llvm::SmallVector<int64_t> change(order_.size() + 1);
    for (const llvm::Instruction* each : order_) {
      if (isCheap(*each) || llvm::isa<llvm::GetElementPtrInst>(each)) continue;
      size_t first = positions_.lookup(each), last = first;
      for (const llvm::User* user : each->users()) {
        auto found = positions_.find(llvm::cast<llvm::Instruction>(user));
        bool isHere = found != positions_.end() && !llvm::isa<llvm::PHINode>(user);
        last = std::max(last, isHere ? found->second : order_.size());
      }
      change[first] += words(*each);
      change[last] -= words(*each);
    }
    int64_t here = 0, most = 0;
    for (int64_t each : change)
      most = std::max(most, here += each);
    return most;
  }

  // Plans to move what takes no more words than it uses up after the last of its operands, and
  // after the loads of `inFlight` words more, which are under way while it waits for that operand.
  void plan(int64_t inFlight) {
    for (auto [at, each] : llvm::enumerate(order_)) {
      const llvm::Instruction* last = lastOperand(*each);
      if (!last || !backend::isMovable(*each) || usedUp(*each) < newWords(*each)) continue;
      size_t place = positions_.lookup(last);
      if (llvm::isa<llvm::LoadInst>(last)) place = placeAfterLoads(place, inFlight);
      if (place >= at) continue;
      positions_[each] = place;
      after_[place].push_back(each);
    }
  }
  void move() {
    for (auto& [at, moved] : after_) {
      llvm::Instruction* place = order_[at];
      for (llvm::Instruction* each : moved) {
        each->moveAfter(place);
        place = each;
      }
    }
  }

private:
  int64_t words(const llvm::Value& value) const { return vectorWords(value, uniformity_); }

  // The place after `place` where loads of so many words more have begun.
  size_t placeAfterLoads(size_t place, int64_t inFlight) const {
    while (inFlight > 0 && ++place + 1 < order_.size())
      if (llvm::isa<llvm::LoadInst>(order_[place])) inFlight -= words(*order_[place]);
    return place;
  }

  // A vector that is put together takes a word for each element so far.
  int64_t newWords(const llvm::Instruction& instruction) const {
    return llvm::isa<llvm::InsertElementInst>(instruction)
               ? 1
               : std::max<int64_t>(words(instruction), 1);
  }

  // Words of operands that nothing else uses.
  int64_t usedUp(const llvm::Instruction& instruction) const {
    int64_t sum = 0;
    for (const llvm::Value* operand : instruction.operand_values())
      if (llvm::isa<llvm::Instruction>(operand) && operand->hasOneUse()) sum += words(*operand);
    return sum;
  }

  // Null if no operand is computed in this block.
  const llvm::Instruction* lastOperand(const llvm::Instruction& instruction) const {
    const llvm::Instruction* last = nullptr;
    for (const llvm::Value* operand : instruction.operand_values()) {
      auto* computed = llvm::dyn_cast<llvm::Instruction>(operand);
      if (!computed || computed->getParent() != &block_ || llvm::isa<llvm::PHINode>(computed))
        continue;
      if (!last || positions_.lookup(last) < positions_.lookup(computed)) last = computed;
    }
    return last;
  }

  llvm::BasicBlock& block_;
  const llvm::UniformityInfo& uniformity_;
  llvm::SmallVector<llvm::Instruction*> order_;
  llvm::DenseMap<const llvm::Instruction*, size_t> positions_; // of what it follows, once moved
  llvm::DenseMap<size_t, llvm::SmallVector<llvm::Instruction*>> after_;
};

} // namespace

llvm::PreservedAnalyses PressureReductionPass::run(llvm::Function& function,
                                                   llvm::FunctionAnalysisManager& analyses) {
  if (!chip_.limits || llvm::none_of(function, isLarge)) return llvm::PreservedAnalyses::all();
  int64_t registers = registersOf(function, chip_);
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function) {
    if (!isLarge(block)) continue;
    Block known(block, uniformity);
    int64_t before = known.peak(), share = registers / 8;
    if (before <= registers - share) continue; // addresses also need some
    known.plan(share);
    if (before - known.peak() < share) continue;
    known.move();
    hasChanged = true;
  }
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
