// Packs the factors of packed sums. LLVM's SLP vectorizer makes one addition of two where that
// alone is cheaper, and leaves the products that are added as they are:
//
//   {x0, x1} + {a0 * b0, a1 * b1}   becomes   {x0, x1} + {a0, a1} * {b0, b1},
//
// which the back end fuses, as it does with one number, and as Triton's LLVM mostly does.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::target::nvidia {

class PackedFactors : public llvm::PassInfoMixin<PackedFactors> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::target::nvidia
