// Rounding to bfloat, and choices among bfloats, on chips without instructions for it.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/IR/PassManager.h>

namespace gluond::amdgpu {

// As in Triton's code, each NaN becomes the same one (0x7fff): LLVM's way keeps the bits of the NaN
// and takes an instruction more.
void roundBFloats(llvm::Module& module);

// Takes minima and maxima of bfloats as floats, of which the upper half is the result: LLVM would
// round it, though a choice is exact. InstCombine makes choices among bfloats of those among
// numbers that were widened, so that this pass must come after it.
class WideChoicesPass : public llvm::PassInfoMixin<WideChoicesPass> {
public:
  // Whether the chip chooses among pairs of bfloats.
  explicit WideChoicesPass(bool hasPairs) : hasPairs_(hasPairs) {}
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);

private:
  bool hasPairs_;
};

} // namespace gluond::amdgpu
