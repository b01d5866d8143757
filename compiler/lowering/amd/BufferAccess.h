// Accesses to global memory through a descriptor of a buffer and 32-bit offsets.
#pragma once

#include "ir/amdg/Ops.h"
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering::amd {

// Returns how many neighbouring registers of `offsets` one access takes, 16 bytes at most. `mask`
// may be null; `contiguity` is what the op itself promises.
unsigned bufferElements(FunctionEmitter& e, mlir::Value pointer, mlir::Value offsets,
                        mlir::Value mask, int64_t contiguity);
// Returns the descriptor of all memory from `pointer` on that offsets reach.
llvm::Value* bufferOf(FunctionEmitter& e, llvm::Value* pointer);
// Returns an element's offset in bytes, or one beyond the buffer where the predicate does not hold.
// A null predicate always holds.
llvm::Value* bufferOffset(FunctionEmitter& e, llvm::Value* offset, unsigned elementBits,
                          llvm::Value* predicate);

} // namespace gluond::lowering::amd
