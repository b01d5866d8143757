#include "gluond-amdgpu/passes/registers/Recomputation.h"

#include "backend/PassHelpers.h"
#include "gluond-amdgpu/passes/registers/Registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::amdgpu {

namespace {

constexpr unsigned mostRounds = 8;   // each removes the highest peak of a block
constexpr unsigned leastSaving = 32; // words

// A block whose cheap values are computed as late as possible, which is what LLVM's scheduler does
// where registers are short. Positions are numbers of instructions.
class Block {
public:
  Block(llvm::BasicBlock& block, const llvm::UniformityInfo& uniformity)
      : block_(block), uniformity_(uniformity) {
    for (llvm::Instruction& instruction : block) {
      numbers_[&instruction] = static_cast<unsigned>(order_.size());
      order_.push_back(&instruction);
    }
    findLives();
  }

  // Computes again, after the place where most words live, what is used before and after it.
  // Returns whether that saved anything.
  bool relieve(unsigned words) {
    llvm::SmallVector<int64_t> change(order_.size() + 1);
    for (llvm::Instruction* each : order_) {
      Life life = lives_.lookup(each);
      if (life.last <= life.first) continue;
      change[life.first] += wordsOf(*each);
      change[life.last] -= wordsOf(*each);
    }
    int64_t here = 0, most = 0;
    unsigned peak = 0;
    for (unsigned i = 0; i < order_.size(); ++i) {
      here += change[i];
      if (here > most) {
        most = here;
        peak = i;
      }
    }
    if (most <= words || order_[peak]->isTerminator()) return false;
    return recompute(peak);
  }

private:
  struct Life {
    unsigned first = 0, last = 0;
  };

  bool isCheapHere(const llvm::Value* value) const {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && instruction->getParent() == &block_ && isCheap(*instruction);
  }

  int64_t wordsOf(const llvm::Instruction& value) const { return vectorWords(value, uniformity_); }

  void findLives() {
    auto end = static_cast<unsigned>(order_.size());
    for (llvm::Instruction* each : llvm::reverse(order_)) {
      unsigned first = end, last = 0;
      for (const llvm::User* user : each->users()) {
        auto* by = llvm::cast<llvm::Instruction>(user);
        bool isHere = by->getParent() == &block_ && !llvm::isa<llvm::PHINode>(by);
        unsigned at = !isHere           ? end
                      : isCheapHere(by) ? lives_.lookup(by).first
                                        : numbers_.lookup(by);
        first = std::min(first, at);
        last = std::max(last, at);
      }
      lives_[each] = {isCheapHere(each) ? first : numbers_.lookup(each), last};
    }
  }

  bool isKeptAcross(const llvm::Instruction* value, unsigned peak) const {
    Life life = lives_.lookup(value);
    return life.first <= peak && life.last > peak;
  }

  bool recompute(unsigned peak) {
    peak_ = peak;
    depends_.clear();
    copies_.clear();
    int64_t saved = 0;
    llvm::SmallPtrSet<const llvm::Value*, 32> leaves;
    for (llvm::Instruction* each : order_)
      if (isCheapHere(each) && isKeptAcross(each, peak) && numbers_.lookup(each) <= peak) {
        saved += wordsOf(*each);
        findLeaves(each, leaves);
      }
    for (const llvm::Value* leaf : leaves)
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(leaf))
        if (!isKeptAcross(instruction, peak)) saved -= wordsOf(*instruction);
    if (saved < leastSaving) return false;
    llvm::SmallVector<llvm::Instruction*> after;
    for (unsigned i = peak + 1; i < order_.size(); ++i)
      after.push_back(order_[i]);
    llvm::Instruction* start = after.front();
    for (llvm::Instruction* user : after)
      for (llvm::Use& use : user->operands())
        if (dependsOnKept(use.get())) use.set(copyOf(use.get(), user, start));
    for (llvm::Instruction* each : order_)
      if (dependsOnKept(each))
        for (llvm::Use& use : llvm::make_early_inc_range(each->uses()))
          if (auto* user = llvm::cast<llvm::Instruction>(use.getUser());
              user->getParent() != &block_ || llvm::isa<llvm::PHINode>(user))
            use.set(copyOf(each, block_.getTerminator(), start));
    return true;
  }

  void findLeaves(llvm::Value* value, llvm::SmallPtrSetImpl<const llvm::Value*>& leaves) {
    if (llvm::isa<llvm::Constant>(value)) return;
    if (!isCheapHere(value)) {
      leaves.insert(value);
      return;
    }
    if (!seen_.insert(value).second) return;
    for (llvm::Value* operand : llvm::cast<llvm::Instruction>(value)->operands())
      findLeaves(operand, leaves);
  }

  // Whether the value is one that is kept across the peak, or computed from one.
  bool dependsOnKept(llvm::Value* value) {
    if (!isCheapHere(value)) return false;
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    auto number = numbers_.find(instruction);
    if (number == numbers_.end() || number->second > peak_) return false; // a copy, or after it
    if (auto known = depends_.find(value); known != depends_.end()) return known->second;
    bool depends = isKeptAcross(instruction, peak_) ||
                   llvm::any_of(instruction->operands(),
                                [&](llvm::Value* operand) { return dependsOnKept(operand); });
    return depends_[value] = depends;
  }

  // The value computed again before `user`, or before an earlier one that also uses it.
  llvm::Value* copyOf(llvm::Value* value, llvm::Instruction* user, llvm::Instruction* start) {
    if (llvm::isa<llvm::Constant>(value)) return value;
    if (auto known = copies_.find(value); known != copies_.end()) return known->second;
    if (!isCheapHere(value)) return copies_[value] = opaque(value, start);
    llvm::Instruction* copy = llvm::cast<llvm::Instruction>(value)->clone();
    for (llvm::Use& use : copy->operands())
      use.set(copyOf(use.get(), user, start));
    copy->insertBefore(user->getIterator());
    return copies_[value] = copy;
  }

  // The same value, of which LLVM does not know that it is the same: it would use the first
  // computation again.
  llvm::Value* opaque(llvm::Value* value, llvm::Instruction* start) const {
    llvm::Type* type = value->getType();
    if (!type->isIntegerTy(32) && !type->isIntegerTy(64)) return value;
    llvm::IRBuilder<> b(start);
    bool isScalar = uniformity_.isUniform(value);
    llvm::InlineAsm* nothing =
        llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false), "",
                             isScalar ? "=s,0" : "=v,0", /*hasSideEffects=*/true);
    return b.CreateCall(nothing, {value});
  }

  llvm::BasicBlock& block_;
  const llvm::UniformityInfo& uniformity_;
  llvm::SmallVector<llvm::Instruction*> order_;
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  llvm::DenseMap<const llvm::Value*, Life> lives_;
  llvm::SmallPtrSet<const llvm::Value*, 32> seen_;
  llvm::DenseMap<const llvm::Value*, bool> depends_;
  llvm::DenseMap<const llvm::Value*, llvm::Value*> copies_;
  unsigned peak_ = 0;
};

} // namespace

llvm::PreservedAnalyses RecomputationPass::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  if (!chip_.limits || llvm::none_of(function, isLarge)) return llvm::PreservedAnalyses::all();
  unsigned registers = registersOf(function, chip_);
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function) {
    if (!isLarge(block)) continue;
    // Once a block is changed, it also gets room for what is computed meanwhile.
    unsigned words = registers;
    for (unsigned round = 0; round < mostRounds; ++round) {
      if (!Block(block, uniformity).relieve(words)) break;
      words = registers / 4 * 3;
      hasChanged = true;
    }
  }
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
