#include "backend/nvidia/masks/MergedBounds.h"

#include "backend/PassHelpers.h"
#include "backend/nvidia/masks/Comparison.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Support/KnownBits.h>

#include <map>
#include <vector>

namespace gluond::backend::nvidia {

namespace {

bool isAnd(const llvm::User* user) {
  auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
  return operation && operation->getOpcode() == llvm::Instruction::And &&
         operation->getType()->isIntegerTy(1);
}

// Conjunctions that something else than a conjunction uses, in the order of their addresses.
using Masks = std::vector<llvm::Instruction*>;

// The masks that a comparison is part of: none if it is used by itself, or in too many.
Masks masksOf(llvm::ICmpInst& comparison) {
  constexpr size_t mostConjunctions = 32;
  Masks masks;
  llvm::SmallVector<llvm::Instruction*> todo{&comparison};
  llvm::SmallPtrSet<llvm::Instruction*, 8> known;
  while (!todo.empty()) {
    llvm::Instruction* each = todo.pop_back_val();
    bool isMask = false;
    for (llvm::User* user : each->users()) {
      auto* conjunction = isAnd(user) ? llvm::cast<llvm::Instruction>(user) : nullptr;
      isMask |= !conjunction;
      if (conjunction && known.insert(conjunction).second) todo.push_back(conjunction);
    }
    if ((isMask && each == &comparison) || known.size() > mostConjunctions) return {};
    if (isMask) masks.push_back(each);
  }
  llvm::sort(masks);
  return masks;
}

// A comparison that holds where a number is less than `bound`, or, if inclusive, equal to it.
struct Below {
  llvm::ICmpInst* comparison = nullptr;
  llvm::Value* bound = nullptr;
  bool isInclusive = false;
};

// What masks say of a number.
struct Said {
  llvm::SmallVector<Below, 2> below;
  llvm::ICmpInst* fromZero = nullptr; // zero or more
};

// The bounds that one comparison is to be enough for: numbers of values in the order of their
// first use.
struct Bounds {
  std::vector<unsigned> exclusive, inclusive;
  bool isFromZero = false;
  bool mayBeMost = false; // a number that is compared with them may be the greatest of its type

  size_t size() const { return exclusive.size() + inclusive.size() + (isFromZero ? 1 : 0); }
  friend bool operator<(const Bounds& a, const Bounds& b) {
    return std::tie(a.exclusive, a.inclusive, a.isFromZero, a.mayBeMost) <
           std::tie(b.exclusive, b.inclusive, b.isFromZero, b.mayBeMost);
  }
};

// The only bound.
struct Bound {
  llvm::Value* value = nullptr;
  bool isInclusive = false;
  llvm::Value* mayBeBelow = nullptr; // unless this holds, no number is below the bound; or null
};

class Merger {
public:
  Merger(llvm::Function& function, const llvm::DominatorTree& dominators)
      : function_(function), dominators_(dominators) {}

  bool run() {
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(llvm::instructions(function_)))
      if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction)) splitSigns(*comparison);
    for (llvm::Instruction& instruction : llvm::instructions(function_))
      if (auto* comparison = llvm::dyn_cast<llvm::ICmpInst>(&instruction);
          comparison && comparison->getOperand(0)->getType()->isIntegerTy())
        note(*comparison);
    for (auto& [key, said] : said_)
      joinOdd(key.first, key.second, said);
    std::map<Bounds, unsigned> times;
    for (auto& [key, said] : said_)
      ++times[boundsOf(key.second, said)];
    bool hasChanged = false;
    for (auto& [key, said] : said_) {
      Bounds bounds = boundsOf(key.second, said);
      if (bounds.size() < 2 || times[bounds] < 2) continue;
      merge(key.second, said, bounds);
      hasChanged = true;
    }
    return hasChanged;
  }

private:
  using Key = std::pair<Masks, llvm::Value*>;

  // LLVM writes 0 <= x & 0 <= y as 0 <= (x | y).
  void splitSigns(llvm::ICmpInst& comparison) {
    auto* both = llvm::dyn_cast<llvm::BinaryOperator>(comparison.getOperand(0));
    auto* least = llvm::dyn_cast<llvm::ConstantInt>(comparison.getOperand(1));
    if (comparison.getPredicate() != llvm::CmpInst::ICMP_SGT || !least || !least->isMinusOne() ||
        !both || both->getOpcode() != llvm::Instruction::Or ||
        !llvm::all_of(comparison.users(), isAnd))
      return;
    llvm::Value* holds = nullptr;
    for (llvm::Value* part : both->operands()) {
      llvm::Value*& isPositive = signs_[part];
      if (!isPositive) {
        PlaceBehind behind(function_, dominators_);
        behind.add(part);
        llvm::BasicBlock::iterator at = behind.place();
        isPositive = llvm::IRBuilder<>(at->getParent(), at).CreateICmpSGT(part, least);
      }
      holds = holds ? llvm::IRBuilder<>(&comparison).CreateAnd(holds, isPositive) : isPositive;
    }
    comparison.replaceAllUsesWith(holds);
    comparison.eraseFromParent();
    if (both->use_empty()) both->eraseFromParent();
  }

  void note(llvm::ICmpInst& comparison) {
    auto compared = signedComparison(comparison);
    if (!compared) return;
    Masks masks = masksOf(comparison);
    if (masks.empty()) return;
    auto [low, high, isInclusive] = *compared;
    if (auto* least = llvm::dyn_cast<llvm::ConstantInt>(low)) {
      if (isInclusive ? least->isZero() : least->isMinusOne())
        said_[{std::move(masks), high}].fromZero = &comparison;
      return;
    }
    said_[{std::move(masks), low}].below.push_back({&comparison, high, isInclusive});
    if (numbers_.try_emplace(high, values_.size()).second) values_.push_back(high);
  }

  // LLVM writes (x | 1) <= n as x < n where x is even.
  void joinOdd(const Masks& masks, llvm::Value* number, Said& said) {
    auto* odd = llvm::dyn_cast<llvm::PossiblyDisjointInst>(number);
    auto* one =
        odd && odd->isDisjoint() ? llvm::dyn_cast<llvm::ConstantInt>(odd->getOperand(1)) : nullptr;
    auto even = one && one->isOne() ? said_.find({masks, odd->getOperand(0)}) : said_.end();
    if (even == said_.end()) return;
    for (Below& each : even->second.below)
      if (!each.isInclusive) said.below.push_back({each.comparison, each.bound, true});
    llvm::erase_if(even->second.below, [](const Below& each) { return !each.isInclusive; });
  }

  Bounds boundsOf(llvm::Value* number, const Said& said) {
    Bounds bounds;
    for (const Below& each : said.below)
      (each.isInclusive ? bounds.inclusive : bounds.exclusive).push_back(numbers_.at(each.bound));
    for (auto* side : {&bounds.exclusive, &bounds.inclusive}) {
      llvm::sort(*side);
      side->erase(llvm::unique(*side), side->end());
    }
    bounds.isFromZero = said.fromZero && bounds.inclusive.empty();
    bounds.mayBeMost = !bounds.inclusive.empty() && !bounds.exclusive.empty() &&
                       llvm::computeKnownBits(number, function_.getDataLayout())
                           .getSignedMaxValue()
                           .isMaxSignedValue();
    return bounds;
  }

  // Computes the bound behind the last of the bounds that it is made of.
  Bound boundOf(const Bounds& bounds) {
    PlaceBehind last(function_, dominators_);
    for (auto* side : {&bounds.exclusive, &bounds.inclusive})
      for (unsigned number : *side)
        last.add(values_[number]);
    llvm::BasicBlock::iterator at = last.place();
    llvm::IRBuilder<> b(at->getParent(), at);
    auto least = [&](llvm::ArrayRef<unsigned> side) {
      llvm::Value* value = nullptr;
      for (unsigned number : side)
        value = value ? b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, value, values_[number])
                      : values_[number];
      return value;
    };
    llvm::Value *exclusive = least(bounds.exclusive), *inclusive = least(bounds.inclusive);
    if (!exclusive) return {inclusive, true, nullptr};
    llvm::Type* type = exclusive->getType();
    unsigned bits = type->getIntegerBitWidth();
    auto constant = [&](const llvm::APInt& value) { return llvm::ConstantInt::get(type, value); };
    if (bounds.isFromZero)
      return {
          b.CreateBinaryIntrinsic(llvm::Intrinsic::smax, exclusive, constant(llvm::APInt(bits, 0))),
          false, nullptr};
    if (!inclusive) return {exclusive, false, nullptr};
    llvm::Value* one = constant(llvm::APInt(bits, 1));
    llvm::APInt most = llvm::APInt::getSignedMaxValue(bits), fewest = ~most;
    if (bounds.mayBeMost)
      return {
          b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, inclusive, b.CreateSub(exclusive, one)),
          true, b.CreateICmpSGT(exclusive, constant(fewest))};
    llvm::Value* behind = b.CreateAdd(
        b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, inclusive, constant(most - 1)), one);
    return {b.CreateBinaryIntrinsic(llvm::Intrinsic::smin, behind, exclusive), false, nullptr};
  }

  // In the place of the last of the comparisons. The others hold then: all of them are part of the
  // same masks.
  void merge(llvm::Value* number, const Said& said, const Bounds& bounds) {
    auto [known, isNew] = made_.try_emplace(bounds);
    if (isNew) known->second = boundOf(bounds);
    const Bound& bound = known->second;
    llvm::SmallVector<llvm::ICmpInst*> comparisons;
    for (const Below& each : said.below)
      comparisons.push_back(each.comparison);
    if (bounds.isFromZero) comparisons.push_back(said.fromZero);
    llvm::ICmpInst* last = comparisons.front();
    for (llvm::ICmpInst* each : comparisons)
      if (dominators_.dominates(last, each)) last = each;
    llvm::IRBuilder<> b(last);
    llvm::CmpInst::Predicate predicate = bound.isInclusive   ? llvm::CmpInst::ICMP_SLE
                                         : bounds.isFromZero ? llvm::CmpInst::ICMP_ULT
                                                             : llvm::CmpInst::ICMP_SLT;
    llvm::Value* merged = b.CreateICmp(predicate, number, bound.value);
    if (bound.mayBeBelow) merged = b.CreateAnd(bound.mayBeBelow, merged);
    for (llvm::ICmpInst* each : comparisons) {
      each->replaceAllUsesWith(each == last ? merged : b.getTrue());
      each->eraseFromParent();
    }
  }

  llvm::Function& function_;
  const llvm::DominatorTree& dominators_;
  std::vector<llvm::Value*> values_; // that are bounds
  llvm::DenseMap<llvm::Value*, unsigned> numbers_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> signs_; // of values that LLVM had put together
  llvm::MapVector<Key, Said, std::map<Key, unsigned>> said_;
  std::map<Bounds, Bound> made_;
};

} // namespace

llvm::PreservedAnalyses MergedBounds::run(llvm::Function& function,
                                          llvm::FunctionAnalysisManager& analyses) {
  return keptAfter(
      Merger(function, analyses.getResult<llvm::DominatorTreeAnalysis>(function)).run());
}

} // namespace gluond::backend::nvidia
