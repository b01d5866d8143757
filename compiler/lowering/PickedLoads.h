// The mark of a load that reads the element which an index of a gather picks. A back end may read
// several of them at once where it proves that they lie side by side; all other loads and stores
// are made as wide as the panels and lints say.
#pragma once

#include <llvm/IR/Instructions.h>
#include <llvm/IR/Metadata.h>

namespace gluond::lowering {

inline constexpr llvm::StringLiteral pickedMark = "gluond.picked";

inline llvm::LoadInst* markPicked(llvm::LoadInst* load) {
  load->setMetadata(pickedMark, llvm::MDNode::get(load->getContext(), {}));
  return load;
}
inline bool isPicked(const llvm::LoadInst& load) {
  return load.getMetadata(pickedMark) != nullptr;
}

} // namespace gluond::lowering
