// Puts the operands of a sum of two products into the order that they have in Triton's code. Of the
// two, the back end makes the first one part of the sum, and rounds the other.
//
// LLVM's Reassociate orders the operands by rank: by the block, and by how much they are computed
// of there. Functions of NVIDIA's library end a block in Triton's code (LibraryBranches.h), so that
// what follows from the later ones ranks above all that follows from the earlier ones.
#pragma once

#include <llvm/IR/PassManager.h>

namespace gluond::backend::nvidia {

class ProductOrder : public llvm::PassInfoMixin<ProductOrder> {
public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

} // namespace gluond::backend::nvidia
