// Between floats of 8 to 64 bits. Chips convert 8-bit floats of their own
// format by instructions; the others are taken apart and put together.
#include "lowering/amd/floats/FloatConversions.h"

#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/arithmetic/Conversions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// An 8-bit float's parts. `most` is the largest number, `nan` the NaN.
struct Parts {
  int64_t mantissa, bias;
  unsigned most, nan;
  bool isFnuz; // there is no minus zero: its bits are the NaN
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

// Whether the chip has instructions for the format. CDNA has them since version 3.
bool isOwn(FunctionEmitter& e, Fp8 kind) {
  bool isFnuz = partsOf(kind).isFnuz;
  Generation generation = generationOf(e);
  if (generation < Generation::Cdna3) return false;
  return generation == Generation::Cdna3 ? isFnuz : generation != Generation::Rdna3 && !isFnuz;
}

// ---- Without instructions.

// A float with the same bits of exponent and mantissa as one of AMD's own formats, times a power of
// two: exact, denormal numbers included.
llvm::Value* takeApart(FunctionEmitter& e, Fp8 kind, llvm::Value* byte) {
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
llvm::Value* upperHalf(FunctionEmitter& e, llvm::Value* value) {
  llvm::Value* bits = e.b.CreateLShr(e.b.CreateBitCast(value, e.b.getInt32Ty()), e.i32(16));
  return e.b.CreateBitCast(e.b.CreateTrunc(bits, e.b.getInt16Ty()), e.b.getBFloatTy());
}

} // namespace

RegisterList padded(Registers values, size_t count) {
  RegisterList all(values);
  all.resize(count, values.back());
  return all;
}

llvm::Value* castExactly(FunctionEmitter& e, llvm::Value* value, llvm::Type* to) {
  if (!to->isBFloatTy()) return castFloat(e, value, to);
  return upperHalf(e, castFloat(e, value, e.b.getFloatTy()));
}

llvm::Value* permute(FunctionEmitter& e, llvm::Value* high, llvm::Value* low, int64_t selector) {
  return e.intrinsic(In::amdgcn_perm, {}, {high, low, e.i32(selector)});
}

llvm::Constant* one(FunctionEmitter& e) {
  return llvm::ConstantFP::get(e.b.getFloatTy(), 1.0);
}

namespace {

// The upper bytes of the halves of two words, as four bytes; and four bytes likewise.
constexpr int64_t upperBytes = 0x07050301, firstToUpper = 0x010c000c, lastToUpper = 0x030c020c;

// OCP's floats as halves, two at a time: exponents of five bits are a half's, those of four have
// another bias.
RegisterList asHalves(FunctionEmitter& e, Fp8 kind, Registers bytes) {
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
      // Adding one to the last bit sets a bit for a NaN that it sets for no other number. With this
      // bit, the product of the NaN (480) becomes a NaN of halves.
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
RegisterList upperBytesOf(FunctionEmitter& e, Registers values) {
  llvm::Type* shorts = llvm::FixedVectorType::get(e.b.getInt16Ty(), 2);
  auto both = [&](uint64_t bits) { return llvm::ConstantInt::get(shorts, bits); };
  auto rounded = [&](llvm::Value* first, llvm::Value* second) {
    llvm::Value* bits = e.b.CreateBitCast(vectorOf(e, {first, second}), shorts);
    llvm::Value* magnitude = e.b.CreateAnd(bits, both(0x7fff));
    llvm::Value* bounded =
        e.b.CreateBinaryIntrinsic(llvm::Intrinsic::umin, magnitude, both(0x7b00));
    llvm::Value* odd = e.b.CreateAnd(e.b.CreateLShr(bounded, both(8)), both(1));
    llvm::Value* sum = e.b.CreateAdd(e.b.CreateAdd(bounded, odd), both(0x7f));
    // Adding this sets the highest bit of a NaN alone. Moved down, it makes 0x7f (NaN) of 0x7b.
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
llvm::Value* putTogether(FunctionEmitter& e, Fp8 kind, llvm::Value* value) {
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

constexpr Conversion fromPair = {In::amdgcn_cvt_pk_f32_fp8, In::amdgcn_cvt_pk_f32_bf8},
                     toPair = {In::amdgcn_cvt_pk_fp8_f32, In::amdgcn_cvt_pk_bf8_f32};

} // namespace

RegisterList decode(FunctionEmitter& e, Fp8 kind, Registers bytes, llvm::Type* to) {
  Generation generation = generationOf(e);
  RegisterList results;
  if (!isOwn(e, kind)) {
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
      auto both = elementsOf(e, pair);
      for (llvm::Value* value : Registers(both).take_front(std::min<size_t>(2, some.size() - k)))
        results.push_back(castExactly(e, value, to));
    }
  }
  return results;
}

namespace {

RegisterList encode(FunctionEmitter& e, Fp8 kind, Registers values) {
  Generation generation = generationOf(e);
  llvm::Type *from = values.front()->getType(), *f32 = e.b.getFloatTy();
  if (!isOwn(e, kind) && kind == Fp8::E5M2 && from->isHalfTy()) return upperBytesOf(e, values);
  RegisterList floats(values), results;
  bool takesHalves = generation >= Generation::Cdna4 && generation != Generation::Rdna3 &&
                     generation != Generation::Rdna4;
  if (!isOwn(e, kind) || !takesHalves || from->isDoubleTy())
    for (llvm::Value*& value : floats)
      value = castFloat(e, value, f32);
  if (!isOwn(e, kind)) {
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

// Rounds towards zero: the upper bytes of float16 numbers, which float32 numbers are made into.
RegisterList cutToUpperBytes(FunctionEmitter& e, Registers values) {
  RegisterList results;
  for (size_t i = 0; i < values.size(); i += 2) {
    Registers some = values.slice(i, std::min<size_t>(2, values.size() - i));
    RegisterList two = padded(some, 2);
    llvm::Value* pair = two[0]->getType()->isFloatTy()
                            ? e.intrinsic(In::amdgcn_cvt_pkrtz, {}, {two[0], two[1]})
                            : vectorOf(e, {two[0], two[1]});
    pair = e.b.CreateBitCast(pair, llvm::FixedVectorType::get(e.b.getInt8Ty(), 4));
    for (uint64_t k = 0; k < some.size(); ++k)
      results.push_back(e.b.CreateExtractElement(pair, 2 * k + 1));
  }
  return results;
}

bool floatToFloat(FunctionEmitter& e, mlir::Operation* op) {
  auto convert = mlir::cast<tt::FpToFpOp>(op);
  mlir::Type from = mlir::getElementTypeOrSelf(convert.getSrc().getType()),
             to = mlir::getElementTypeOrSelf(convert.getType());
  llvm::Type* target = e.elementType(to);
  Fp8 fromFp8 = fp8Of(from), toFp8 = fp8Of(to);
  bool known = (fromFp8 != Fp8::None || e.elementType(from)->isFloatingPointTy()) &&
               (toFp8 != Fp8::None || target->isFloatingPointTy());
  bool towardsZero = convert.getRounding() == tt::RoundingMode::RTZ;
  if (!known)
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
    e.set(convert, towardsZero ? cutToUpperBytes(e, values) : encode(e, toFp8, values));
    return true;
  }
  if (fromFp8 != Fp8::None) {
    e.set(convert, values);
    return true;
  }
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
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

bool truncate(FunctionEmitter& e, mlir::Operation* op) {
  Generation generation = generationOf(e);
  if (generation == Generation::Cdna4 || generation == Generation::Cdna5)
    return truncateInPairs(e, op);
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  return elementwise(e, op,
                     [&](FunctionEmitter& e, Registers v) { return e.b.CreateFPTrunc(v[0], to); });
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
