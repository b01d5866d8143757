// The tables of ops that every target has, one family a file, and how a target adds its own.
#pragma once

#include "lowering/TargetEmitter.h"

namespace gluond::lowering {

llvm::ArrayRef<OpRow> arithmeticOps();
llvm::ArrayRef<OpRow> conversionOps(); // between element types
llvm::ArrayRef<OpRow> mathOps();
llvm::ArrayRef<OpRow> sanitizerOps();
llvm::ArrayRef<OpRow> controlOps();
llvm::ArrayRef<OpRow> shapeOps();
llvm::ArrayRef<OpRow> globalMemoryOps();
llvm::ArrayRef<OpRow> atomicOps();
llvm::ArrayRef<OpRow> sharedMemoryOps();
llvm::ArrayRef<OpRow> convertLayoutOps();
llvm::ArrayRef<OpRow> reduceOps();
llvm::ArrayRef<OpRow> scanOps();
llvm::ArrayRef<OpRow> gatherOps();
llvm::ArrayRef<OpRow> assemblyOps();
llvm::ArrayRef<OpRow> messageOps(); // from the kernel to the host
llvm::ArrayRef<OpRow> warpSpecializeOps();

// All of these, and a target's own tables. A target's row takes the place of a shared one of the
// same op.
HandlerTable withSharedHandlers(llvm::ArrayRef<llvm::ArrayRef<OpRow>> own);
// The shared ones alone, for targets without a lowering, of which only the scratch memory of
// operations is known.
const HandlerTable& sharedHandlers();
// For a target's own handler, which leaves some forms of its op to the shared one: lowers the op as
// the shared handler does, and returns the scratch memory that it then needs.
bool lowerAsShared(FunctionEmitter& e, mlir::Operation* op);
int64_t scratchBytesAsShared(mlir::Operation* op);

} // namespace gluond::lowering
