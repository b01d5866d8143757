#include "lowering/amd/matrix/MatrixCore.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

// An instruction of Form::HalfSums.
llvm::Value* multiplyToHalves(FunctionEmitter& e, const MatrixInstruction& instruction,
                              llvm::Value* a, llvm::Value* b, llvm::Value* c) {
  auto multiplied = [&](llvm::Value* sums) {
    return e.intrinsic(instruction.intrinsic, {sums->getType(), a->getType()},
                       {a, b, sums, e.i1(false)});
  };
  if (instruction.generation != Generation::Rdna3) return multiplied(c);
  constexpr int any = -1;
  llvm::SmallVector<int> apart, lower;
  for (unsigned i = 0; i < llvm::cast<llvm::FixedVectorType>(c->getType())->getNumElements(); ++i) {
    apart.append({static_cast<int>(i), any});
    lower.push_back(static_cast<int>(2 * i));
  }
  return e.b.CreateShuffleVector(multiplied(e.b.CreateShuffleVector(c, apart)), lower);
}

} // namespace

const MatrixInstruction* findMatrixInstruction(Generation generation, Number a, Number b,
                                               chips::Mnk shape, bool hasHalfSums) {
  namespace In = llvm::Intrinsic;
  using enum Number;
  using enum Form;
  using enum Carrier;
  static constexpr auto C1 = Generation::Cdna1, C2 = Generation::Cdna2, C3 = Generation::Cdna3,
                        C4 = Generation::Cdna4, R3 = Generation::Rdna3, R4 = Generation::Rdna4,
                        C5 = Generation::Cdna5;
  // Chips of CDNA have the instructions of older ones, too, but for those with a last generation.
  static constexpr MatrixInstruction instructions[] = {
      {C1, F32, F32, {32, 32, 2}, In::amdgcn_mfma_f32_32x32x2f32, Mfma},
      {C1, F32, F32, {16, 16, 4}, In::amdgcn_mfma_f32_16x16x4f32, Mfma},
      {C3, XF32, XF32, {32, 32, 4}, In::amdgcn_mfma_f32_32x32x4_xf32, Mfma, Own, C3},
      {C3, XF32, XF32, {16, 16, 8}, In::amdgcn_mfma_f32_16x16x8_xf32, Mfma, Own, C3},
      {C1, F16, F16, {32, 32, 8}, In::amdgcn_mfma_f32_32x32x8f16, Mfma},
      {C1, F16, F16, {16, 16, 16}, In::amdgcn_mfma_f32_16x16x16f16, Mfma},
      {C1, BF16, BF16, {32, 32, 4}, In::amdgcn_mfma_f32_32x32x4bf16, Mfma, Shorts, C1},
      {C1, BF16, BF16, {16, 16, 8}, In::amdgcn_mfma_f32_16x16x8bf16, Mfma, Shorts, C2},
      {C2, BF16, BF16, {32, 32, 8}, In::amdgcn_mfma_f32_32x32x8bf16_1k, Mfma, Shorts},
      {C2, BF16, BF16, {16, 16, 16}, In::amdgcn_mfma_f32_16x16x16bf16_1k, Mfma, Shorts},
      {C1, I8, I8, {32, 32, 8}, In::amdgcn_mfma_i32_32x32x8i8, Mfma, Words, C2},
      {C1, I8, I8, {16, 16, 16}, In::amdgcn_mfma_i32_16x16x16i8, Mfma, Words, C2},
      {C3, I8, I8, {32, 32, 16}, In::amdgcn_mfma_i32_32x32x16_i8, Mfma, Long},
      {C3, I8, I8, {16, 16, 32}, In::amdgcn_mfma_i32_16x16x32_i8, Mfma, Long},
      {C3, Fp8, Fp8, {32, 32, 16}, In::amdgcn_mfma_f32_32x32x16_fp8_fp8, Mfma, Long},
      {C3, Fp8, Bf8, {32, 32, 16}, In::amdgcn_mfma_f32_32x32x16_fp8_bf8, Mfma, Long},
      {C3, Bf8, Fp8, {32, 32, 16}, In::amdgcn_mfma_f32_32x32x16_bf8_fp8, Mfma, Long},
      {C3, Bf8, Bf8, {32, 32, 16}, In::amdgcn_mfma_f32_32x32x16_bf8_bf8, Mfma, Long},
      {C3, Fp8, Fp8, {16, 16, 32}, In::amdgcn_mfma_f32_16x16x32_fp8_fp8, Mfma, Long},
      {C3, Fp8, Bf8, {16, 16, 32}, In::amdgcn_mfma_f32_16x16x32_fp8_bf8, Mfma, Long},
      {C3, Bf8, Fp8, {16, 16, 32}, In::amdgcn_mfma_f32_16x16x32_bf8_fp8, Mfma, Long},
      {C3, Bf8, Bf8, {16, 16, 32}, In::amdgcn_mfma_f32_16x16x32_bf8_bf8, Mfma, Long},
      {C2, F64, F64, {16, 16, 4}, In::amdgcn_mfma_f64_16x16x4f64, Mfma},
      {C1, F32, F32, {4, 64, 16}, In::amdgcn_mfma_f32_4x4x1f32, Broadcast},
      {C1, F32, F32, {64, 4, 16}, In::amdgcn_mfma_f32_4x4x1f32, Broadcast},
      {C1, F16, F16, {4, 64, 64}, In::amdgcn_mfma_f32_4x4x4f16, Broadcast},
      {C1, F16, F16, {64, 4, 64}, In::amdgcn_mfma_f32_4x4x4f16, Broadcast},
      {C2, BF16, BF16, {4, 64, 64}, In::amdgcn_mfma_f32_4x4x4bf16_1k, Broadcast, Shorts},
      {C2, BF16, BF16, {64, 4, 64}, In::amdgcn_mfma_f32_4x4x4bf16_1k, Broadcast, Shorts},
      {C1, I8, I8, {4, 64, 64}, In::amdgcn_mfma_i32_4x4x4i8, Broadcast, Words},
      {C1, I8, I8, {64, 4, 64}, In::amdgcn_mfma_i32_4x4x4i8, Broadcast, Words},

      {C4, F16, F16, {32, 32, 16}, In::amdgcn_mfma_f32_32x32x16_f16, Mfma},
      {C4, F16, F16, {16, 16, 32}, In::amdgcn_mfma_f32_16x16x32_f16, Mfma},
      {C4, BF16, BF16, {32, 32, 16}, In::amdgcn_mfma_f32_32x32x16_bf16, Mfma},
      {C4, BF16, BF16, {16, 16, 32}, In::amdgcn_mfma_f32_16x16x32_bf16, Mfma},
      {C4, I8, I8, {32, 32, 32}, In::amdgcn_mfma_i32_32x32x32_i8, Mfma, Words},
      {C4, I8, I8, {16, 16, 64}, In::amdgcn_mfma_i32_16x16x64_i8, Mfma, Words},

      {R3, F16, F16, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_f16, Plain},
      {R3, F16, F16, {16, 16, 16}, In::amdgcn_wmma_f16_16x16x16_f16, HalfSums},
      {R3, BF16, BF16, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_bf16, Plain, Shorts},
      {R3, I8, I8, {16, 16, 16}, In::amdgcn_wmma_i32_16x16x16_iu8, Signed, Words},

      {R4, F16, F16, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_f16, Plain},
      {R4, F16, F16, {16, 16, 16}, In::amdgcn_wmma_f16_16x16x16_f16, HalfSums},
      {R4, BF16, BF16, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_bf16, Plain, Shorts},
      {R4, I8, I8, {16, 16, 16}, In::amdgcn_wmma_i32_16x16x16_iu8, Signed, Words},
      {R4, Fp8, Fp8, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_fp8_fp8, Plain, Words},
      {R4, Fp8, Bf8, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_fp8_bf8, Plain, Words},
      {R4, Bf8, Fp8, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_bf8_fp8, Plain, Words},
      {R4, Bf8, Bf8, {16, 16, 16}, In::amdgcn_wmma_f32_16x16x16_bf8_bf8, Plain, Words},

      {C5, F32, F32, {16, 16, 4}, In::amdgcn_wmma_f32_16x16x4_f32, Modifiers},
      {C5, F16, F16, {16, 16, 32}, In::amdgcn_wmma_f32_16x16x32_f16, Modifiers},
      {C5, BF16, BF16, {16, 16, 32}, In::amdgcn_wmma_f32_16x16x32_bf16, Modifiers},
      {C5, I8, I8, {16, 16, 64}, In::amdgcn_wmma_i32_16x16x64_iu8, SignedReuse, Words},
      {C5, Fp8, Fp8, {16, 16, 64}, In::amdgcn_wmma_f32_16x16x64_fp8_fp8, OfC, Words},
      {C5, Fp8, Bf8, {16, 16, 64}, In::amdgcn_wmma_f32_16x16x64_fp8_bf8, OfC, Words},
      {C5, Bf8, Fp8, {16, 16, 64}, In::amdgcn_wmma_f32_16x16x64_bf8_fp8, OfC, Words},
      {C5, Bf8, Bf8, {16, 16, 64}, In::amdgcn_wmma_f32_16x16x64_bf8_bf8, OfC, Words},
      {C5, Fp8, Fp8, {16, 16, 128}, In::amdgcn_wmma_f32_16x16x128_fp8_fp8, OfC, Words},
      {C5, Fp8, Bf8, {16, 16, 128}, In::amdgcn_wmma_f32_16x16x128_fp8_bf8, OfC, Words},
      {C5, Bf8, Fp8, {16, 16, 128}, In::amdgcn_wmma_f32_16x16x128_bf8_fp8, OfC, Words},
      {C5, Bf8, Bf8, {16, 16, 128}, In::amdgcn_wmma_f32_16x16x128_bf8_bf8, OfC, Words},
  };
  const auto* found = llvm::find_if(instructions, [&](const MatrixInstruction& instruction) {
    bool isThere = instruction.generation == generation ||
                   (isCdna(generation) && instruction.generation < generation &&
                    generation <= instruction.last);
    return isThere && instruction.a == a && instruction.b == b && instruction.shape == shape &&
           (instruction.form == HalfSums) == hasHalfSums;
  });
  return found == std::end(instructions) ? nullptr : found;
}

llvm::Value* multiply(FunctionEmitter& e, const MatrixInstruction& instruction, llvm::Value* a,
                      llvm::Value* b, llvm::Value* c) {
  llvm::Value *no = e.i1(false), *zero = e.i32(0), *none = e.b.getInt16(0), *yes = e.i1(true);
  llvm::Type *ofC = c->getType(), *ofA = a->getType();
  switch (instruction.form) {
  case Form::Mfma:
  case Form::Broadcast:
    return e.intrinsic(instruction.intrinsic, {}, {a, b, c, zero, zero, zero});
  case Form::Plain:
    return e.intrinsic(instruction.intrinsic, {ofC, ofA}, {a, b, c});
  case Form::Signed:
    return e.intrinsic(instruction.intrinsic, {ofC, ofA}, {yes, a, yes, b, c, no});
  case Form::Modifiers:
    return e.intrinsic(instruction.intrinsic, {ofC, ofA}, {no, a, no, b, none, c, no, no});
  case Form::OfC:
    return e.intrinsic(instruction.intrinsic, {ofC, ofA}, {a, b, none, c, no, no});
  case Form::SignedReuse:
    return e.intrinsic(instruction.intrinsic, {ofC, ofA}, {yes, a, yes, b, c, no, no, no});
  case Form::HalfSums:
    return multiplyToHalves(e, instruction, a, b, c);
  }
  return nullptr;
}

std::optional<int64_t> formatOf(tt::ScaleDotElemType type) {
  switch (type) {
  case tt::ScaleDotElemType::E4M3:
    return 0;
  case tt::ScaleDotElemType::E5M2:
    return 1;
  case tt::ScaleDotElemType::E2M1:
    return 4;
  default:
    return std::nullopt;
  }
}

} // namespace gluond::lowering::amd
