#include "gluond-amdgpu/passes/ConstantOffsets.h"

#include "backend/PassHelpers.h"
#include "chips/Vendor.h"

#include <llvm/Analysis/UniformityAnalysis.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::amdgpu {

namespace {

namespace match = llvm::PatternMatch;

// A number and what is added to it. `number` is null where the constant is all there is.
struct Sum {
  llvm::Value* number;
  int64_t constant;
};

// Trees of this depth: a row and a column, both with a part that differs between registers.
constexpr unsigned mostLevels = 4;

// The 32-bit number without the bits that are constant: of two numbers that have no bit in common,
// nothing is carried, and constants that are not negative leave the sign alone. What is new stands
// after the instruction that it replaces, so that a loop does not repeat it.
Sum withoutBits(llvm::Value* value, unsigned levels = mostLevels) {
  const llvm::APInt* constant = nullptr;
  if (match::match(value, match::m_APInt(constant)) && constant->isNonNegative())
    return {nullptr, constant->getSExtValue()};
  llvm::Value *left = nullptr, *right = nullptr;
  if (!levels ||
      !match::match(value, match::m_DisjointOr(match::m_Value(left), match::m_Value(right))))
    return {value, 0};
  Sum first = withoutBits(left, levels - 1), second = withoutBits(right, levels - 1);
  int64_t bits = first.constant | second.constant;
  if (!bits) return {value, 0};
  if (!first.number || !second.number) return {first.number ? first.number : second.number, bits};
  llvm::IRBuilder<> b(llvm::cast<llvm::Instruction>(value));
  return {b.CreateOr(first.number, second.number, "", true), bits};
}

Sum sumOf(llvm::Value* value) {
  llvm::Value *left = nullptr, *right = nullptr;
  if (!match::match(value, match::m_NSWAdd(match::m_Value(left), match::m_Value(right))))
    return withoutBits(value);
  const llvm::APInt* constant = nullptr;
  if (match::match(right, match::m_APInt(constant))) {
    Sum rest = withoutBits(left);
    return {rest.number, rest.constant + constant->getSExtValue()};
  }
  // Something is added to numbers of which one is not negative: without the constants, the sum is
  // between the other and the whole.
  const llvm::SimplifyQuery query(llvm::cast<llvm::Instruction>(value)->getDataLayout());
  for (auto [some, other] : {std::pair(right, left), std::pair(left, right)}) {
    Sum rest = withoutBits(some);
    if (!rest.constant || !rest.number || !llvm::isKnownNonNegative(rest.number, query)) continue;
    llvm::IRBuilder<> b(llvm::cast<llvm::Instruction>(value));
    return {b.CreateNSWAdd(other, rest.number), rest.constant};
  }
  return {value, 0};
}

// The offset that instructions can add to an address when they access memory.
int64_t mostImmediate(const chips::Chip& chip) {
  using enum chips::AmdGeneration;
  auto generation = chips::amdGenerationOf(chip);
  bool isRecent = generation == Rdna4 || generation == Cdna5;
  return int64_t(1) << (isRecent ? 23 : 12);
}

// Leaves the part of the constant that an instruction has no place for with the number; false
// where that is all of it.
bool keepLarge(Sum& sum, llvm::CastInst& cast, int64_t most) {
  if (sum.constant < 0 || most <= 1) return false;
  int64_t small = sum.constant % most, large = sum.constant - small;
  if (!large || !small) return small != 0;
  llvm::IRBuilder<> b(&cast);
  sum = {b.CreateNSWAdd(sum.number, b.getInt32(static_cast<uint32_t>(large))), small};
  return true;
}

// Leaves the number whole: LLVM adds constants that it finds in an index to the address, of 64
// bits, and finds them where numbers are known to have no bit in common.
void keepWhole(llvm::Value* value, unsigned levels = mostLevels) {
  auto* sum = llvm::dyn_cast<llvm::PossiblyDisjointInst>(value);
  if (!sum || !levels) return;
  sum->setIsDisjoint(false);
  for (llvm::Value* operand : sum->operand_values())
    keepWhole(operand, levels - 1);
}

// An index of 64 bits that is a number of 32 bits, extended.
struct Index {
  llvm::CastInst* cast;
  Sum sum;
};

std::optional<Index> indexOf(llvm::Value* index) {
  auto* cast = llvm::dyn_cast<llvm::CastInst>(index);
  llvm::Value* narrow = nullptr;
  if (!cast ||
      !(match::match(index, match::m_SExt(match::m_Value(narrow))) ||
        match::match(index, match::m_NNegZExt(match::m_Value(narrow)))) ||
      !narrow->getType()->isIntegerTy(32))
    return std::nullopt;
  Sum sum = sumOf(narrow);
  if (!sum.constant || !sum.number || llvm::isa<llvm::Constant>(sum.number)) return std::nullopt;
  return Index{cast, sum};
}

} // namespace

llvm::PreservedAnalyses ConstantOffsetsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager& analyses) {
  const llvm::DataLayout& layout = function.getDataLayout();
  const auto& uniformity = analyses.getResult<llvm::UniformityInfoAnalysis>(function);
  llvm::SmallVector<std::pair<llvm::GetElementPtrInst*, Index>> found;
  llvm::SmallVector<llvm::Value*> whole;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&each);
    if (!address || address->getNumIndices() != 1 || !address->getType()->isPointerTy() ||
        layout.getIndexTypeSizeInBits(address->getType()) != 64)
      continue;
    std::optional<Index> index = indexOf(address->getOperand(1));
    if (!index) continue;
    auto size = static_cast<int64_t>(
        layout.getTypeAllocSize(address->getSourceElementType()).getFixedValue());
    // An instruction adds a 32-bit number to an address that is the same for all lanes.
    if (llvm::isa<llvm::ZExtInst>(index->cast) &&
        uniformity.isUniform(address->getPointerOperand()) &&
        !keepLarge(index->sum, *index->cast, mostImmediate(chip_) / size)) {
      whole.push_back(index->cast->getOperand(0));
      continue;
    }
    found.push_back({address, *index});
  }
  for (auto& [address, index] : found) {
    llvm::IRBuilder<> b(index.cast);
    llvm::Value* number = b.CreateSExt(index.sum.number, b.getInt64Ty());
    b.SetInsertPoint(address);
    llvm::Type* element = address->getSourceElementType();
    auto size = static_cast<int64_t>(layout.getTypeAllocSize(element).getFixedValue());
    llvm::Value* first = b.CreateGEP(element, address->getPointerOperand(), number);
    llvm::Value* moved = b.CreateConstGEP1_64(b.getInt8Ty(), first,
                                              static_cast<uint64_t>(index.sum.constant * size));
    address->replaceAllUsesWith(moved);
    address->eraseFromParent();
  }
  for (llvm::Value* number : whole)
    keepWhole(number);
  return backend::keptAfter(!found.empty() || !whole.empty());
}

} // namespace gluond::amdgpu
