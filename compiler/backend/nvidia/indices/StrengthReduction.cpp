#include "backend/nvidia/indices/StrengthReduction.h"

#include "backend/PassHelpers.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::backend::nvidia {

namespace {

// A value that is  base + multiple * factor.  Bases are numbered: two values with the same number
// are the same sum of products, apart from the multiple.
struct Form {
  unsigned base = 0;
  llvm::Value* factor = nullptr;
  llvm::APInt multiple;
};
using Forms = llvm::SmallVector<Form, 2>;

bool isSum(const llvm::Instruction& instruction) {
  if (instruction.getOpcode() == llvm::Instruction::Add) return true;
  auto* either = llvm::dyn_cast<llvm::PossiblyDisjointInst>(&instruction);
  return either && either->isDisjoint();
}

// x + 3 as x and 3; anything else as itself and 0.
std::pair<llvm::Value*, llvm::APInt> splitConstant(llvm::Value* value) {
  auto* sum = llvm::dyn_cast<llvm::BinaryOperator>(value);
  if (sum && isSum(*sum))
    if (auto* constant = llvm::dyn_cast<llvm::ConstantInt>(sum->getOperand(1)))
      return {sum->getOperand(0), constant->getValue()};
  return {value, llvm::APInt(value->getType()->getIntegerBitWidth(), 0)};
}

class Reducer {
public:
  explicit Reducer(const llvm::DominatorTree& dominators) : dominators_(dominators) {}

  bool run(llvm::Function& function) {
    for (llvm::BasicBlock* block : llvm::ReversePostOrderTraversal<llvm::Function*>(&function))
      for (llvm::Instruction& instruction : llvm::make_early_inc_range(*block))
        if (auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(&instruction);
            operation && operation->getType()->isIntegerTy())
          visit(*operation);
    for (llvm::WeakVH& handle : replaced_)
      if (auto* instruction = llvm::dyn_cast_or_null<llvm::Instruction>(&*handle))
        llvm::RecursivelyDeleteTriviallyDeadInstructions(instruction);
    return !replaced_.empty();
  }

private:
  enum Kind : unsigned { Product, Sum };
  unsigned number(Kind kind, uintptr_t first, llvm::Value* second) {
    auto [at, isNew] = numbers_.try_emplace({{kind, first}, second}, numbers_.size());
    return at->second;
  }

  Forms formsOf(llvm::BinaryOperator& operation) {
    Forms forms;
    llvm::Value *left = operation.getOperand(0), *right = operation.getOperand(1);
    if (operation.getOpcode() == llvm::Instruction::Mul) {
      for (auto [varying, factor] : {std::pair(left, right), std::pair(right, left)}) {
        if (llvm::isa<llvm::Constant>(factor) || llvm::isa<llvm::Constant>(varying)) continue;
        auto [rest, constant] = splitConstant(varying);
        forms.push_back(
            {number(Product, reinterpret_cast<uintptr_t>(rest), factor), factor, constant});
      }
    } else if (isSum(operation)) {
      for (auto [product, other] : {std::pair(left, right), std::pair(right, left)})
        // A product of several sums stays: derived from another product, it is all that they need.
        if (auto known = forms_.find(product); known != forms_.end() && product->hasOneUse())
          for (const Form& form : known->second)
            if (forms.size() < mostForms)
              forms.push_back({number(Sum, form.base, other), form.factor, form.multiple});
    }
    return forms;
  }

  void visit(llvm::BinaryOperator& operation) {
    Forms forms = formsOf(operation);
    if (forms.empty()) return;
    llvm::Value* value = &operation;
    for (const Form& form : forms)
      if (llvm::Value* cheaper = outOfAnother(form, operation)) {
        value = cheaper;
        operation.replaceAllUsesWith(value);
        replaced_.emplace_back(&operation);
        break;
      }
    for (const Form& form : forms)
      leaders_[{form.base, form.factor}].try_emplace(value, form.multiple);
    forms_[value] = std::move(forms);
  }

  // Returns an existing value of the same base and a multiple of the factor, or null.
  llvm::Value* outOfAnother(const Form& form, llvm::BinaryOperator& at) {
    auto leader = leaders_.find({form.base, form.factor});
    if (leader == leaders_.end()) return nullptr;
    llvm::Instruction* before = leader->second.value;
    llvm::APInt times = form.multiple - leader->second.multiple;
    if (times.isZero() || !dominators_.dominates(before, &at)) return nullptr;
    dropFlags(before);
    llvm::IRBuilder<> b(&at);
    llvm::Value* step = b.CreateMul(form.factor, b.getInt(times));
    return b.CreateAdd(before, step);
  }

  // The flags of one sum (that it does not wrap around) do not hold for another.
  void dropFlags(llvm::Value* value) {
    auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(value);
    if (!operation || !llvm::isa<llvm::OverflowingBinaryOperator>(operation)) return;
    operation->setHasNoSignedWrap(false);
    operation->setHasNoUnsignedWrap(false);
    for (llvm::Value* operand : operation->operands())
      if (forms_.count(operand) || splitConstant(operand).first != operand) dropFlags(operand);
  }

  // The first value of each base and factor.
  struct Leader {
    llvm::Instruction* value = nullptr;
    llvm::APInt multiple;
    void try_emplace(llvm::Value* first, const llvm::APInt& times) {
      if (value) return;
      value = llvm::dyn_cast<llvm::Instruction>(first);
      multiple = times;
    }
  };
  static constexpr size_t mostForms = 4;

  const llvm::DominatorTree& dominators_;
  llvm::DenseMap<std::pair<std::pair<unsigned, uintptr_t>, llvm::Value*>, unsigned> numbers_;
  llvm::DenseMap<llvm::Value*, Forms> forms_;
  llvm::DenseMap<std::pair<unsigned, llvm::Value*>, Leader> leaders_;
  llvm::SmallVector<llvm::WeakVH> replaced_;
};

} // namespace

llvm::PreservedAnalyses StrengthReduction::run(llvm::Function& function,
                                               llvm::FunctionAnalysisManager& analyses) {
  return keptAfter(
      Reducer(analyses.getResult<llvm::DominatorTreeAnalysis>(function)).run(function));
}

} // namespace gluond::backend::nvidia
