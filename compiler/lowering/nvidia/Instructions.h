// What this folder's handlers share: questions about the chip, and the text of PTX.
#pragma once

#include "lowering/Emitter.h"

namespace gluond::lowering::nvidia {

// 90 for sm_90.
int capabilityOf(Emitter& e);
// Whether the chip is sm_`capability` or later; fails with "WHAT sm_90 or later" where not.
bool needs(Emitter& e, mlir::Operation* op, int capability, llvm::Twine what);

// True in one lane of each warp; in one thread of the group.
llvm::Value* elect(Emitter& e);
llvm::Value* electOne(Emitter& e);

// "{$3, $4}", or "$3" for one: operands of assembly, by number.
std::string operandList(unsigned first, unsigned count);
std::string bracedOperands(unsigned first, unsigned count);
// PTX's name for a scope: "cta", "gpu", "sys".
llvm::StringRef scopeName(tt::MemSyncScope scope);

// Whether the call ends a meeting of the lanes of a warp, or of more.
bool isBarrier(const llvm::CallInst& call);

// The ops that are NVIDIA's own, and those that it compiles in its own way.
llvm::ArrayRef<OpRow> asyncCopyOps();
llvm::ArrayRef<OpRow> barrierOps();
llvm::ArrayRef<OpRow> dotOps();
llvm::ArrayRef<OpRow> floatConversionOps();
llvm::ArrayRef<OpRow> gridDependencyOps();
llvm::ArrayRef<OpRow> tmaOps();
llvm::ArrayRef<OpRow> warpGroupDotOps();

} // namespace gluond::lowering::nvidia
