// Global loads of a loop stand together, above the exchanges through shared memory between them:
// lowering puts a tensor's load right before the exchange that the tensor is for, and no assembler
// moves a load above a barrier, so that each turn of the loop would wait for memory once for every
// tensor. Only where nothing that the kernel writes to global memory can come before the loads.
//
// In any block, loads that the addresses of others depend on, such as the indices of rows, stand
// together, above what is computed with the rows: all of these are under way then.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class EarlyLoads : public llvm::PassInfoMixin<EarlyLoads> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
