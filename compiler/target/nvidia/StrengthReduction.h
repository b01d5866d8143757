// Products that differ by a multiple of one factor, made out of each other: for s * (x + 3) where
// there is s * x, the sum of that and s * 3, which is one instruction on a GPU. A tile's rows are
// such products: row * stride.
//
// LLVM's own pass for this (StraightLineStrengthReduce) compares every product with every other,
// which in a kernel with a thousand of them takes most of the time that compiling takes, and splits
// sign-extended products that may wrap around, which is wrong. This one takes linear time and
// computes the same numbers modulo 2^n.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::target::nvidia {

class StrengthReduction : public llvm::PassInfoMixin<StrengthReduction> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::target::nvidia
