// Helpers of this folder's handlers: questions about the chip, and the text of PTX.
#pragma once

#include "chips/Chip.h"
#include "lowering/FunctionEmitter.h"

namespace gluond::lowering::nvidia {

// Features that came with Blackwell, to all of its chips: arithmetic of two fp32 in one
// instruction, and conversions from fp4.
constexpr chips::Feature packedFloats = chips::Feature::LaunchControl,
                         fp4Conversions = chips::Feature::LaunchControl;
// What came with Rubin: packed arithmetic of four floats, and of types that differ; arrivals at the
// barriers of several CTAs at once.
constexpr chips::Feature mixedPackedArithmetic = chips::Feature::ScalesAlongK,
                         multicastArrivals = chips::Feature::ScalesAlongK;
// What came with Ampere: two floats become two halves in one instruction.
constexpr chips::Feature narrowedPairs = chips::Feature::AsyncCopy;
// Features that came with Hopper to all chips since: arithmetic of two halves, of either kind, and
// the smaller magnitude of two floats.
constexpr chips::Feature packedHalves = chips::Feature::MbarrierTry,
                         smallerMagnitude = chips::Feature::MbarrierTry;

bool has(FunctionEmitter& e, chips::Feature feature);
const chips::Chip& chipOf(FunctionEmitter& e);
// Returns whether the chip has the feature. If not, it fails with "WHAT sm_90 or later".
bool needs(FunctionEmitter& e, mlir::Operation* op, chips::Feature feature, llvm::Twine what);

// Whether the CTAs of the kernel's clusters work in pairs with one matrix unit for both.
bool hasTwoCtas(FunctionEmitter& e);

// Return whether this is the one lane of its warp, or the one thread of the group, that acts for
// the others.
llvm::Value* elect(FunctionEmitter& e);
llvm::Value* electOne(FunctionEmitter& e);

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
llvm::ArrayRef<OpRow> floatOps();
llvm::ArrayRef<OpRow> dotOps();
llvm::ArrayRef<OpRow> floatConversionOps();
llvm::ArrayRef<OpRow> gridDependencyOps();
llvm::ArrayRef<OpRow> launchControlOps();
llvm::ArrayRef<OpRow> packedArithmeticOps();
llvm::ArrayRef<OpRow> tensorCoreOps();
llvm::ArrayRef<OpRow> tensorMemoryAccessOps();
llvm::ArrayRef<OpRow> tensorMemoryOps();
llvm::ArrayRef<OpRow> tmaOps();
llvm::ArrayRef<OpRow> tmaRowOps();
llvm::ArrayRef<OpRow> warpGroupDotOps();

} // namespace gluond::lowering::nvidia
