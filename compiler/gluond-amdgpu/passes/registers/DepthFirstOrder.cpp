#include "gluond-amdgpu/passes/registers/DepthFirstOrder.h"

#include "backend/PassHelpers.h"
#include "gluond-amdgpu/passes/registers/Registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Instructions.h>

namespace gluond::amdgpu {

namespace {

using Instructions = llvm::SmallVector<llvm::Instruction*>;

// Instructions of a block that follow each other and may change places.
class Stretch {
public:
  Stretch(llvm::ArrayRef<llvm::Instruction*> before, const llvm::UniformityInfo& uniformity)
      : before_(before), uniformity_(uniformity) {
    for (auto [number, each] : llvm::enumerate(before))
      numbers_[each] = number;
  }

  // Orders the instructions if fewer words live then, by a part of 1/`share` at least. Returns
  // whether it did.
  bool order(std::optional<int64_t> share) {
    for (llvm::Instruction* each : before_)
      if (isNeededOutside(*each)) add(each);
    if (after_.size() != before_.size()) return false;
    int64_t before = peak(before_), least = share ? before / *share : 0;
    if (peak(after_) + least >= before) return false;
    llvm::Instruction* end = before_.back()->getNextNode();
    for (llvm::Instruction* each : after_)
      each->moveBefore(end->getIterator());
    return true;
  }

private:
  bool isHere(const llvm::Value* value) const {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && numbers_.contains(instruction);
  }
  bool isNeededOutside(const llvm::Instruction& instruction) const {
    return instruction.use_empty() ||
           llvm::any_of(instruction.users(), [&](const llvm::User* user) { return !isHere(user); });
  }

  // Adds the instruction after all that it needs.
  void add(llvm::Instruction* instruction) {
    llvm::SmallVector<std::pair<llvm::Instruction*, unsigned>> open{{instruction, 0}};
    while (!open.empty()) {
      auto& [user, operand] = open.back();
      if (operand == 0 && isAdded_.contains(user)) {
        open.pop_back();
      } else if (operand < user->getNumOperands()) {
        llvm::Value* needed = user->getOperand(operand++);
        if (isHere(needed) && !isAdded_.contains(llvm::cast<llvm::Instruction>(needed)))
          open.push_back({llvm::cast<llvm::Instruction>(needed), 0});
      } else {
        if (isAdded_.insert(user).second) after_.push_back(user);
        open.pop_back();
      }
    }
  }

  // The most words that live at once, of those whose lives the order changes.
  int64_t peak(llvm::ArrayRef<llvm::Instruction*> order) const {
    llvm::DenseMap<const llvm::Value*, size_t> last;
    for (auto [at, user] : llvm::enumerate(order))
      for (const llvm::Value* operand : user->operand_values())
        if (llvm::isa<llvm::Instruction>(operand)) last[operand] = at;
    llvm::SmallVector<int64_t> change(order.size() + 1);
    llvm::DenseMap<const llvm::Value*, bool> lives;
    for (auto [value, at] : last)
      if (!isNeededAfter(*llvm::cast<llvm::Instruction>(value))) {
        change[at] -= vectorWords(*value, uniformity_);
        if (!isHere(value)) change[0] += vectorWords(*value, uniformity_);
      }
    for (auto [at, each] : llvm::enumerate(order))
      change[at] += vectorWords(*each, uniformity_);
    int64_t here = 0, most = 0;
    for (int64_t each : change)
      most = std::max(most, here += each);
    return most;
  }

  bool isNeededAfter(const llvm::Instruction& value) const {
    return llvm::any_of(value.users(), [&](const llvm::User* user) {
      if (isHere(user)) return false;
      auto* by = llvm::cast<llvm::Instruction>(user);
      return by->getParent() != before_.front()->getParent() || llvm::isa<llvm::PHINode>(by) ||
             before_.back()->comesBefore(by);
    });
  }

  llvm::ArrayRef<llvm::Instruction*> before_;
  const llvm::UniformityInfo& uniformity_;
  llvm::DenseMap<const llvm::Instruction*, size_t> numbers_;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> isAdded_;
  Instructions after_;
};

} // namespace

llvm::PreservedAnalyses DepthFirstOrderPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  // A wave of 32 lanes waits for the result of the instruction before; one of 64 lanes does not.
  std::optional<int64_t> share;
  if (constexpr unsigned most = 32; chip_.warpSize == most) share = 8;
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function) {
    Instructions stretch;
    auto end = [&] {
      constexpr size_t least = 8;
      if (stretch.size() >= least && Stretch(stretch, uniformity).order(share)) hasChanged = true;
      stretch.clear();
    };
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block))
      if (backend::isMovable(instruction))
        stretch.push_back(&instruction);
      else
        end();
  }
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
