#include "gluond-amdgpu/passes/UniformDistances.h"

#include "backend/PassHelpers.h"

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/IR/ValueHandle.h>
#include <llvm/Transforms/Utils/Local.h>

#include <map>
#include <set>

namespace gluond::amdgpu {

namespace {

namespace match = llvm::PatternMatch;

// A number, and what it is multiplied by beside a constant. Both are numbers of values (Offsets);
// `none` stands for 1.
struct Product {
  unsigned number, factor;
  auto operator<=>(const Product&) const = default;
};
constexpr unsigned none = 0;

// Products and how often each counts, modulo 2^32.
using Sum = std::map<Product, uint32_t>;

// An offset, and the part of it that is the same for all lanes.
struct Offset {
  llvm::Instruction* root;
  Sum uniform;
};

class Offsets {
public:
  Offsets(llvm::Function& function, llvm::FunctionAnalysisManager& analyses)
      : function_(function),
        uniformity_(analyses.getResult<llvm::UniformityInfoAnalysis>(function)),
        dominators_(analyses.getResult<llvm::DominatorTreeAnalysis>(function)) {}

  bool run() {
    for (llvm::Instruction& each : llvm::instructions(function_))
      if (auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&each))
        if (llvm::Value* offset = offsetOf(*call)) addRoots(offset);
    llvm::SmallVector<llvm::WeakTrackingVH> replaced;
    for (const auto& [sum, offsets] : groups_)
      if (offsets.size() > 1 && hasFactor(sum)) rewrite(offsets, replaced);
    llvm::RecursivelyDeleteTriviallyDeadInstructionsPermissive(replaced);
    return !replaced.empty();
  }

private:
  static llvm::Value* offsetOf(llvm::IntrinsicInst& call) {
    switch (call.getIntrinsicID()) {
    case llvm::Intrinsic::amdgcn_raw_ptr_buffer_load:
      return call.getArgOperand(1);
    case llvm::Intrinsic::amdgcn_raw_ptr_buffer_load_lds:
      return call.getArgOperand(3);
    case llvm::Intrinsic::amdgcn_raw_ptr_buffer_store:
      return call.getArgOperand(2);
    default:
      return nullptr;
    }
  }

  // Numbers that an offset is chosen from, in a loop too.
  void addRoots(llvm::Value* offset) {
    llvm::SmallVector<llvm::Value*> open{offset};
    while (!open.empty()) {
      auto* each = llvm::dyn_cast<llvm::Instruction>(open.pop_back_val());
      if (!each || !each->getType()->isIntegerTy(32) || !seen_.insert(each).second) continue;
      llvm::Value* inner = nullptr;
      if (llvm::isa<llvm::PHINode, llvm::SelectInst>(each)) {
        llvm::append_range(open, each->operand_values());
      } else if (match::match(each, match::m_Shl(match::m_Value(inner), match::m_ConstantInt())) &&
                 llvm::isa<llvm::PHINode, llvm::SelectInst>(inner)) {
        open.push_back(inner);
      } else if (!uniformity_.isUniform(each)) {
        Sum divergent;
        Offset found{each, {}};
        split(each, 1, none, divergent, found.uniform, mostLevels);
        for (const auto& [product, times] : divergent)
          if (llvm::isa_and_nonnull<llvm::PHINode>(values_[product.number]))
            open.push_back(values_[product.number]);
        groups_[divergent].push_back(std::move(found));
      }
    }
  }

  // Adds `times` * `factor` * `value` to one of the sums.
  void split(llvm::Value* value, uint32_t times, unsigned factor, Sum& divergent, Sum& uniform,
             unsigned levels) {
    llvm::Value *left = nullptr, *right = nullptr;
    const llvm::APInt* constant = nullptr;
    auto inner = [&](llvm::Value* part, uint32_t by) {
      split(part, times * by, factor, divergent, uniform, levels - 1);
    };
    auto isUniform = [&](llvm::Value* each) { return uniformity_.isUniform(each); };
    if (match::match(value, match::m_APInt(constant))) {
      add(uniform, {none, factor}, times * static_cast<uint32_t>(constant->getZExtValue()));
    } else if (isUniform(value)) {
      add(uniform, {numberOf(value), factor}, times);
    } else if (levels &&
               match::match(value, match::m_AddLike(match::m_Value(left), match::m_Value(right)))) {
      inner(left, 1);
      inner(right, 1);
    } else if (levels &&
               match::match(value, match::m_Shl(match::m_Value(left), match::m_APInt(constant))) &&
               constant->ult(bitsOfOffset)) {
      inner(left, uint32_t{1} << constant->getZExtValue());
    } else if (levels && factor == none &&
               match::match(value, match::m_Mul(match::m_Value(left), match::m_Value(right))) &&
               !llvm::isa<llvm::Constant>(right) && (isUniform(left) || isUniform(right))) {
      if (isUniform(left)) std::swap(left, right);
      split(left, times, numberOf(right), divergent, uniform, levels - 1);
    } else {
      add(divergent, {numberOf(value), factor}, times);
    }
  }

  static void add(Sum& sum, const Product& product, uint32_t times) {
    if ((sum[product] += times) == 0) sum.erase(product);
  }

  unsigned numberOf(llvm::Value* value) {
    auto [known, isNew] = numbers_.try_emplace(value, values_.size());
    if (isNew) values_.push_back(value);
    return known->second;
  }

  static bool hasFactor(const Sum& sum) {
    return llvm::any_of(sum, [](const auto& part) { return part.first.factor != none; });
  }

  // The offset that is known wherever the most of the others are computed.
  const Offset& first(llvm::ArrayRef<Offset> offsets) const {
    const Offset* found = &offsets.front();
    for (const Offset& each : offsets)
      if (dominators_.dominates(each.root, found->root)) found = &each;
    return *found;
  }

  void rewrite(llvm::ArrayRef<Offset> offsets,
               llvm::SmallVectorImpl<llvm::WeakTrackingVH>& replaced) {
    const Offset& shared = first(offsets);
    if (scalarsOf(offsets, shared) > mostScalars) return;
    forgetBounds(shared.root, mostLevels);
    for (const Offset& offset : offsets) {
      if (!dominators_.dominates(shared.root, offset.root)) continue;
      Sum distance = distanceOf(offset, shared);
      llvm::IRBuilder<> b(offset.root);
      llvm::Value* whole = shared.root;
      // The constant last: it is part of an instruction, and other elements share the rest.
      uint32_t constant = distance[Product{none, none}];
      distance.erase(Product{none, none});
      if (!distance.empty()) whole = b.CreateAdd(whole, make(distance, b));
      if (constant) whole = b.CreateAdd(whole, b.getInt32(constant));
      offset.root->replaceAllUsesWith(whole);
      replaced.push_back(offset.root);
    }
  }

  static Sum distanceOf(const Offset& offset, const Offset& from) {
    Sum distance = offset.uniform;
    for (const auto& [product, times] : from.uniform)
      add(distance, product, -times);
    return distance;
  }

  // How many scalar registers hold the distances, where a loop does not compute them again.
  static size_t scalarsOf(llvm::ArrayRef<Offset> offsets, const Offset& shared) {
    std::set<Sum> different;
    for (const Offset& offset : offsets) {
      Sum distance = distanceOf(offset, shared);
      distance.erase(Product{none, none}); // a constant takes none
      if (!distance.empty()) different.insert(std::move(distance));
    }
    return different.size();
  }

  // An offset that no lane uses may be beyond the bounds that others keep.
  static void forgetBounds(llvm::Value* value, unsigned levels) {
    auto* computed = llvm::dyn_cast<llvm::OverflowingBinaryOperator>(value);
    if (!levels ||
        !(computed || match::match(value, match::m_Or(match::m_Value(), match::m_Value()))))
      return;
    auto* instruction = llvm::cast<llvm::Instruction>(value);
    if (computed) instruction->dropPoisonGeneratingFlags();
    for (llvm::Value* operand : instruction->operand_values())
      if (llvm::isa<llvm::Instruction>(operand)) forgetBounds(operand, levels - 1);
  }

  llvm::Value* make(const Sum& sum, llvm::IRBuilder<>& b) {
    llvm::Value* whole = nullptr;
    for (const auto& [product, times] : sum) {
      llvm::Value* part = b.getInt32(times);
      for (unsigned each : {product.number, product.factor})
        if (each != none) part = b.CreateMul(values_[each], part);
      whole = whole ? b.CreateAdd(whole, part) : part;
    }
    return whole;
  }

  static constexpr unsigned mostLevels = 8, bitsOfOffset = 32, mostScalars = 8;

  llvm::Function& function_;
  const llvm::UniformityInfo& uniformity_;
  llvm::DominatorTree& dominators_;
  std::map<Sum, llvm::SmallVector<Offset>> groups_;
  llvm::SmallVector<llvm::Value*> values_{nullptr}; // by number; that of `none` is null
  llvm::DenseMap<const llvm::Value*, unsigned> numbers_;
  llvm::SmallPtrSet<const llvm::Value*, 32> seen_;
};

} // namespace

llvm::PreservedAnalyses UniformDistancesPass::run(llvm::Function& function,
                                                  llvm::FunctionAnalysisManager& analyses) {
  return backend::keptAfter(Offsets(function, analyses).run());
}

} // namespace gluond::amdgpu
