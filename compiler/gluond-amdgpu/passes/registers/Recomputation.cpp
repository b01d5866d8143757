#include "gluond-amdgpu/passes/registers/Recomputation.h"

#include "backend/PassHelpers.h"
#include "chips/Occupancy.h"
#include "gluond-amdgpu/passes/registers/Registers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::amdgpu {

namespace {

constexpr unsigned mostRounds = 8;   // each removes the highest peak of a block
constexpr unsigned leastSaving = 32; // words

// Whether the value is a wider float of a narrow one, an element of a vector, or a float with
// another sign, which instructions give their operands themselves.
bool isWidened(const llvm::Instruction& instruction) {
  if (llvm::isa<llvm::FPExtInst>(instruction))
    return !instruction.getOperand(0)->getType()->getScalarType()->isFloatTy();
  auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call && call->getIntrinsicID() == llvm::Intrinsic::fabs) return true;
  if (instruction.getOpcode() == llvm::Instruction::FNeg) return true;
  auto* element = llvm::dyn_cast<llvm::ExtractElementInst>(&instruction);
  return element && llvm::isa<llvm::Constant>(element->getIndexOperand());
}

// Whether the instruction may as well stand right before its user: it takes the place of its only
// operand that hardly anything else uses.
bool canWait(const llvm::Instruction& instruction) {
  if (!instruction.hasOneUse() || !backend::isMovable(instruction)) return false;
  constexpr unsigned few = 2;
  return llvm::count_if(instruction.operand_values(), [](const llvm::Value* operand) {
           return llvm::isa<llvm::Instruction>(operand) && !operand->hasNUsesOrMore(few + 1);
         }) <= 1;
}

bool isWidenedOrWaits(const llvm::Instruction& instruction) {
  return isWidened(instruction) || canWait(instruction);
}

using Instructions = llvm::SmallVector<llvm::Instruction*>;
using Question = bool (*)(const llvm::Instruction&);

// A block whose cheap values are computed as late as possible, which is what LLVM's scheduler does
// where registers are short. Positions are numbers of instructions.
class Block {
public:
  Block(llvm::BasicBlock& block, const llvm::UniformityInfo& uniformity, Question isCheap)
      : block_(block), uniformity_(uniformity), isCheap_(isCheap) {
    for (llvm::Instruction& instruction : block) {
      numbers_[&instruction] = static_cast<unsigned>(order_.size());
      order_.push_back(&instruction);
    }
    findLives();
  }

  // Computes again, after the place where most words live, what is used before and after it, if
  // these are more than `words` and `isWorth` says so of the most words before and after that.
  // Returns whether it did.
  bool relieve(unsigned words, llvm::function_ref<bool(int64_t, int64_t)> isWorth) {
    auto [most, peak] = highest(changes());
    if (most <= words || order_[peak]->isTerminator()) return false;
    return recompute(peak, [&, most = most](int64_t after) { return isWorth(most, after); });
  }

private:
  struct Life {
    unsigned first = 0, last = 0;
  };
  struct Peak {
    int64_t words = 0;
    unsigned at = 0;
  };

  // By how much the words that live change, instruction by instruction.
  using Changes = llvm::SmallVector<int64_t>;
  void addLife(Changes& changes, const llvm::Instruction& value, Life life) const {
    if (life.last <= life.first) return;
    changes[life.first] += wordsOf(value);
    changes[life.last] -= wordsOf(value);
  }
  Changes changes() const {
    Changes changes(order_.size() + 1);
    for (llvm::Instruction* each : order_)
      addLife(changes, *each, lives_.lookup(each));
    return changes;
  }
  static Peak highest(const Changes& changes) {
    int64_t here = 0;
    Peak peak;
    for (auto [at, change] : llvm::enumerate(llvm::ArrayRef(changes).drop_back()))
      if ((here += change) > peak.words) peak = {here, static_cast<unsigned>(at)};
    return peak;
  }

  // The most words that live once `kept` is computed again after the peak, from the leaves.
  int64_t peakWithout(llvm::ArrayRef<llvm::Instruction*> kept) {
    Changes changed = changes();
    llvm::DenseMap<const llvm::Instruction*, unsigned> ends;
    for (llvm::Instruction* each : kept) {
      Life life = lives_.lookup(each), before{life.first, 0}, after{life.last, life.last};
      for (const llvm::User* user : each->users()) {
        unsigned at = placeOf(*user);
        if (at <= peak_) before.last = std::max(before.last, at);
        if (at > peak_) after.first = std::min(after.first, at);
      }
      changed[life.first] -= wordsOf(*each);
      changed[life.last] += wordsOf(*each);
      addLife(changed, *each, before);
      addLife(changed, *each, after);
      llvm::SmallPtrSet<const llvm::Value*, 32> leaves;
      seen_.clear();
      findLeaves(each, leaves);
      for (const llvm::Value* leaf : leaves)
        if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(leaf);
            instruction && numbers_.contains(instruction)) {
          unsigned& end = ends[instruction];
          end = std::max(end, after.first);
        }
    }
    for (auto [leaf, end] : ends)
      addLife(changed, *leaf, {lives_.lookup(leaf).last, end});
    return highest(changed).words;
  }

  bool isCheapHere(const llvm::Value* value) const {
    auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
    return instruction && instruction->getParent() == &block_ && isCheap_(*instruction);
  }

  int64_t wordsOf(const llvm::Instruction& value) const { return vectorWords(value, uniformity_); }

  // Where the user needs its operands: after the block if it is elsewhere.
  unsigned placeOf(const llvm::User& user) const {
    auto* by = llvm::cast<llvm::Instruction>(&user);
    if (by->getParent() != &block_ || llvm::isa<llvm::PHINode>(by))
      return static_cast<unsigned>(order_.size());
    return isCheapHere(by) ? lives_.lookup(by).first : numbers_.lookup(by);
  }

  void findLives() {
    auto end = static_cast<unsigned>(order_.size());
    for (llvm::Instruction* each : llvm::reverse(order_)) {
      unsigned first = end, last = 0;
      for (const llvm::User* user : each->users()) {
        unsigned at = placeOf(*user);
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

  bool recompute(unsigned peak, llvm::function_ref<bool(int64_t)> isWorth) {
    peak_ = peak;
    depends_.clear();
    copies_.clear();
    int64_t saved = 0;
    llvm::SmallPtrSet<const llvm::Value*, 32> leaves;
    Instructions kept;
    seen_.clear();
    for (llvm::Instruction* each : order_)
      if (isCheapHere(each) && isKeptAcross(each, peak) && numbers_.lookup(each) <= peak) {
        saved += wordsOf(*each);
        findLeaves(each, leaves);
        kept.push_back(each);
      }
    for (const llvm::Value* leaf : leaves)
      if (auto* instruction = llvm::dyn_cast<llvm::Instruction>(leaf))
        if (!isKeptAcross(instruction, peak)) saved -= wordsOf(*instruction);
    if (saved < leastSaving || !isWorth(peakWithout(kept))) return false;
    Instructions after;
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
    llvm::IRBuilder<> b(start);
    bool isScalar = uniformity_.isUniform(value);
    if (type->isIntegerTy(32) || type->isIntegerTy(64)) return opaqueWord(value, isScalar, true, b);
    // A register for each word: of several in a row, none is free before the last one is.
    constexpr uint64_t bitsOfWord = 32;
    uint64_t bits = type->isVectorTy() ? type->getPrimitiveSizeInBits().getFixedValue() : 0;
    if (bits == 0 || bits % bitsOfWord != 0) return value;
    auto count = static_cast<unsigned>(bits / bitsOfWord);
    auto* kept = llvm::FixedVectorType::get(b.getInt32Ty(), count);
    llvm::Value *words = b.CreateBitCast(value, kept), *all = llvm::PoisonValue::get(kept);
    for (unsigned i = 0; i < count; ++i)
      all = b.CreateInsertElement(
          all, opaqueWord(b.CreateExtractElement(words, i), isScalar, false, b), i);
    return b.CreateBitCast(all, type);
  }

  static llvm::Value* opaqueWord(llvm::Value* value, bool isScalar, bool stays,
                                 llvm::IRBuilder<>& b) {
    llvm::Type* type = value->getType();
    llvm::InlineAsm* nothing = llvm::InlineAsm::get(llvm::FunctionType::get(type, {type}, false),
                                                    "", isScalar ? "=s,0" : "=v,0", stays);
    return b.CreateCall(nothing, {value});
  }

  llvm::BasicBlock& block_;
  const llvm::UniformityInfo& uniformity_;
  Question isCheap_;
  Instructions order_;
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
      auto always = [](int64_t, int64_t) { return true; };
      if (!Block(block, uniformity, isCheap).relieve(words, always)) break;
      words = registers / 4 * 3;
      hasChanged = true;
    }
  }
  return backend::keptAfter(hasChanged);
}

llvm::PreservedAnalyses NarrowValuesPass::run(llvm::Function& function,
                                              llvm::FunctionAnalysisManager& analyses) {
  if (!chip_.limits || llvm::none_of(function, isLarge)) return llvm::PreservedAnalyses::all();
  auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  auto runsMore = [&](int64_t before, int64_t after) {
    return chips::warpsOfPart(chip_, after) > chips::warpsOfPart(chip_, before);
  };
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function)
    if (isLarge(block))
      hasChanged |= Block(block, uniformity, isWidenedOrWaits).relieve(0, runsMore);
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
