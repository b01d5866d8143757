// Offsets whose distances are the same for all lanes are computed from one of them.
//
// The rows of a thread are at `(x | 32) * stride + y`, `(x | 64) * stride + y` and so on: a product
// of vectors for each, which is slow. `x * stride + y` is one product for all, and the scalar unit
// computes `32 * stride`. Only offsets into buffers, which count modulo 2^32.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class UniformDistancesPass : public llvm::PassInfoMixin<UniformDistancesPass> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::amdgpu
