// The analyses that LLVM's passes ask for while they run.
#pragma once

#include <llvm/Passes/PassBuilder.h>

namespace gluond::backend {

// The analyses that passes of the builder may ask for, each by its manager. One that asks for costs
// is answered for the builder's machine; without a machine, by LLVM's general costs.
struct Analyses {
  explicit Analyses(llvm::PassBuilder& builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace gluond::backend
