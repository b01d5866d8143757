// Finds out how the elements are aligned that a gather picks, so that LLVM loads neighbors by one
// instruction. Other accesses keep the width that the lowering gave them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class PickedAlignment : public llvm::PassInfoMixin<PickedAlignment> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
