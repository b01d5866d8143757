// Pairs of floats and small integers by instructions that compute two at once: LLVM's vectorizer of
// straight lines. It is the slowest of all passes and looks at every store and reduction, therefore
// only at functions in which a block does to two numbers what the chip does to pairs.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class PackedArithmeticPass : public llvm::PassInfoMixin<PackedArithmeticPass> {
public:
  explicit PackedArithmeticPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

// Differences of pairs are sums with the opposite: packed instructions add and take signs, but none
// subtracts, and LLVM would take the pairs apart. Nothing that makes differences again may follow.
class PackedDifferencesPass : public llvm::PassInfoMixin<PackedDifferencesPass> {
public:
  explicit PackedDifferencesPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

} // namespace gluond::amdgpu
