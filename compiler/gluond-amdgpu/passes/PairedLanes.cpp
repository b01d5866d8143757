#include "gluond-amdgpu/passes/PairedLanes.h"

#include "backend/PassHelpers.h"
#include "chips/Vendor.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::amdgpu {

namespace {
using namespace llvm::PatternMatch;

// Arithmetic on single floats of which there is an instruction for two.
bool hasPackedForm(const llvm::Instruction& instruction) {
  if (!instruction.getType()->isFloatTy()) return false;
  switch (instruction.getOpcode()) {
  case llvm::Instruction::FMul:
  case llvm::Instruction::FAdd:
  case llvm::Instruction::FSub:
    return true;
  case llvm::Instruction::Call: {
    auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
    return call && call->getIntrinsicID() == llvm::Intrinsic::fma;
  }
  default:
    return false;
  }
}

unsigned operandsOf(const llvm::Instruction& instruction) {
  auto* call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call ? call->arg_size() : instruction.getNumOperands();
}

bool isSum(const llvm::Value* value) {
  auto* instruction = llvm::dyn_cast<llvm::Instruction>(value);
  return instruction && (instruction->getOpcode() == llvm::Instruction::FAdd ||
                         instruction->getOpcode() == llvm::Instruction::FSub);
}

// Pairs the arithmetic of one block.
class LanePairs {
public:
  explicit LanePairs(llvm::BasicBlock& block) : block_(block) {}

  bool run() {
    llvm::SmallVector<llvm::Instruction*> all;
    for (llvm::Instruction& each : block_)
      if (hasPackedForm(each)) all.push_back(&each);
    if (all.size() < 2) return false;
    findLanes();
    for (llvm::Instruction* each : all)
      if (!done_.contains(each)) pair(*each);
    for (llvm::Instruction* each : llvm::reverse(erased_))
      each->eraseFromParent();
    return !erased_.empty();
  }

private:
  // The lanes of vectors from anywhere that this block takes out.
  void findLanes() {
    llvm::DenseMap<std::pair<llvm::Value*, uint64_t>, llvm::Value*> lanes;
    for (llvm::Instruction& each : block_) {
      llvm::Value* vector;
      uint64_t lane;
      if (each.getType()->isFloatTy() &&
          match(&each, m_ExtractElt(m_Value(vector), m_ConstantInt(lane))))
        lanes.try_emplace({vector, lane}, &each);
    }
    for (auto& [place, value] : lanes)
      if (place.second % 2 == 0)
        if (llvm::Value* next = lanes.lookup({place.first, place.second + 1})) next_[value] = next;
  }

  // Whether the two are lanes of one pair, or the same for both; or the opposites of such.
  bool areTogether(llvm::Value* first, llvm::Value* second) const {
    llvm::Value *x, *y;
    return first == second || next_.lookup(first) == second ||
           (match(first, m_FNeg(m_Value(x))) && match(second, m_FNeg(m_Value(y))) &&
            (x == y || next_.lookup(x) == y));
  }

  bool areAlike(const llvm::Instruction& first, const llvm::Instruction& second) const {
    if (&first == &second || first.getParent() != second.getParent() ||
        first.getOpcode() != second.getOpcode() || !hasPackedForm(second))
      return false;
    for (unsigned i = 0; i < operandsOf(first); ++i)
      if (!areTogether(first.getOperand(i), second.getOperand(i))) return false;
    return true;
  }

  // The instruction that computes from the pairs' second lanes what this one does from the first.
  llvm::Instruction* partnerOf(llvm::Instruction& first) const {
    for (unsigned i = 0; i < operandsOf(first); ++i)
      if (llvm::Value* lane = next_.lookup(first.getOperand(i)))
        for (llvm::User* user : lane->users()) {
          auto* second = llvm::dyn_cast<llvm::Instruction>(user);
          if (!second || done_.contains(second)) continue;
          if (second->getOpcode() == first.getOpcode() && second->isCommutative() &&
              !areAlike(first, *second) && swapped(first, *second))
            return second;
          if (areAlike(first, *second)) return second;
        }
    return nullptr;
  }

  // Swaps the operands of a sum or product if it is like the first one then.
  bool swapped(const llvm::Instruction& first, llvm::Instruction& second) const {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&second);
    if (!operation || first.getParent() != second.getParent() || &first == &second ||
        !areTogether(first.getOperand(0), second.getOperand(1)) ||
        !areTogether(first.getOperand(1), second.getOperand(0)))
      return false;
    operation->swapOperands();
    return true;
  }

  // A product and the sum that adds it are one instruction. Pairs of products keep that only if
  // the sums become pairs as well.
  bool staysFused(const llvm::Instruction& first, const llvm::Instruction& second) const {
    if (first.getOpcode() != llvm::Instruction::FMul) return true;
    auto isAdded = [](const llvm::Instruction& product) {
      return llvm::any_of(product.users(), [](const llvm::User* user) {
        return isSum(user) || llvm::isa<llvm::UnaryOperator>(user);
      });
    };
    if (!isAdded(first) && !isAdded(second)) return true;
    if (!first.hasOneUse() || !second.hasOneUse()) return false;
    auto *a = llvm::dyn_cast<llvm::BinaryOperator>(first.user_back()),
         *b = llvm::dyn_cast<llvm::BinaryOperator>(second.user_back());
    if (!a || !b || a == b || a->getOpcode() != b->getOpcode() || a->getParent() != b->getParent())
      return false;
    llvm::Value *x = a->getOperand(a->getOperand(0) == &first),
                *y = b->getOperand(b->getOperand(0) == &second);
    return areTogether(x, y);
  }

  void pair(llvm::Instruction& first) {
    llvm::Instruction* second = partnerOf(first);
    if (!second || !staysFused(first, *second)) return;
    llvm::Instruction* earlier = first.comesBefore(second) ? &first : second;
    llvm::IRBuilder<> b(earlier);
    llvm::SmallVector<llvm::Value*> operands;
    for (unsigned i = 0; i < operandsOf(first); ++i)
      operands.push_back(together(first.getOperand(i), second->getOperand(i), b));
    llvm::FastMathFlags flags = first.getFastMathFlags();
    flags &= second->getFastMathFlags();
    b.setFastMathFlags(flags);
    llvm::Value* both =
        operands.size() == 3
            ? b.CreateIntrinsic(llvm::Intrinsic::fma, {operands[0]->getType()}, operands)
            : b.CreateBinOp(static_cast<llvm::Instruction::BinaryOps>(first.getOpcode()),
                            operands[0], operands[1]);
    llvm::Value *low = b.CreateExtractElement(both, uint64_t{0}),
                *high = b.CreateExtractElement(both, uint64_t{1});
    first.replaceAllUsesWith(low);
    second->replaceAllUsesWith(high);
    next_[low] = high;
    for (llvm::Instruction* each : {&first, second}) {
      done_.insert(each);
      erased_.push_back(each);
    }
  }

  // The pair whose lanes the two are. Of opposites, the packed instruction takes the signs.
  static llvm::Value* together(llvm::Value* first, llvm::Value* second, llvm::IRBuilder<>& b) {
    if (first == second) return b.CreateVectorSplat(2, first);
    llvm::Value *x, *y;
    if (match(first, m_FNeg(m_Value(x))) && match(second, m_FNeg(m_Value(y))))
      return b.CreateFNeg(together(x, y, b));
    auto* lane = llvm::cast<llvm::ExtractElementInst>(first);
    llvm::Value* vector = lane->getVectorOperand();
    auto index =
        static_cast<int>(llvm::cast<llvm::ConstantInt>(lane->getIndexOperand())->getZExtValue());
    if (llvm::cast<llvm::FixedVectorType>(vector->getType())->getNumElements() == 2) return vector;
    return b.CreateShuffleVector(vector, {index, index + 1});
  }

  llvm::BasicBlock& block_;
  llvm::DenseMap<llvm::Value*, llvm::Value*> next_; // the second lane of a pair, by its first one
  llvm::SmallPtrSet<llvm::Instruction*, 32> done_;
  llvm::SmallVector<llvm::Instruction*> erased_;
};

} // namespace

llvm::PreservedAnalyses PairedLanesPass::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager&) {
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip_);
  // gfx1250 computes two numbers at once without pairs of registers, too.
  bool hasPackedFloats = generation >= Cdna2 && generation <= Cdna4;
  if (!hasPackedFloats) return llvm::PreservedAnalyses::all();
  bool hasChanged = false;
  for (llvm::BasicBlock& block : function)
    hasChanged |= LanePairs(block).run();
  return backend::keptAfter(hasChanged);
}

} // namespace gluond::amdgpu
