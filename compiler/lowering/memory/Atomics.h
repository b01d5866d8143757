// Parts of atomic operations on either memory.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering {

// If several threads hold the same element, only the first one has changed it. The others, also
// those of other CTAs, read its result through the scratch of `op`.
RegisterList shareAtomicResults(FunctionEmitter& e, mlir::Operation* op, mlir::Type type,
                                RegisterList results, llvm::Value* first);
// Returns the bytes of scratch that this takes.
int64_t atomicScratchBytes(mlir::Operation* op);

inline constexpr llvm::StringLiteral noAtomicOperation =
    "the chip has no such atomic operation on elements of this type";

// Return LLVM's names for an atomic operation and for its memory order.
llvm::AtomicRMWInst::BinOp operationOf(tt::RMWOp kind);
llvm::AtomicOrdering ordering(tt::MemSemantic semantic);

} // namespace gluond::lowering
