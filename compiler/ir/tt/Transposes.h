// Folding of transposes, of tensors and of buffers.
#pragma once

#include <llvm/ADT/Sequence.h>
#include <mlir/IR/Value.h>

namespace gluond::tt {

// Whether the order leaves each dimension where it is.
inline bool isIdentity(llvm::ArrayRef<int32_t> order) {
  return llvm::equal(order, llvm::seq<int32_t>(0, static_cast<int32_t>(order.size())));
}

// Makes a transpose of a transpose one of the first source. Returns null for other sources.
template <class Op> mlir::Value mergeTransposes(Op op) {
  auto inner = op.getSrc().template getDefiningOp<Op>();
  if (!inner) return {};
  llvm::SmallVector<int32_t> order;
  for (int32_t i : op.getOrder())
    order.push_back(inner.getOrder()[i]);
  op.setOrder(order);
  op->setOperand(0, inner.getSrc());
  return op.getResult();
}

} // namespace gluond::tt
