// Helpers of this folder's handlers: questions about the chip, and small pieces of code.
#pragma once

#include "chips/Vendor.h"
#include "lowering/FunctionEmitter.h"
#include "lowering/Predicated.h"

namespace gluond::lowering::amd {

using Generation = chips::AmdGeneration;

const chips::Chip& chipOf(FunctionEmitter& e);
bool has(FunctionEmitter& e, chips::Feature feature);
inline Generation generationOf(const chips::Chip& chip) {
  return chips::amdGenerationOf(chip).value_or(Generation::Cdna3);
}
inline Generation generationOf(FunctionEmitter& e) {
  return generationOf(chipOf(e));
}
// Whether a warp has 64 lanes, and the instructions are those of CDNA 1 to 4 or of the GCN before
// them. RDNA and CDNA 5 have warps of 32 lanes and other instructions.
inline bool isCdna(Generation generation) {
  return generation <= Generation::Cdna4;
}
// Whether the chip is of CDNA 5; fails with "WHAT gfx1250 on AMD GPUs" where not.
inline constexpr llvm::StringLiteral cdna5Words = "gfx1250 on AMD GPUs";
bool needsCdna5(FunctionEmitter& e, mlir::Operation* op, llvm::Twine what);

// LLVM's name of a scope: "agent".
llvm::SyncScope::ID syncScope(FunctionEmitter& e, tt::MemSyncScope scope);
// A fence that orders shared memory only, for the threads of a CTA.
void fenceShared(FunctionEmitter& e, llvm::AtomicOrdering order);
// The warps of a group wait for each other, and nothing else.
void meet(FunctionEmitter& e, const WarpGroup& group);

// A word as a vector of `count` elements, and the elements of one.
llvm::Value* vectorOf(FunctionEmitter& e, Registers elements);
RegisterList elementsOf(FunctionEmitter& e, llvm::Value* vector);

// Registers of a layout by their place in thread 0.
llvm::DenseMap<uint64_t, unsigned> registersByPlace(const LinearLayout& layout);

// The 32-bit constant of instructions that take a cache policy ("aux", "cpol").
unsigned cacheBits(FunctionEmitter& e, mlir::Attribute policy, bool isLoad);

// ttg.dot_scaled's and the conversions' 8-bit floats: AMD's own have another bias.
enum class Fp8 : uint8_t { None, E4M3, E5M2, E4M3Fnuz, E5M2Fnuz };
Fp8 fp8Of(mlir::Type type);

// The ops that are AMD's own, and those that it compiles in its own way.
llvm::ArrayRef<OpRow> asyncCopyOps();
llvm::ArrayRef<OpRow> barrierOps();
llvm::ArrayRef<OpRow> bufferOps();
llvm::ArrayRef<OpRow> dotOps();
llvm::ArrayRef<OpRow> floatConversionOps();
llvm::ArrayRef<OpRow> laneSwapOps();
llvm::ArrayRef<OpRow> libraryOps();
llvm::ArrayRef<OpRow> sliceOps();
llvm::ArrayRef<OpRow> tdmOps();
llvm::ArrayRef<OpRow> tdmRowOps();
llvm::ArrayRef<OpRow> tensorDescriptorOps();
llvm::ArrayRef<OpRow> transposedLoadOps();

} // namespace gluond::lowering::amd
