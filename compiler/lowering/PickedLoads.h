// The mark of a load that reads the element which an index of a gather picks. A back end may read
// several of them at once where it proves that they lie side by side; all other loads and stores
// are made as wide as the panels and lints say.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Metadata.h>

namespace gluond::lowering {

// A group of accesses, which says something of parallel loops only: LLVM drops marks of other kinds
// where it makes another load of a load, such as one of i32 of one of float.
inline llvm::LoadInst* markPicked(llvm::LoadInst* load) {
  load->setMetadata(llvm::LLVMContext::MD_access_group,
                    llvm::MDNode::getDistinct(load->getContext(), {}));
  return load;
}
inline bool isPicked(const llvm::LoadInst& load) {
  return load.getMetadata(llvm::LLVMContext::MD_access_group) != nullptr;
}

} // namespace gluond::lowering
