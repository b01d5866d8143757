// The combining functions of reductions and scans.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// Runs a combiner's block on two tuples of scalars; its results in `out`. False after fail().
inline bool combine(FunctionEmitter& e, mlir::Block& combiner, Registers left, Registers right,
                    llvm::SmallVectorImpl<llvm::Value*>& out) {
  size_t count = left.size();
  for (size_t i = 0; i < count; ++i) {
    e.set(combiner.getArgument(static_cast<unsigned>(i)), left[i]);
    e.set(combiner.getArgument(static_cast<unsigned>(count + i)), right[i]);
  }
  if (!e.region(combiner)) return false;
  out.clear();
  for (mlir::Value result : combiner.getTerminator()->getOperands())
    out.push_back(e.scalar(result));
  return true;
}

// Returns the value, of any element type, of the lane with the number `lane`.
llvm::Value* shuffle(FunctionEmitter& e, llvm::Value* value, llvm::Value* lane);
// Returns the value of the lane whose number differs in `bits`.
llvm::Value* shuffleXor(FunctionEmitter& e, llvm::Value* value, unsigned bits);

// Returns the value of the lane whose number is smaller by `distance` (greater, if that is
// negative), or any value if there is no such lane.
llvm::Value* shuffleBefore(FunctionEmitter& e, llvm::Value* value, int distance);

// Returns the bytes of an element in memory.
inline int64_t elementBytes(mlir::Type type) {
  type = mlir::getElementTypeOrSelf(type);
  return mlir::isa<tt::PointerType>(type) ? 8 : std::max<int64_t>(1, tt::bitWidth(type) / 8);
}

} // namespace gluond::lowering
