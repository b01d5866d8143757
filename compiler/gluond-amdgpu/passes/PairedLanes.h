// Neighboring lanes of a vector of floats that go through the same arithmetic go through it
// together, by an instruction for two numbers.
//
//     exp2(v[0] * c), exp2(v[1] * c)      ->      w = v * {c, c}; exp2(w[0]), exp2(w[1])
//
// LLVM's vectorizer of straight lines starts at what becomes a vector in the end. The arithmetic
// before exponentials, comparisons and maxima, which have no packed instructions, never does, but
// what it is made from often is one: the result of a matrix instruction or of a load.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class PairedLanesPass : public llvm::PassInfoMixin<PairedLanesPass> {
public:
  explicit PairedLanesPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

} // namespace gluond::amdgpu
