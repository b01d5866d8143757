// Values that are cheap are computed again where keeping them would take more registers than there
// are.
//
// Tensors' masks and offsets are shared by all accesses to the same elements. Where a thread makes
// hundreds of accesses, all of them live from the first access to the last one. LLVM's register
// allocator cannot undo that: it spills, after a search whose time grows with the square of what
// lives. Computed again after the first accesses, most values live for a few instructions only.
#pragma once

#include "chips/Chip.h"

#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

class RecomputationPass : public llvm::PassInfoMixin<RecomputationPass> {
public:
  explicit RecomputationPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

// Narrow floats are widened again where keeping them wide lets fewer programs run at once: a row of
// halves that a reduction needs, and then the result, stays as halves between the two.
class NarrowValuesPass : public llvm::PassInfoMixin<NarrowValuesPass> {
public:
  explicit NarrowValuesPass(const chips::Chip& chip) : chip_(chip) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  const chips::Chip& chip_;
};

} // namespace gluond::amdgpu
