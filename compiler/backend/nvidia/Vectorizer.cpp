#include "backend/nvidia/Vectorizer.h"

#include "backend/Analyses.h"

#include <llvm/Transforms/Vectorize/SLPVectorizer.h>
#include <llvm/Transforms/Vectorize/VectorCombine.h>

namespace gluond::backend::nvidia {

llvm::PreservedAnalyses Vectorizer::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  // Analyses of its own: those of the pipeline know the target's costs.
  llvm::PassBuilder builder;
  Analyses analyses(builder);
  llvm::FunctionPassManager passes;
  passes.addPass(llvm::SLPVectorizerPass());
  passes.addPass(llvm::VectorCombinePass());
  passes.run(function, analyses.functions);
  return llvm::PreservedAnalyses::none();
}

} // namespace gluond::backend::nvidia
