// Sums and products of widened numbers that are rounded back are computed in the narrow type:
//
//   half(float(a) * float(b))  becomes  a * b,
//
// the same number, as a float has room for the exact product of two halves, and rounding the sum of
// two twice is rounding it once. LLVM's InstCombine does it for single numbers; conversions of
// tensors are made in pairs. It has done it for small integers (the weights of a product) since
// version 23.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

struct NarrowArithmetic : llvm::PassInfoMixin<NarrowArithmetic> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

} // namespace gluond::backend::nvidia
