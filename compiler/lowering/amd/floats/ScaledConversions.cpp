// Between floats of 4 and 8 bits and wider ones, with scales for blocks of numbers, and fp4
// without.
//
// Instructions take several numbers with one scale. As in Triton, it is that of the first of four
// numbers of 8 bits that are widened (eight on gfx1250), and of the first of eight numbers
// otherwise.
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/amd/floats/FloatConversions.h"
#include "lowering/arithmetic/Conversions.h"

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// A scale as the float that it stands for. A byte is a float's exponent; hardware reads nothing
// else of it, but a product needs the number for 0, and the NaN for 255.
llvm::Value* scaleAsFloat(FunctionEmitter& e, llvm::Value* scale, bool isExact) {
  if (!scale->getType()->isIntegerTy()) return e.b.CreateFPExt(scale, e.b.getFloatTy());
  llvm::Value* bits = e.b.CreateShl(e.b.CreateZExt(scale, e.b.getInt32Ty()), e.i32(23));
  if (!isExact) return e.b.CreateBitCast(bits, e.b.getFloatTy());
  bits = e.b.CreateBinaryIntrinsic(In::umax, bits, e.i32(0x00400000));
  llvm::Value* number = e.b.CreateBitCast(bits, e.b.getFloatTy());
  llvm::Constant* zero = llvm::ConstantFP::get(e.b.getFloatTy(), 0);
  return e.intrinsic(In::fma, {e.b.getFloatTy()}, {number, zero, number});
}

// The scale as gfx1250 takes it for eight numbers of each lane: those of both halves of a warp are
// in the first one.
constexpr int64_t scaleOfEachHalf = 8;

llvm::Value* scaleOfHalves(FunctionEmitter& e, llvm::Value* scale) {
  llvm::Value* own = e.b.CreateZExt(scale, e.b.getInt32Ty());
  return e.b.CreateOr(own, e.b.CreateShl(e.target().shuffleXor(e, own, 16), e.i32(8)));
}

llvm::Value* scaled(FunctionEmitter& e, llvm::Value* value, llvm::Value* scale, llvm::Type* to) {
  llvm::Value* wide = castFloat(e, value, e.b.getFloatTy());
  return castExactly(e, e.b.CreateFMul(wide, scale), to);
}

// ---- Numbers of 4 bits.

// The bytes of a table of eight that the lower three bits of four bytes choose.
llvm::Value* lookUp(FunctionEmitter& e, uint64_t table, llvm::Value* bytes) {
  llvm::Value *high = e.i32(static_cast<int32_t>(table >> 32)),
              *low = e.i32(static_cast<int32_t>(table));
  return e.intrinsic(In::amdgcn_perm, {}, {high, low, e.b.CreateAnd(bytes, e.i32(0x07070707))});
}

// The numbers without their sign, 0 to 6: the upper byte of halves, of which the lower one is zero,
// and the bytes of bfloats.
constexpr uint64_t ofHalves = 0x464442403e3c3800, upperOfBFloats = 0x404040403f3f3f00,
                   lowerOfBFloats = 0xc0804000c0800000;

// The numbers of four bytes, two of each in a vector.
RegisterList pairsOfFour(FunctionEmitter& e, llvm::Value* word, llvm::Type* to) {
  constexpr int64_t signs = static_cast<int32_t>(0x80808080);
  llvm::Value* upperNumbers = e.b.CreateLShr(word, e.i32(4));
  // The bytes with the sign and the exponent.
  auto withSigns = [&](uint64_t table, llvm::Value* numbers, llvm::Value* where) {
    return e.b.CreateOr(lookUp(e, table, numbers), e.b.CreateAnd(where, e.i32(signs)));
  };
  uint64_t table = to->isHalfTy() ? ofHalves : upperOfBFloats;
  llvm::Value *low = withSigns(table, word, e.b.CreateShl(word, e.i32(4))),
              *high = withSigns(table, upperNumbers, word);
  RegisterList pairs;
  if (to->isHalfTy()) {
    for (int64_t i = 0; i < 4; ++i)
      pairs.push_back(permute(e, high, low, 0x040c000c + i * 0x01000100));
  } else {
    llvm::Value *lowest = lookUp(e, lowerOfBFloats, word),
                *highest = lookUp(e, lowerOfBFloats, upperNumbers);
    for (int64_t two : {0x05010400, 0x07030602})
      for (int64_t one : {0x05040100, 0x07060302})
        pairs.push_back(
            permute(e, permute(e, high, highest, two), permute(e, low, lowest, two), one));
  }
  for (llvm::Value*& each : pairs)
    each = e.b.CreateBitCast(each, llvm::FixedVectorType::get(to, 2));
  return pairs;
}

// Two numbers of a byte by CDNA 4's instruction.
llvm::Value* pairOf(FunctionEmitter& e, llvm::Value* byte, llvm::Value* scale, llvm::Type* to) {
  llvm::Value* word = e.b.CreateZExt(byte, e.b.getInt32Ty());
  return e.intrinsic(to->isHalfTy() ? In::amdgcn_cvt_scalef32_pk_f16_fp4
                                    : In::amdgcn_cvt_scalef32_pk_bf16_fp4,
                     {}, {word, scale, e.i32(0)});
}

// Eight numbers of a word by gfx1250's.
RegisterList pairsOfEight(FunctionEmitter& e, llvm::Value* word, llvm::Value* scale, int64_t select,
                          llvm::Type* to) {
  RegisterList all = elementsOf(e, e.intrinsic(to->isHalfTy() ? In::amdgcn_cvt_scale_pk8_f16_fp4
                                                              : In::amdgcn_cvt_scale_pk8_bf16_fp4,
                                               {}, {word, scale, e.i32(select)}));
  RegisterList pairs;
  for (size_t i = 0; i < all.size(); i += 2)
    pairs.push_back(vectorOf(e, {all[i], all[i + 1]}));
  return pairs;
}

// The two numbers of each of up to four bytes. `scale` is null where there is none.
RegisterList pairsOf(FunctionEmitter& e, Registers bytes, llvm::Value* scale, llvm::Type* to) {
  Generation generation = generationOf(e);
  RegisterList pairs;
  if (generation == Generation::Cdna4) {
    llvm::Value* number = scale ? scaleAsFloat(e, scale, false) : one(e);
    for (llvm::Value* byte : bytes)
      pairs.push_back(pairOf(e, byte, number, to));
    return pairs;
  }
  llvm::Value* word = pack(e, padded(bytes, 4)).front();
  constexpr int64_t noScale = 127;
  if (generation == Generation::Cdna5) {
    pairs = scale ? pairsOfEight(e, word, scaleOfHalves(e, scale), scaleOfEachHalf, to)
                  : pairsOfEight(e, word, e.i32(noScale), 0, to);
  } else if (!scale) {
    pairs = pairsOfFour(e, word, to);
  } else {
    llvm::Value* factor = scaleAsFloat(e, scale, true);
    for (llvm::Value* pair : pairsOfFour(e, word, e.b.getHalfTy())) {
      RegisterList numbers = elementsOf(e, pair);
      for (llvm::Value*& number : numbers)
        number = scaled(e, number, factor, to);
      pairs.push_back(vectorOf(e, numbers));
    }
  }
  pairs.resize(bytes.size());
  return pairs;
}

// Where the scale of each register is, when scales are for blocks along an axis; nothing after
// fail().
std::optional<llvm::SmallVector<unsigned>> scaleRegisters(FunctionEmitter& e, mlir::Operation* op,
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

} // namespace

bool fromFp4(FunctionEmitter& e, mlir::Operation* op) {
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  if (!to->isHalfTy() && !to->isBFloatTy()) return convertFp4(e, op);
  Registers bytes = e.get(mlir::cast<ttg::Fp4ToFpOp>(op).getSrc());
  llvm::DenseMap<llvm::Value*, llvm::Value*> pairOfByte;
  for (size_t i = 0; i < bytes.size(); i += 4) {
    Registers some = bytes.slice(i, std::min<size_t>(4, bytes.size() - i));
    for (auto [byte, pair] : llvm::zip(some, pairsOf(e, some, nullptr, to)))
      pairOfByte[byte] = pair;
  }
  return convertFp4(e, op, [&](llvm::Value* byte) { return pairOfByte.lookup(byte); });
}

bool upcastFp8(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledUpcastFp8Op>(operation);
  Fp8 kind = fp8Of(mlir::getElementTypeOrSelf(op.getInput().getType()));
  llvm::Type* to = e.elementType(op.getType());
  Registers bytes = e.get(op.getInput()), scales = e.get(op.getScale());
  Generation generation = generationOf(e);
  bool isCdna5 = generation == Generation::Cdna5;
  const size_t together = isCdna5 ? 8 : 4;
  RegisterList results;
  for (size_t i = 0; i < bytes.size(); i += together) {
    Registers some = bytes.slice(i, std::min(together, bytes.size() - i));
    RegisterList values;
    if (isCdna5) {
      llvm::Value* words = vectorOf(e, pack(e, padded(some, together)));
      values =
          elementsOf(e, e.intrinsic(fromCdna5.of(to).of(kind), {},
                                    {words, scaleOfHalves(e, scales[i]), e.i32(scaleOfEachHalf)}));
    } else if (generation == Generation::Cdna4) {
      llvm::Value *word = pack(e, padded(some, together)).front(),
                  *scale = scaleAsFloat(e, scales[i], false);
      for (bool isUpper : {false, true})
        llvm::append_range(values, elementsOf(e, e.intrinsic(fromCdna4.of(to).of(kind), {},
                                                             {word, scale, e.i1(isUpper)})));
    } else {
      llvm::Value* scale = scaleAsFloat(e, scales[i], true);
      for (llvm::Value* value : decode(e, kind, some, e.b.getFloatTy()))
        values.push_back(scaled(e, value, scale, to));
    }
    llvm::append_range(results, Registers(values).take_front(some.size()));
  }
  e.set(op.getResult(), results);
  return true;
}

bool upcastFp4(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledUpcastFp4Op>(operation);
  const LinearLayout &from = e.layoutOf(op.getInput().getType()), &to = e.layoutOf(op.getType());
  auto axis = static_cast<size_t>(op.getAxis());
  auto byPlace = registersByPlace(from);
  auto scaleAt =
      scaleRegisters(e, op, mlir::cast<mlir::RankedTensorType>(op.getType()), op.getScale(), axis);
  if (!scaleAt) return false;
  Registers bytes = e.get(op.getInput()), scales = e.get(op.getScale());
  // The byte and the half of it that each register of the result is, and the bytes' scales.
  llvm::SmallVector<std::pair<unsigned, uint64_t>> sources;
  RegisterList scaleOfByte(bytes.size(), scales.front());
  for (auto [i, place] : llvm::enumerate(registerPlaces(to))) {
    layout::Coordinates at = to.unpack(place);
    const auto half = static_cast<uint64_t>(at[axis] & 1);
    at[axis] >>= 1;
    auto found = byPlace.find(from.pack(at));
    if (found == byPlace.end())
      return e.fail(op, "the layout of the result would move elements between threads");
    sources.push_back({found->second, half});
    if (!half) scaleOfByte[found->second] = scales[(*scaleAt)[i]];
  }
  RegisterList pairs, results;
  for (size_t i = 0; i < bytes.size(); i += 4)
    llvm::append_range(pairs, pairsOf(e, bytes.slice(i, std::min<size_t>(4, bytes.size() - i)),
                                      scaleOfByte[i], e.elementType(op.getType())));
  for (auto [byte, half] : sources)
    results.push_back(e.b.CreateExtractElement(pairs[byte], half));
  e.set(op.getResult(), results);
  return true;
}

namespace {

// A conversion of wide floats to smaller ones with a scale: CDNA 4's instruction, which takes two
// numbers and writes a part of a word, and gfx1250's, which takes eight.
struct Narrowing {
  unsigned ofTwo, ofEight;
  unsigned bits; // of a result
};

// Eight numbers by CDNA 4's instruction.
llvm::Value* narrowedByTwo(FunctionEmitter& e, const Narrowing& to, Registers values,
                           llvm::Value* scale) {
  const unsigned perWord = 32 / to.bits;
  llvm::Type* wordType = to.bits == 4 ? static_cast<llvm::Type*>(e.b.getInt32Ty())
                                      : llvm::FixedVectorType::get(e.b.getInt16Ty(), 2);
  RegisterList words;
  for (size_t first = 0; first < values.size(); first += perWord) {
    llvm::Value* word = llvm::Constant::getNullValue(wordType);
    for (unsigned i = 0; i < perWord; i += 2) {
      llvm::Value *low = values[first + i], *high = values[first + i + 1];
      RegisterList operands{word};
      if (low->getType()->isFloatTy())
        operands.append({low, high});
      else
        operands.push_back(vectorOf(e, {low, high}));
      operands.push_back(scale);
      operands.push_back(to.bits == 4 ? e.i32(i / 2) : e.i1(i != 0));
      word = e.intrinsic(to.ofTwo, {}, operands);
    }
    words.push_back(e.b.CreateBitCast(word, e.b.getInt32Ty()));
  }
  return words.size() == 1 ? words.front() : vectorOf(e, words);
}

// Every eight registers of a layout that the verifier accepts share a scale.
std::optional<RegisterList> packedByEight(FunctionEmitter& e, mlir::Operation* op,
                                          mlir::Value input, mlir::Value scale, size_t axis,
                                          const Narrowing& to) {
  auto type = mlir::cast<mlir::RankedTensorType>(input.getType());
  const bool isCdna4 = generationOf(e) == Generation::Cdna4;
  if (!isCdna4 && !needsCdna5(e, op, "conversions to smaller floats with scales need gfx950 or"))
    return std::nullopt;
  auto scaleAt = scaleRegisters(e, op, type, scale, axis);
  if (!scaleAt) return std::nullopt;
  Registers values = e.get(input), scales = e.get(scale);
  RegisterList words;
  for (size_t i = 0; i + 8 <= values.size(); i += 8) {
    Registers eight = values.slice(i, 8);
    llvm::Value* factor = scaleAsFloat(e, scales[(*scaleAt)[i]], false);
    words.push_back(isCdna4 ? narrowedByTwo(e, to, eight, factor)
                            : e.intrinsic(to.ofEight, {}, {vectorOf(e, eight), factor}));
  }
  return words;
}

} // namespace

bool downcastFp8(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledDowncastFp8Op>(operation);
  Fp8 kind = fp8Of(mlir::getElementTypeOrSelf(op.getType()));
  llvm::Type* from = e.elementType(op.getInput().getType());
  auto words = packedByEight(e, op, op.getInput(), op.getScale(), op.getAxis(),
                             {toCdna4.of(from).of(kind), toCdna5.of(from).of(kind), 8});
  if (!words) return false;
  RegisterList bytes;
  for (llvm::Value* pair : *words)
    llvm::append_range(bytes, unpack(e, elementsOf(e, pair), e.b.getInt8Ty(), 8));
  e.set(op.getResult(), bytes);
  return true;
}

bool downcastFp4(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ScaledDowncastFp4Op>(operation);
  llvm::Type* from = e.elementType(op.getInput().getType());
  constexpr Narrowing fromFloat = {In::amdgcn_cvt_scalef32_pk_fp4_f32,
                                   In::amdgcn_cvt_scalef32_pk8_fp4_f32, 4},
                      fromHalf = {In::amdgcn_cvt_scalef32_pk_fp4_f16,
                                  In::amdgcn_cvt_scalef32_pk8_fp4_f16, 4},
                      fromBFloat = {In::amdgcn_cvt_scalef32_pk_fp4_bf16,
                                    In::amdgcn_cvt_scalef32_pk8_fp4_bf16, 4};
  const Narrowing& conversion = from->isHalfTy()     ? fromHalf
                                : from->isBFloatTy() ? fromBFloat
                                                     : fromFloat;
  auto axis = static_cast<size_t>(op.getAxis());
  auto words = packedByEight(e, op, op.getInput(), op.getScale(), axis, conversion);
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

} // namespace gluond::lowering::amd
