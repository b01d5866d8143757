// Between floats of 4 to 64 bits, with scales and without. Chips convert 8-bit floats of their own
// format by instructions; the others are taken apart and put together.
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/amd/Instructions.h"
#include "lowering/arithmetic/Conversions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// An 8-bit float's parts. `most` is the largest number, `nan` the NaN.
struct Parts {
  int64_t mantissa, bias;
  unsigned most, nan;
  bool isFnuz; // one zero, and the NaN in place of the other
};
Parts partsOf(Fp8 kind) {
  switch (kind) {
  case Fp8::E5M2:
    return {2, 15, 0x7b, 0x7f, false};
  case Fp8::E4M3Fnuz:
    return {3, 8, 0x7f, 0x80, true};
  case Fp8::E5M2Fnuz:
    return {2, 16, 0x7f, 0x80, true};
  default:
    return {3, 7, 0x7e, 0x7f, false};
  }
}

bool hasFiveBits(Fp8 kind) {
  return kind == Fp8::E5M2 || kind == Fp8::E5M2Fnuz;
}

// Whether the chip has instructions for the format.
bool isOwn(Generation generation, Fp8 kind) {
  bool isFnuz = partsOf(kind).isFnuz;
  return generation == Generation::Cdna3 ? isFnuz : generation != Generation::Rdna3 && !isFnuz;
}

// `values` and as many more of the last one as make `count`.
RegisterList padded(Registers values, size_t count) {
  RegisterList all(values);
  all.resize(count, values.back());
  return all;
}

// ---- Without instructions.

// A float with the same bits of exponent and mantissa as one of AMD's own formats, times a power of
// two: exact, denormal numbers included.
llvm::Value* takeApart(Emitter& e, Fp8 kind, llvm::Value* byte) {
  Parts parts = partsOf(kind);
  llvm::Value* bits = e.b.CreateZExt(byte, e.b.getInt32Ty());
  llvm::Value* magnitude = e.b.CreateAnd(bits, e.i32(0x7f));
  llvm::Value* value = e.b.CreateFMul(
      e.b.CreateBitCast(e.b.CreateShl(magnitude, e.i32(23 - parts.mantissa)), e.b.getFloatTy()),
      llvm::ConstantFP::get(e.b.getFloatTy(), std::ldexp(1.0, static_cast<int>(127 - parts.bias))));
  llvm::Value* sign = e.b.CreateShl(e.b.CreateAnd(bits, e.i32(0x80)), e.i32(24));
  value = e.b.CreateBitCast(e.disjointOr(e.b.CreateBitCast(value, e.b.getInt32Ty()), sign),
                            e.b.getFloatTy());
  llvm::Constant* nan = llvm::ConstantFP::getQNaN(e.b.getFloatTy());
  return e.b.CreateSelect(e.b.CreateICmpEQ(bits, e.i32(parts.nan)), nan, value);
}

// A float's sign, exponent and first seven bits of mantissa.
llvm::Value* upperHalf(Emitter& e, llvm::Value* value) {
  llvm::Value* bits = e.b.CreateLShr(e.b.CreateBitCast(value, e.b.getInt32Ty()), e.i32(16));
  return e.b.CreateBitCast(e.b.CreateTrunc(bits, e.b.getInt16Ty()), e.b.getBFloatTy());
}

// A number that was one of 8 bits: no type of 16 bits has to round it.
llvm::Value* castExactly(Emitter& e, llvm::Value* value, llvm::Type* to) {
  if (!to->isBFloatTy()) return castFloat(e, value, to);
  return upperHalf(e, castFloat(e, value, e.b.getFloatTy()));
}

// The upper bytes of the halves of two words, as four bytes; and four bytes likewise.
constexpr int64_t upperBytes = 0x07050301, firstToUpper = 0x010c000c, lastToUpper = 0x030c020c;

llvm::Value* permute(Emitter& e, llvm::Value* high, llvm::Value* low, int64_t selector) {
  return e.intrinsic(In::amdgcn_perm, {}, {high, low, e.i32(selector)});
}

// OCP's floats as halves, two at a time: exponents of five bits are a half's, those of four have
// another bias.
RegisterList asHalves(Emitter& e, Fp8 kind, Registers bytes) {
  llvm::Type *shorts = llvm::FixedVectorType::get(e.b.getInt16Ty(), 2),
             *halves = llvm::FixedVectorType::get(e.b.getHalfTy(), 2);
  auto both = [&](uint64_t bits) { return llvm::ConstantInt::get(shorts, bits); };
  RegisterList results;
  for (size_t i = 0; i < bytes.size(); i += 2) {
    Registers four = bytes.slice(i / 4 * 4, std::min<size_t>(4, bytes.size() - i / 4 * 4));
    llvm::Value* word = pack(e, padded(four, 4)).front();
    word = permute(e, word, word, i % 4 ? lastToUpper : firstToUpper);
    llvm::Value* pair = e.b.CreateBitCast(word, halves);
    if (kind == Fp8::E4M3) {
      llvm::Value* bits = e.b.CreateAShr(e.b.CreateBitCast(word, shorts), both(1));
      bits = e.b.CreateAnd(bits, both(0xbfff));
      pair = e.b.CreateFMul(e.b.CreateBitCast(bits, halves), llvm::ConstantFP::get(halves, 256));
      // One more than the bits of a NaN is a bit that no other number has; with it, the product of
      // the NaN (480) is one of halves.
      llvm::Value* carry = e.b.CreateBitCast(e.b.CreateAdd(bits, both(0x80)), e.b.getInt32Ty());
      carry = e.b.CreateAnd(e.b.CreateLShr(carry, e.i32(1)), e.i32(0x20002000));
      pair =
          e.b.CreateBitCast(e.b.CreateOr(e.b.CreateBitCast(pair, e.b.getInt32Ty()), carry), halves);
    }
    llvm::append_range(
        results, Registers(elementsOf(e, pair)).take_front(std::min<size_t>(2, bytes.size() - i)));
  }
  return results;
}

// Halves as e5m2, which is their upper half: rounds as putTogether() does.
RegisterList upperBytesOf(Emitter& e, Registers values) {
  llvm::Type* shorts = llvm::FixedVectorType::get(e.b.getInt16Ty(), 2);
  auto both = [&](uint64_t bits) { return llvm::ConstantInt::get(shorts, bits); };
  auto rounded = [&](llvm::Value* first, llvm::Value* second) {
    llvm::Value* bits = e.b.CreateBitCast(vectorOf(e, {first, second}), shorts);
    llvm::Value* magnitude = e.b.CreateAnd(bits, both(0x7fff));
    llvm::Value* bounded =
        e.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, magnitude, both(0x7b00));
    llvm::Value* odd = e.b.CreateAnd(e.b.CreateLShr(bounded, both(8)), both(1));
    llvm::Value* sum = e.b.CreateAdd(e.b.CreateAdd(bounded, odd), both(0x7f));
    // A NaN's bits and this have the highest bit; 0x7b with this bit, in its new place, is 0x7f.
    llvm::Value* nan = e.b.CreateAnd(e.b.CreateAdd(magnitude, both(0x3ff)), both(0x8000));
    sum = e.b.CreateOr(sum, e.b.CreateLShr(nan, both(5)));
    sum = e.b.CreateOr(sum, e.b.CreateAnd(bits, both(0x8000)));
    return e.b.CreateBitCast(sum, e.b.getInt32Ty());
  };
  RegisterList results;
  for (size_t i = 0; i < values.size(); i += 4) {
    Registers some = values.slice(i, std::min<size_t>(4, values.size() - i));
    RegisterList four = padded(some, 4);
    llvm::Value* word =
        permute(e, rounded(four[2], four[3]), rounded(four[0], four[1]), upperBytes);
    llvm::append_range(results,
                       unpack(e, {word}, e.b.getInt8Ty(), static_cast<unsigned>(some.size())));
  }
  return results;
}

// Rounds to nearest, ties to even; what is too large becomes the largest number.
llvm::Value* putTogether(Emitter& e, Fp8 kind, llvm::Value* value) {
  Parts parts = partsOf(kind);
  llvm::Type *f32 = e.b.getFloatTy(), *i32 = e.b.getInt32Ty();
  auto bitsOf = [](double number) {
    return static_cast<int64_t>(llvm::bit_cast<uint32_t>(static_cast<float>(number)));
  };
  const int64_t dropped = 23 - parts.mantissa, mostMantissa = (1 << parts.mantissa) - 1;
  double most = std::ldexp(1.0 + double(parts.most & mostMantissa) / double(mostMantissa + 1),
                           static_cast<int>((parts.most >> parts.mantissa) - parts.bias));
  llvm::Value* bits = e.b.CreateBitCast(value, i32);
  llvm::Value* magnitude = e.b.CreateAnd(bits, e.i32(0x7fffffff));
  magnitude = e.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, magnitude, e.i32(bitsOf(most)));

  llvm::Value* odd = e.b.CreateAnd(e.b.CreateLShr(magnitude, e.i32(dropped)), e.i32(1));
  llvm::Value* normal =
      e.b.CreateAdd(e.b.CreateAdd(magnitude, odd), e.i32((int64_t(1) << (dropped - 1)) - 1));
  normal = e.b.CreateSub(e.b.CreateLShr(normal, e.i32(dropped)),
                         e.i32((127 - parts.bias) << parts.mantissa));
  // The sum's last bit is that of the smallest number, so that the addition rounds.
  double magic = std::ldexp(1.0, static_cast<int>(1 - parts.bias - parts.mantissa + 23));
  llvm::Value* sum =
      e.b.CreateFAdd(e.b.CreateBitCast(magnitude, f32), llvm::ConstantFP::get(f32, magic));
  llvm::Value* denormal = e.b.CreateSub(e.b.CreateBitCast(sum, i32), e.i32(bitsOf(magic)));
  llvm::Value* isNormal = e.b.CreateICmpUGE(
      magnitude, e.i32(bitsOf(std::ldexp(1.0, static_cast<int>(1 - parts.bias)))));
  llvm::Value* result = e.b.CreateSelect(isNormal, normal, denormal);

  llvm::Value* sign = e.b.CreateAnd(e.b.CreateLShr(bits, e.i32(24)), e.i32(0x80));
  if (parts.isFnuz) sign = e.b.CreateSelect(e.b.CreateICmpEQ(result, e.i32(0)), e.i32(0), sign);
  result = e.b.CreateOr(result, sign);
  llvm::Value* nan = parts.isFnuz ? static_cast<llvm::Value*>(e.i32(parts.nan))
                                  : e.b.CreateOr(sign, e.i32(parts.nan));
  result = e.b.CreateSelect(e.b.CreateFCmpUNO(value, value), nan, result);
  return e.b.CreateTrunc(result, e.b.getInt8Ty());
}

// ---- By instructions, which take several numbers at a time.

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
constexpr ConversionsOf
    fromCdna4 = {{In::amdgcn_cvt_scalef32_pk_f32_fp8, In::amdgcn_cvt_scalef32_pk_f32_bf8},
                 {In::amdgcn_cvt_scalef32_pk_f16_fp8, In::amdgcn_cvt_scalef32_pk_f16_bf8},
                 {In::amdgcn_cvt_scalef32_pk_bf16_fp8, In::amdgcn_cvt_scalef32_pk_bf16_bf8}},
    toCdna4 = {{In::amdgcn_cvt_scalef32_pk_fp8_f32, In::amdgcn_cvt_scalef32_pk_bf8_f32},
               {In::amdgcn_cvt_scalef32_pk_fp8_f16, In::amdgcn_cvt_scalef32_pk_bf8_f16},
               {In::amdgcn_cvt_scalef32_pk_fp8_bf16, In::amdgcn_cvt_scalef32_pk_bf8_bf16}},
    fromCdna5 = {{In::amdgcn_cvt_scale_pk8_f32_fp8, In::amdgcn_cvt_scale_pk8_f32_bf8},
                 {In::amdgcn_cvt_scale_pk8_f16_fp8, In::amdgcn_cvt_scale_pk8_f16_bf8},
                 {In::amdgcn_cvt_scale_pk8_bf16_fp8, In::amdgcn_cvt_scale_pk8_bf16_bf8}},
    toCdna5 = {{In::amdgcn_cvt_scalef32_pk8_fp8_f32, In::amdgcn_cvt_scalef32_pk8_bf8_f32},
               {In::amdgcn_cvt_scalef32_pk8_fp8_f16, In::amdgcn_cvt_scalef32_pk8_bf8_f16},
               {In::amdgcn_cvt_scalef32_pk8_fp8_bf16, In::amdgcn_cvt_scalef32_pk8_bf8_bf16}};
constexpr Conversion fromPair = {In::amdgcn_cvt_pk_f32_fp8, In::amdgcn_cvt_pk_f32_bf8},
                     toPair = {In::amdgcn_cvt_pk_fp8_f32, In::amdgcn_cvt_pk_bf8_f32};

llvm::Constant* one(Emitter& e) {
  return llvm::ConstantFP::get(e.b.getFloatTy(), 1.0);
}

// `to` is float, half or bfloat. Of at most `together(generation)` bytes.
RegisterList decode(Emitter& e, Fp8 kind, Registers bytes, llvm::Type* to) {
  Generation generation = generationOf(e);
  RegisterList results;
  if (!isOwn(generation, kind)) {
    if (partsOf(kind).isFnuz)
      for (llvm::Value* byte : bytes)
        results.push_back(takeApart(e, kind, byte));
    else
      results = asHalves(e, kind, bytes);
    for (llvm::Value*& value : results)
      value = castExactly(e, value, to);
    return results;
  }
  if (generation == Generation::Cdna5) {
    constexpr int64_t noScale = 127;
    for (size_t i = 0; i < bytes.size(); i += 8) {
      Registers some = bytes.slice(i, std::min<size_t>(8, bytes.size() - i));
      llvm::Value* all =
          e.intrinsic(fromCdna5.of(to).of(kind), {},
                      {vectorOf(e, pack(e, padded(some, 8))), e.i32(noScale), e.i32(0)});
      llvm::append_range(results, Registers(elementsOf(e, all)).take_front(some.size()));
    }
    return results;
  }
  for (size_t i = 0; i < bytes.size(); i += 4) {
    Registers some = bytes.slice(i, std::min<size_t>(4, bytes.size() - i));
    llvm::Value* word = pack(e, padded(some, 4)).front();
    for (size_t k = 0; k < some.size(); k += 2) {
      llvm::Value* upper = e.i1(k > 0);
      llvm::Value* pair = generation == Generation::Cdna4
                              ? e.intrinsic(fromCdna4.of(to).of(kind), {}, {word, one(e), upper})
                              : e.intrinsic(fromPair.of(kind), {}, {word, upper});
      for (llvm::Value* value :
           Registers(elementsOf(e, pair)).take_front(std::min<size_t>(2, some.size() - k)))
        results.push_back(castExactly(e, value, to));
    }
  }
  return results;
}

RegisterList encode(Emitter& e, Fp8 kind, Registers values) {
  Generation generation = generationOf(e);
  llvm::Type *from = values.front()->getType(), *f32 = e.b.getFloatTy();
  if (!isOwn(generation, kind) && kind == Fp8::E5M2 && from->isHalfTy())
    return upperBytesOf(e, values);
  RegisterList floats(values), results;
  bool takesHalves = generation >= Generation::Cdna4 && generation != Generation::Rdna3 &&
                     generation != Generation::Rdna4;
  if (!isOwn(generation, kind) || !takesHalves || from->isDoubleTy())
    for (llvm::Value*& value : floats)
      value = castFloat(e, value, f32);
  if (!isOwn(generation, kind)) {
    for (llvm::Value* value : floats)
      results.push_back(putTogether(e, kind, value));
    return results;
  }
  from = floats.front()->getType();
  if (generation == Generation::Cdna5) {
    for (size_t i = 0; i < floats.size(); i += 8) {
      Registers some = Registers(floats).slice(i, std::min<size_t>(8, floats.size() - i));
      llvm::Value* all =
          e.intrinsic(toCdna5.of(from).of(kind), {}, {vectorOf(e, padded(some, 8)), one(e)});
      llvm::append_range(results, unpack(e, elementsOf(e, all), e.b.getInt8Ty(), 8));
      results.resize(i + some.size());
    }
    return results;
  }
  for (size_t i = 0; i < floats.size(); i += 4) {
    Registers some = Registers(floats).slice(i, std::min<size_t>(4, floats.size() - i));
    RegisterList four = padded(some, 4);
    llvm::Type* pairOfWords = llvm::FixedVectorType::get(e.b.getInt16Ty(), 2);
    bool isCdna4 = generation == Generation::Cdna4;
    llvm::Value* word =
        llvm::PoisonValue::get(isCdna4 ? pairOfWords : static_cast<llvm::Type*>(e.b.getInt32Ty()));
    for (size_t k = 0; k < some.size(); k += 2) {
      llvm::Value* upper = e.i1(k > 0);
      if (!isCdna4)
        word = e.intrinsic(toPair.of(kind), {}, {four[k], four[k + 1], word, upper});
      else if (from->isFloatTy())
        word =
            e.intrinsic(toCdna4.of(from).of(kind), {}, {word, four[k], four[k + 1], one(e), upper});
      else
        word = e.intrinsic(toCdna4.of(from).of(kind), {},
                           {word, vectorOf(e, {four[k], four[k + 1]}), one(e), upper});
    }
    llvm::append_range(results, unpack(e, {e.b.CreateBitCast(word, e.b.getInt32Ty())},
                                       e.b.getInt8Ty(), static_cast<unsigned>(some.size())));
  }
  return results;
}

// ---- tt.fp_to_fp

bool floatToFloat(Emitter& e, mlir::Operation* op) {
  auto convert = mlir::cast<tt::FpToFpOp>(op);
  mlir::Type from = mlir::getElementTypeOrSelf(convert.getSrc().getType()),
             to = mlir::getElementTypeOrSelf(convert.getType());
  llvm::Type* target = e.elementType(to);
  Fp8 fromFp8 = fp8Of(from), toFp8 = fp8Of(to);
  bool known = (fromFp8 != Fp8::None || e.elementType(from)->isFloatingPointTy()) &&
               (toFp8 != Fp8::None || target->isFloatingPointTy());
  bool towardsZero = convert.getRounding() == tt::RoundingMode::RTZ;
  if (!known || (toFp8 != Fp8::None && towardsZero))
    return e.fail(op, "gluond cannot compile a conversion between these float types for AMD GPUs");
  Registers source = e.get(convert.getSrc());
  RegisterList values(source);
  if (fromFp8 != Fp8::None) {
    bool isDirect = target->isHalfTy() || target->isBFloatTy();
    values = decode(e, fromFp8, source, isDirect ? target : e.b.getFloatTy());
    if (toFp8 == Fp8::None)
      for (llvm::Value*& value : values)
        value = castFloat(e, value, target);
  }
  if (toFp8 != Fp8::None) {
    e.set(convert, encode(e, toFp8, values));
    return true;
  }
  if (fromFp8 != Fp8::None) {
    e.set(convert, values);
    return true;
  }
  return elementwise(e, op, [&](Emitter& e, Registers v) -> llvm::Value* {
    unsigned before = v[0]->getType()->getPrimitiveSizeInBits(),
             after = target->getPrimitiveSizeInBits();
    if (!towardsZero || after >= before) return castFloat(e, v[0], target);
    llvm::Value* single = before == 64 ? e.b.CreateFPTrunc(v[0], e.b.getFloatTy()) : v[0];
    if (target->isHalfTy()) {
      llvm::Value* pair = e.intrinsic(In::amdgcn_cvt_pkrtz, {},
                                      {single, llvm::ConstantFP::get(single->getType(), 0)});
      return e.b.CreateExtractElement(pair, uint64_t(0));
    }
    return upperHalf(e, single);
  });
}

// ---- With scales.

// A scale as the float that it stands for. A byte is a float's exponent; hardware reads nothing
// else of it.
llvm::Value* scaleAsFloat(Emitter& e, llvm::Value* scale, bool isExact) {
  if (!scale->getType()->isIntegerTy()) return e.b.CreateFPExt(scale, e.b.getFloatTy());
  llvm::Value* exponent = e.b.CreateZExt(scale, e.b.getInt32Ty());
  llvm::Value* bits = e.b.CreateShl(exponent, e.i32(23));
  if (isExact) {
    bits = e.b.CreateSelect(e.b.CreateICmpEQ(exponent, e.i32(0)), e.i32(0x00400000), bits);
    bits = e.b.CreateSelect(e.b.CreateICmpEQ(exponent, e.i32(255)), e.i32(0x7fc00000), bits);
  }
  return e.b.CreateBitCast(bits, e.b.getFloatTy());
}

llvm::Value* scaled(Emitter& e, llvm::Value* value, llvm::Value* scale, llvm::Type* to) {
  llvm::Value* wide = e.b.CreateFPExt(value, e.b.getFloatTy());
  return castFloat(e, e.b.CreateFMul(wide, scaleAsFloat(e, scale, true)), to);
}

bool upcastFp8(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledUpcastFp8Op>(operation);
  Fp8 kind = fp8Of(mlir::getElementTypeOrSelf(op.getInput().getType()));
  llvm::Type* to = e.elementType(op.getType());
  Registers bytes = e.get(op.getInput()), scales = e.get(op.getScale());
  RegisterList results;
  // An instruction takes two numbers with one scale.
  bool arePairs = bytes.size() % 2 == 0;
  for (size_t i = 0; arePairs && i < scales.size(); i += 2)
    arePairs = scales[i] == scales[i + 1];
  if (generationOf(e) != Generation::Cdna4 || !arePairs) {
    RegisterList values = decode(e, kind, bytes, e.b.getFloatTy());
    for (auto [value, scale] : llvm::zip(values, scales))
      results.push_back(scaled(e, value, scale, to));
    e.set(op.getResult(), results);
    return true;
  }
  for (size_t i = 0; i < bytes.size(); i += 4) {
    Registers some = bytes.slice(i, std::min<size_t>(4, bytes.size() - i));
    llvm::Value* word = pack(e, padded(some, 4)).front();
    for (size_t k = 0; k < some.size(); k += 2)
      llvm::append_range(
          results,
          elementsOf(e, e.intrinsic(fromCdna4.of(to).of(kind), {},
                                    {word, scaleAsFloat(e, scales[i + k], false), e.i1(k > 0)})));
  }
  e.set(op.getResult(), results);
  return true;
}

// Two numbers of a byte. `scale` is null where there is none.
llvm::Value* fp4Pair(Emitter& e, llvm::Value* byte, llvm::Value* scale, llvm::Type* to) {
  llvm::Value* word = e.b.CreateZExt(byte, e.b.getInt32Ty());
  return e.intrinsic(to->isHalfTy() ? In::amdgcn_cvt_scalef32_pk_f16_fp4
                                    : In::amdgcn_cvt_scalef32_pk_bf16_fp4,
                     {}, {word, scale ? scale : one(e), e.i32(0)});
}

bool fromFp4(Emitter& e, mlir::Operation* op) {
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  if (generationOf(e) != Generation::Cdna4 || !(to->isHalfTy() || to->isBFloatTy()))
    return convertFp4(e, op);
  return convertFp4(e, op, [&](llvm::Value* byte) { return fp4Pair(e, byte, nullptr, to); });
}

// The numbers of fp4, for chips that cannot convert them: halves of them are fp16 numbers times a
// power of two.
llvm::Value* fp4AsFloat(Emitter& e, llvm::Value* byte, int32_t half) {
  llvm::Value* bits = e.b.CreateZExt(byte, e.b.getInt32Ty());
  if (half) bits = e.b.CreateLShr(bits, e.i32(4));
  llvm::Value* magnitude = e.b.CreateShl(e.b.CreateAnd(bits, e.i32(7)), e.i32(22));
  llvm::Value* value =
      e.b.CreateFMul(e.b.CreateBitCast(magnitude, e.b.getFloatTy()),
                     llvm::ConstantFP::get(e.b.getFloatTy(), std::ldexp(1.0, 126)));
  llvm::Value* sign = e.b.CreateShl(e.b.CreateAnd(bits, e.i32(8)), e.i32(28));
  return e.b.CreateBitCast(e.b.CreateOr(e.b.CreateBitCast(value, e.b.getInt32Ty()), sign),
                           e.b.getFloatTy());
}

// Where the scale of each register is, when scales are for blocks along an axis; nothing after
// fail().
std::optional<llvm::SmallVector<unsigned>> scaleRegisters(Emitter& e, mlir::Operation* op,
                                                          mlir::RankedTensorType numbers,
                                                          mlir::Value scales, size_t axis) {
  auto type = mlir::cast<mlir::RankedTensorType>(scales.getType());
  const LinearLayout &layout = e.layoutOf(numbers), &ofScales = e.layoutOf(type);
  auto block = static_cast<int32_t>(numbers.getShape()[axis] / type.getShape()[axis]);
  auto byPlace = registersByPlace(ofScales);
  llvm::SmallVector<unsigned> registers;
  for (uint64_t place : registerPlaces(layout)) {
    layout::Coordinates at = layout.unpack(place);
    at[axis] /= block;
    auto found = byPlace.find(ofScales.pack(at));
    if (found == byPlace.end()) {
      e.fail(op, "the scales are in other threads than the numbers");
      return std::nullopt;
    }
    registers.push_back(found->second);
  }
  return registers;
}

bool upcastFp4(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledUpcastFp4Op>(operation);
  const LinearLayout &from = e.layoutOf(op.getInput().getType()), &to = e.layoutOf(op.getType());
  llvm::Type* element = e.elementType(op.getType());
  auto byPlace = registersByPlace(from);
  auto scaleAt = scaleRegisters(e, op, mlir::cast<mlir::RankedTensorType>(op.getType()),
                                op.getScale(), op.getAxis());
  if (!scaleAt) return false;
  Registers bytes = e.get(op.getInput()), scales = e.get(op.getScale());
  llvm::DenseMap<std::pair<unsigned, llvm::Value*>, llvm::Value*> pairs;
  RegisterList results;
  for (auto [i, place] : llvm::enumerate(registerPlaces(to))) {
    layout::Coordinates at = to.unpack(place);
    int32_t& along = at[static_cast<size_t>(op.getAxis())];
    const int32_t half = along & 1;
    along >>= 1;
    auto found = byPlace.find(from.pack(at));
    if (found == byPlace.end())
      return e.fail(op, "the layout of the result would move elements between threads");
    llvm::Value* scale = scales[(*scaleAt)[i]];
    if (generationOf(e) != Generation::Cdna4) {
      results.push_back(scaled(e, fp4AsFloat(e, bytes[found->second], half), scale, element));
      continue;
    }
    llvm::Value*& pair = pairs[{found->second, scale}];
    if (!pair) pair = fp4Pair(e, bytes[found->second], scaleAsFloat(e, scale, false), element);
    results.push_back(e.b.CreateExtractElement(pair, static_cast<uint64_t>(half)));
  }
  e.set(op.getResult(), results);
  return true;
}

// Every eight registers of a layout that the verifier accepts share a scale.
std::optional<RegisterList> packedByEight(Emitter& e, mlir::Operation* op, mlir::Value input,
                                          mlir::Value scale, size_t axis, const Conversion& to) {
  auto type = mlir::cast<mlir::RankedTensorType>(input.getType());
  if (generationOf(e) != Generation::Cdna5) {
    e.fail(op, "conversions to smaller floats with scales need gfx1250 on AMD GPUs");
    return std::nullopt;
  }
  auto scaleAt = scaleRegisters(e, op, type, scale, axis);
  if (!scaleAt) return std::nullopt;
  Registers values = e.get(input), scales = e.get(scale);
  RegisterList words;
  for (size_t i = 0; i + 8 <= values.size(); i += 8)
    words.push_back(e.intrinsic(
        to.fp8, {},
        {vectorOf(e, values.slice(i, 8)), scaleAsFloat(e, scales[(*scaleAt)[i]], false)}));
  return words;
}

bool downcastFp8(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledDowncastFp8Op>(operation);
  Fp8 kind = fp8Of(mlir::getElementTypeOrSelf(op.getType()));
  const Conversion& to = toCdna5.of(e.elementType(op.getInput().getType()));
  auto words = packedByEight(e, op, op.getInput(), op.getScale(), op.getAxis(), {to.of(kind), 0});
  if (!words) return false;
  RegisterList bytes;
  for (llvm::Value* pair : *words)
    llvm::append_range(bytes, unpack(e, elementsOf(e, pair), e.b.getInt8Ty(), 8));
  e.set(op.getResult(), bytes);
  return true;
}

bool downcastFp4(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledDowncastFp4Op>(operation);
  llvm::Type* from = e.elementType(op.getInput().getType());
  unsigned conversion = from->isHalfTy()     ? In::amdgcn_cvt_scalef32_pk8_fp4_f16
                        : from->isBFloatTy() ? In::amdgcn_cvt_scalef32_pk8_fp4_bf16
                                             : In::amdgcn_cvt_scalef32_pk8_fp4_f32;
  auto axis = static_cast<size_t>(op.getAxis());
  auto words = packedByEight(e, op, op.getInput(), op.getScale(), axis, {conversion, 0});
  if (!words) return false;
  const LinearLayout &source = e.layoutOf(op.getInput().getType()), &to = e.layoutOf(op.getType());
  auto byPlace = registersByPlace(source);
  RegisterList bytes;
  for (uint64_t place : registerPlaces(to)) {
    layout::Coordinates at = to.unpack(place);
    at[axis] *= 2;
    llvm::Value* both = e.i32(0);
    for (unsigned half = 0; half < 2; ++half, ++at[axis]) {
      auto found = byPlace.find(source.pack(at));
      if (found == byPlace.end())
        return e.fail(op, "the layout of the result would move elements between threads");
      llvm::Value* number =
          e.b.CreateLShr((*words)[found->second / 8], uint64_t{4} * (found->second % 8));
      both =
          e.b.CreateOr(both, e.b.CreateShl(e.b.CreateAnd(number, e.i32(15)), uint64_t{4} * half));
    }
    bytes.push_back(e.b.CreateTrunc(both, e.b.getInt8Ty()));
  }
  e.set(op.getResult(), bytes);
  return true;
}

bool truncate(Emitter& e, mlir::Operation* op) {
  Generation generation = generationOf(e);
  if (generation == Generation::Cdna4 || generation == Generation::Cdna5)
    return truncateInPairs(e, op);
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  return elementwise(e, op, [&](Emitter& e, Registers v) { return e.b.CreateFPTrunc(v[0], to); });
}

} // namespace

llvm::ArrayRef<OpRow> floatConversionOps() {
  static constexpr OpRow rows[] = {{"arith.truncf", truncate},
                                   {"tt.fp_to_fp", floatToFloat},
                                   {"ttg.fp4_to_fp", fromFp4},
                                   {"amdg.scaled_upcast_fp8", upcastFp8},
                                   {"amdg.scaled_upcast_fp4", upcastFp4},
                                   {"amdg.scaled_downcast_fp8", downcastFp8},
                                   {"amdg.scaled_downcast_fp4", downcastFp4}};
  return rows;
}

} // namespace gluond::lowering::amd
