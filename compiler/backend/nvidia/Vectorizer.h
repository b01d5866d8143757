// Makes instructions of two floats out of neighbouring ones. Which products and sums are packed
// decides which of them the back end fuses, and so how they are rounded: Triton runs LLVM's
// vectorizers without a target, with LLVM's general costs, and so does this pass where a chip
// calculates with pairs of fp32. It shows them the code as they see Triton's: loads as assembly,
// floats narrowed one by one, and borders of blocks at functions of NVIDIA's library.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class Vectorizer : public llvm::PassInfoMixin<Vectorizer> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Where a constant times a pair is subtracted, the negative constant is added, after LLVM chose the
// form that it takes for numbers that are no pairs.
void negateConstantsOfPairs(llvm::Function& function);

} // namespace gluond::backend::nvidia
