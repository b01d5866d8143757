// Helpers that conversions of small floats with scales (ScaledConversions.cpp) share with those
// without.
#pragma once

#include "lowering/Elementwise.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

inline bool hasFiveBits(Fp8 kind) {
  return kind == Fp8::E5M2 || kind == Fp8::E5M2Fnuz;
}

// One intrinsic for each pair of an 8-bit format and a wider one.
struct Conversion {
  unsigned fp8, bf8;
  unsigned of(Fp8 kind) const { return hasFiveBits(kind) ? bf8 : fp8; }
};
struct ConversionsOf {
  Conversion toFloat, toHalf, toBFloat;
  const Conversion& of(llvm::Type* type) const {
    return type->isHalfTy() ? toHalf : type->isBFloatTy() ? toBFloat : toFloat;
  }
};
// The intrinsics that also take a scale.
inline constexpr ConversionsOf fromCdna4 = {{llvm::Intrinsic::amdgcn_cvt_scalef32_pk_f32_fp8,
                                             llvm::Intrinsic::amdgcn_cvt_scalef32_pk_f32_bf8},
                                            {llvm::Intrinsic::amdgcn_cvt_scalef32_pk_f16_fp8,
                                             llvm::Intrinsic::amdgcn_cvt_scalef32_pk_f16_bf8},
                                            {llvm::Intrinsic::amdgcn_cvt_scalef32_pk_bf16_fp8,
                                             llvm::Intrinsic::amdgcn_cvt_scalef32_pk_bf16_bf8}},
                               toCdna4 = {{llvm::Intrinsic::amdgcn_cvt_scalef32_pk_fp8_f32,
                                           llvm::Intrinsic::amdgcn_cvt_scalef32_pk_bf8_f32},
                                          {llvm::Intrinsic::amdgcn_cvt_scalef32_pk_fp8_f16,
                                           llvm::Intrinsic::amdgcn_cvt_scalef32_pk_bf8_f16},
                                          {llvm::Intrinsic::amdgcn_cvt_scalef32_pk_fp8_bf16,
                                           llvm::Intrinsic::amdgcn_cvt_scalef32_pk_bf8_bf16}},
                               fromCdna5 = {{llvm::Intrinsic::amdgcn_cvt_scale_pk8_f32_fp8,
                                             llvm::Intrinsic::amdgcn_cvt_scale_pk8_f32_bf8},
                                            {llvm::Intrinsic::amdgcn_cvt_scale_pk8_f16_fp8,
                                             llvm::Intrinsic::amdgcn_cvt_scale_pk8_f16_bf8},
                                            {llvm::Intrinsic::amdgcn_cvt_scale_pk8_bf16_fp8,
                                             llvm::Intrinsic::amdgcn_cvt_scale_pk8_bf16_bf8}},
                               toCdna5 = {{llvm::Intrinsic::amdgcn_cvt_scalef32_pk8_fp8_f32,
                                           llvm::Intrinsic::amdgcn_cvt_scalef32_pk8_bf8_f32},
                                          {llvm::Intrinsic::amdgcn_cvt_scalef32_pk8_fp8_f16,
                                           llvm::Intrinsic::amdgcn_cvt_scalef32_pk8_bf8_f16},
                                          {llvm::Intrinsic::amdgcn_cvt_scalef32_pk8_fp8_bf16,
                                           llvm::Intrinsic::amdgcn_cvt_scalef32_pk8_bf8_bf16}};

// Returns `values`, with copies of the last one up to `count`.
RegisterList padded(Registers values, size_t count);

llvm::Constant* one(FunctionEmitter& e);

// Converts a number that had 8 bits or fewer, or its product with a power of two: bfloat holds it
// without rounding.
llvm::Value* castExactly(FunctionEmitter& e, llvm::Value* value, llvm::Type* to);

// Returns a word whose bytes a selector chooses: 0 to 3 are the bytes of `low`, 4 to 7 those of
// `high`, and 12 is zero.
llvm::Value* permute(FunctionEmitter& e, llvm::Value* high, llvm::Value* low, int64_t selector);

// Converts 8-bit floats to floats, halves or bfloats (`to`).
RegisterList decode(FunctionEmitter& e, Fp8 kind, Registers bytes, llvm::Type* to);

// The ops of ScaledConversions.cpp.
bool fromFp4(FunctionEmitter& e, mlir::Operation* op);
bool upcastFp8(FunctionEmitter& e, mlir::Operation* operation);
bool upcastFp4(FunctionEmitter& e, mlir::Operation* operation);
bool downcastFp8(FunctionEmitter& e, mlir::Operation* operation);
bool downcastFp4(FunctionEmitter& e, mlir::Operation* operation);

} // namespace gluond::lowering::amd
