#include "backend/nvidia/accesses/PickedAlignment.h"

#include "backend/PassHelpers.h"
#include "lowering/PickedLoads.h"

#include <llvm/Analysis/AssumptionCache.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/Local.h>

namespace gluond::backend::nvidia {

llvm::PreservedAnalyses PickedAlignment::run(llvm::Function& function,
                                             llvm::FunctionAnalysisManager& analyses) {
  bool hasChanged = false;
  for (llvm::Instruction& each : llvm::instructions(function)) {
    auto* load = llvm::dyn_cast<llvm::LoadInst>(&each);
    if (!load || !lowering::isPicked(*load)) continue;
    llvm::Align known =
        llvm::getKnownAlignment(load->getPointerOperand(), load->getDataLayout(), load,
                                &analyses.getResult<llvm::AssumptionAnalysis>(function),
                                &analyses.getResult<llvm::DominatorTreeAnalysis>(function));
    if (known <= load->getAlign()) continue;
    load->setAlignment(known);
    hasChanged = true;
  }
  return keptAfter(hasChanged);
}

} // namespace gluond::backend::nvidia
