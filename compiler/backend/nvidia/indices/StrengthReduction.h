// Derives products that differ by a multiple of one factor from each other: s * (x + 3) becomes s *
// x + s * 3 if s * x exists, which is one instruction on a GPU. The rows of a tile are such
// products: row * stride.
//
// LLVM's own pass for this (StraightLineStrengthReduce) compares every product with every other,
// which takes most of the compile time of a kernel with a thousand of them, and splits
// sign-extended products that may wrap around, which is wrong. This one takes linear time and
// computes the same numbers modulo 2^n.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class StrengthReduction : public llvm::PassInfoMixin<StrengthReduction> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
