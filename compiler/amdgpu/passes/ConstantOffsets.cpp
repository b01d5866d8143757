#include "amdgpu/passes/ConstantOffsets.h"

#include "target/Changes.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/PatternMatch.h>

namespace gluond::amdgpu {

namespace {

namespace match = llvm::PatternMatch;

// An extended sum of a 32-bit number and a constant, both of which may be extended by themselves.
struct Sum {
  llvm::Value* number;
  int64_t constant;
};

std::optional<Sum> sumOf(llvm::Value* index) {
  llvm::Value *sum = nullptr, *number = nullptr;
  const llvm::APInt* constant = nullptr;
  if (!match::match(index, match::m_SExt(match::m_Value(sum))) || !sum->getType()->isIntegerTy(32))
    return std::nullopt;
  // No bit is set on both sides, so that nothing is carried, and the sign is the number's.
  bool isSum =
      match::match(sum, match::m_DisjointOr(match::m_Value(number), match::m_APInt(constant)))
          ? constant->isNonNegative()
          : match::match(sum, match::m_NSWAdd(match::m_Value(number), match::m_APInt(constant)));
  if (!isSum || llvm::isa<llvm::Constant>(number)) return std::nullopt;
  return Sum{number, constant->getSExtValue()};
}

} // namespace

llvm::PreservedAnalyses ConstantOffsetsPass::run(llvm::Function& function,
                                                 llvm::FunctionAnalysisManager&) {
  const llvm::DataLayout& layout = function.getDataLayout();
  llvm::SmallVector<std::pair<llvm::GetElementPtrInst*, Sum>> found;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    auto* address = llvm::dyn_cast<llvm::GetElementPtrInst>(&each);
    if (!address || address->getNumIndices() != 1 || !address->getType()->isPointerTy() ||
        layout.getIndexTypeSizeInBits(address->getType()) != 64)
      continue;
    if (auto sum = sumOf(address->getOperand(1))) found.push_back({address, *sum});
  }
  for (auto& [address, sum] : found) {
    llvm::IRBuilder<> b(address);
    llvm::Type* element = address->getSourceElementType();
    auto size = static_cast<int64_t>(layout.getTypeAllocSize(element).getFixedValue());
    llvm::Value* first = b.CreateGEP(element, address->getPointerOperand(),
                                     b.CreateSExt(sum.number, b.getInt64Ty()));
    llvm::Value* moved =
        b.CreateConstGEP1_64(b.getInt8Ty(), first, static_cast<uint64_t>(sum.constant * size));
    address->replaceAllUsesWith(moved);
    address->eraseFromParent();
  }
  return target::keptAfter(!found.empty());
}

} // namespace gluond::amdgpu
