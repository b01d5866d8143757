// Helpers for the instructions of Blackwell's tensor core: tcgen05.mma, tcgen05.cp and
// tcgen05.commit.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering::nvidia {

// tcgen05.commit: an arrival at the barrier when all operations that the thread issued so far are
// complete, where `predicate` holds; also in the CTAs that share one of `buffers` with this one.
void commit(FunctionEmitter& e, mlir::Value barrier, llvm::Value* predicate,
            mlir::ValueRange buffers);

// Copies from shared to tensor memory.
bool copyToTensorMemory(FunctionEmitter& e, mlir::Operation* op);

} // namespace gluond::lowering::nvidia
