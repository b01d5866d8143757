// Barriers in shared memory that several CTAs of a cluster may share. A CTA's memory within the
// cluster is told by bits 24 and up of an address; of CTAs that share a barrier the one with the
// lowest number has it.
#pragma once

#include "lowering/FunctionEmitter.h"

namespace gluond::lowering::nvidia {

// The bits of the CTA's number along which a buffer is one and the same.
uint32_t sharedBlocks(mlir::Value buffer);
// Returns the address of the barrier that this CTA is to use.
llvm::Value* leaderAddress(FunctionEmitter& e, mlir::Value barrier);
// Returns whether this CTA has the barrier, or null if each CTA has its own.
llvm::Value* isLeader(FunctionEmitter& e, mlir::Value barrier);
// The part of a copy's name which says whose barrier it tells, where CTAs work in pairs:
// "cta_group::2." if the pair has it together.
llvm::StringRef copyGroup(FunctionEmitter& e, mlir::Value barrier);
// Returns the set, a bit for each, of the CTAs that differ from this one in `blocks` only.
llvm::Value* multicastMask(FunctionEmitter& e, uint32_t blocks);

} // namespace gluond::lowering::nvidia
