// Parts of atomic operations on either memory.
#pragma once

#include "lowering/Emitter.h"

namespace gluond::lowering {

// Where several threads hold the same element only the first did it: the others, of other CTAs too,
// read its result through the scratch of `op`.
RegisterList shareAtomicResults(Emitter& e, mlir::Operation* op, mlir::Type type,
                                RegisterList results, llvm::Value* first);
// How much scratch that takes.
int64_t atomicScratchBytes(mlir::Operation* op);

} // namespace gluond::lowering
