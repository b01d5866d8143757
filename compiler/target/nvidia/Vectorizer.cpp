#include "target/nvidia/Vectorizer.h"

#include <llvm/Passes/PassBuilder.h>
#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

namespace gluond::target::nvidia {

llvm::PreservedAnalyses Vectorizer::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  // Managers of its own: those of the pipeline know the target's costs.
  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
  llvm::PassBuilder builder;
  builder.registerModuleAnalyses(modules);
  builder.registerCGSCCAnalyses(components);
  builder.registerFunctionAnalyses(functions);
  builder.registerLoopAnalyses(loops);
  builder.crossRegisterProxies(loops, functions, components, modules);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(llvm::VectorCombinePass());

  passes.run(function, functions);
  return llvm::PreservedAnalyses::none();
}

} // namespace gluond::target::nvidia
