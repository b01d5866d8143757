// Parts of atomic operations on either memory.
#pragma once

#include "ir/tt/Dialect.h"
#include "lowering/Emitter.h"

namespace gluond::lowering {

// "add.f32", "min.s64"; empty where PTX has none for the type.
std::string atomicInstruction(tt::RMWOp kind, llvm::Type* type);
// One predicated instruction with one result; `operands` follow the address.
llvm::Value* atomicOperation(Emitter& e, llvm::StringRef text, llvm::Value* predicate,
                             llvm::Value* address, Registers operands, llvm::Type* type);
// `text` ("atom.global.relaxed.gpu.add.u32") without a result, where that is what `op` asks for and
// PTX has it; false where not.
bool reduces(Emitter& e, llvm::StringRef text, llvm::Value* predicate, llvm::Value* address,
             llvm::Value* operand, mlir::Operation* op);
// Where several threads hold the same element only the first did it: the others, of other CTAs too,
// read its result through the scratch of `op`.
RegisterList shareAtomicResults(Emitter& e, mlir::Operation* op, mlir::Type type,
                                RegisterList results, llvm::Value* first);

} // namespace gluond::lowering
