// Between floats of 4 to 64 bits, and from integers of 8.
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/arithmetic/Conversions.h"
#include "lowering/nvidia/Instructions.h"

namespace gluond::lowering::nvidia {

namespace {

enum class Small : uint8_t { None, E4M3, E5M2 };
Small smallFloat(mlir::Type type) {
  if (mlir::isa<mlir::Float8E4M3FNType>(type)) return Small::E4M3;
  if (mlir::isa<mlir::Float8E5M2Type>(type)) return Small::E5M2;
  return Small::None;
}
llvm::StringRef ptxName(Small kind) {
  return kind == Small::E4M3 ? "e4m3x2" : "e5m2x2";
}

// fp8 pairs to half pairs: one instruction on sm_89 and later; before, e5m2 is the upper byte of a
// half.
bool fromSmall(FunctionEmitter& e, mlir::Operation* op, Small from, llvm::Type* to) {
  if (from == Small::E4M3 && !needs(e, op, chips::Feature::Fp8, "conversions from fp8e4nv need"))
    return false;
  Registers source = e.get(op->getOperand(0));
  RegisterList results;
  llvm::Type* half = e.b.getHalfTy();
  for (size_t i = 0; i < source.size(); i += 2) {
    bool pair = i + 1 < source.size();
    llvm::Value* halves[2];
    if (has(e, chips::Feature::Fp8)) {
      llvm::Value* word = e.b.CreateZExt(source[i], e.b.getInt16Ty());
      if (pair)
        word =
            e.b.CreateOr(word, e.b.CreateShl(e.b.CreateZExt(source[i + 1], e.b.getInt16Ty()), 8));
      llvm::Value* both =
          e.assembly(e.b.getInt32Ty(), ("cvt.rn.f16x2." + ptxName(from) + " $0, $1;").str(), "=r,h",
                     {word}, false);
      both = e.b.CreateBitCast(both, llvm::FixedVectorType::get(half, 2));
      for (unsigned k = 0; k < 2; ++k)
        halves[k] = e.b.CreateExtractElement(both, k);
    } else {
      for (unsigned k = 0; k < (pair ? 2u : 1u); ++k)
        halves[k] = e.b.CreateBitCast(
            e.b.CreateShl(e.b.CreateZExt(source[i + k], e.b.getInt16Ty()), 8), half);
    }
    for (unsigned k = 0; k < (pair ? 2u : 1u); ++k) {
      llvm::Value* value = halves[k];
      if (to->isBFloatTy()) value = e.b.CreateFPTrunc(e.b.CreateFPExt(value, e.b.getFloatTy()), to);
      if (to->isFloatTy() || to->isDoubleTy()) value = e.b.CreateFPExt(value, to);
      results.push_back(value);
    }
  }
  e.set(op->getResult(0), results);
  return true;
}

// Two halves in a word, as Triton has them before it makes fp8e5 without an instruction for it:
// every bit that this drops and that may decide how fp8e5 is rounded is or-ed into one that stays.
llvm::Value* halvesForRounding(FunctionEmitter& e, llvm::Value* low, llvm::Value* high,
                               bool towardsZero) {
  llvm::Type *type = low->getType(), *half = e.b.getHalfTy(), *word = e.b.getInt32Ty();
  std::array values{low, high};
  for (llvm::Value*& value : values) {
    if (type->isFloatTy() && !towardsZero) {
      llvm::Value* bits = e.b.CreateBitCast(value, word);
      llvm::Value* isAnyBelow = e.b.CreateAnd(e.b.CreateAdd(bits, e.i32(0xffff)), e.i32(1 << 16));
      value = e.b.CreateBitCast(e.b.CreateOr(bits, isAnyBelow), type);
    } else if (!type->isFloatTy() && !type->isHalfTy()) {
      value = e.b.CreateFPTrunc(e.b.CreateFPExt(value, e.b.getFloatTy()), half);
    }
  }
  if (type->isFloatTy() && has(e, narrowedPairs))
    return e.assembly(word, "cvt.rz.f16x2.f32 $0, $1, $2;", "=r,f,f", {values[1], values[0]},
                      false);
  llvm::Value* both = llvm::PoisonValue::get(llvm::FixedVectorType::get(half, 2));
  for (auto [k, value] : llvm::enumerate(values)) {
    if (type->isFloatTy())
      value = e.b.CreateBitCast(
          e.assembly(e.b.getInt16Ty(), "cvt.rz.f16.f32 $0, $1;", "=h,f", {value}, false), half);
    both = e.b.CreateInsertElement(both, value, k);
  }
  return e.b.CreateBitCast(both, word);
}

// fp8e5 is the upper byte of a half. Rounds both halves of the word to nearest in that byte; what
// is too large becomes the largest finite number.
llvm::Value* roundToUpperByte(FunctionEmitter& e, llvm::Value* halves) {
  auto everywhere = [&](unsigned half) { return e.i32(half << 16 | half); };
  llvm::Type* pair = llvm::FixedVectorType::get(e.b.getHalfTy(), 2);
  llvm::Value* size = e.b.CreateAnd(halves, everywhere(0x7fff));
  llvm::Value* isNaN = e.b.CreateAnd(e.b.CreateAdd(size, everywhere(0x03ff)), everywhere(0x8000));
  llvm::Value* finite = e.b.CreateBitCast(
      e.b.CreateMinNum(e.b.CreateBitCast(size, pair), e.b.CreateBitCast(everywhere(0x7b00), pair)),
      e.b.getInt32Ty());
  llvm::Value* isOdd = e.b.CreateAnd(e.b.CreateLShr(finite, 8), everywhere(1));
  llvm::Value* rounded = e.b.CreateAdd(e.b.CreateAdd(finite, everywhere(0x7f)), isOdd);
  rounded = e.b.CreateOr(rounded, e.b.CreateLShr(isNaN, 5));
  return e.b.CreateOr(rounded, e.b.CreateAnd(halves, everywhere(0x8000)));
}

bool toSmall(FunctionEmitter& e, mlir::Operation* op, Small to, bool towardsZero) {
  bool hasInstruction = has(e, chips::Feature::Fp8) && !towardsZero;
  if (!hasInstruction && to == Small::E4M3)
    return needs(e, op, chips::Feature::Fp8, "conversions to fp8e4nv need") &&
           e.fail(op, "conversions to fp8e4nv round to nearest");
  Registers source = e.get(op->getOperand(0));
  RegisterList results;
  for (size_t i = 0; i < source.size(); i += 2) {
    bool pair = i + 1 < source.size();
    llvm::Type* type = source[i]->getType();
    llvm::Value* low = source[i];
    llvm::Value* high = pair ? source[i + 1] : llvm::Constant::getNullValue(type);
    if (!hasInstruction) {
      llvm::Value* halves = halvesForRounding(e, low, high, towardsZero);
      if (!towardsZero) halves = roundToUpperByte(e, halves);
      halves = e.b.CreateBitCast(halves, llvm::FixedVectorType::get(e.b.getInt8Ty(), 4));
      for (unsigned k = 0; k < (pair ? 2u : 1u); ++k)
        results.push_back(e.b.CreateExtractElement(halves, 2 * k + 1));
      continue;
    }
    llvm::Value* word;
    if (type->isHalfTy()) {
      llvm::Value* both = e.b.CreateInsertElement(
          e.b.CreateInsertElement(llvm::PoisonValue::get(llvm::FixedVectorType::get(type, 2)), low,
                                  uint64_t(0)),
          high, 1);
      word =
          e.assembly(e.b.getInt16Ty(), ("cvt.rn.satfinite." + ptxName(to) + ".f16x2 $0, $1;").str(),
                     "=h,r", {e.b.CreateBitCast(both, e.b.getInt32Ty())}, false);
    } else {
      llvm::Type* f32 = e.b.getFloatTy();
      auto wide = [&](llvm::Value* value) {
        return type->isDoubleTy() ? e.b.CreateFPTrunc(value, f32) : e.b.CreateFPExt(value, f32);
      };
      word = e.assembly(e.b.getInt16Ty(),
                        ("cvt.rn.satfinite." + ptxName(to) + ".f32 $0, $1, $2;").str(), "=h,f,f",
                        {wide(high), wide(low)}, false);
    }
    // As a vector, whose parts go into a word of four again without arithmetic.
    llvm::Value* bytes = e.b.CreateBitCast(word, llvm::FixedVectorType::get(e.b.getInt8Ty(), 2));
    for (unsigned k = 0; k < (pair ? 2u : 1u); ++k)
      results.push_back(e.b.CreateExtractElement(bytes, k));
  }
  e.set(op->getResult(0), results);
  return true;
}

bool floatToFloat(FunctionEmitter& e, mlir::Operation* op) {
  auto convert = mlir::cast<tt::FpToFpOp>(op);
  mlir::Type from = mlir::getElementTypeOrSelf(convert.getSrc().getType()),
             to = mlir::getElementTypeOrSelf(convert.getType());
  llvm::Type* target = e.elementType(to);
  Small smallFrom = smallFloat(from), smallTo = smallFloat(to);
  bool known = (smallFrom != Small::None || e.elementType(from)->isFloatingPointTy()) &&
               (smallTo != Small::None || target->isFloatingPointTy());
  if (!known || (smallFrom != Small::None && smallTo != Small::None))
    return e.fail(op,
                  "gluond cannot compile a conversion between these float types for NVIDIA GPUs");
  if (smallFrom != Small::None) return fromSmall(e, op, smallFrom, target);
  bool towardsZero = convert.getRounding() == tt::RoundingMode::RTZ;
  if (smallTo != Small::None) return toSmall(e, op, smallTo, towardsZero);
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
    unsigned before = v[0]->getType()->getPrimitiveSizeInBits(),
             after = target->getPrimitiveSizeInBits();
    if (!towardsZero || after >= before) return castFloat(e, v[0], target);
    llvm::Value* single = before == 64 ? e.b.CreateFPTrunc(v[0], e.b.getFloatTy()) : v[0];
    llvm::Value* bits = e.assembly(
        e.b.getInt16Ty(), target->isHalfTy() ? "cvt.rz.f16.f32 $0, $1;" : "cvt.rz.bf16.f32 $0, $1;",
        "=h,f", {single}, false);
    return e.b.CreateBitCast(bits, target);
  });
}

// Two of four integers of 8 bits as bf16. A byte in the lower half of 0x4300 adds its lower seven
// bits to 128, and the sign adds 128 to what is subtracted from that: both are exact.
// The constants are part of the instruction: ptxas copies those of registers for each of many.
llvm::Value* pairOfBytes(FunctionEmitter& e, llvm::Value* word, llvm::StringRef permutation) {
  llvm::Type* type = e.b.getInt32Ty();
  llvm::Value* moved = e.assembly(type, permutation, "=r,r", {word}, false);
  return e.assembly(
      type, "sub.bf16x2 $0, $1, $2;", "=r,r,r",
      {e.b.CreateAnd(moved, e.i32(0xff7fff7f)), e.b.CreateAnd(moved, e.i32(0xff80ff80))}, false);
}

// The same, of integers that a float with the upper half of fp32's bits can hold.
llvm::Value* pairOfUpperHalves(FunctionEmitter& e, llvm::Value* low, llvm::Value* high) {
  auto bits = [&](llvm::Value* value) {
    return e.b.CreateBitCast(e.b.CreateSIToFP(value, e.b.getFloatTy()), e.b.getInt32Ty());
  };
  return e.assembly(e.b.getInt32Ty(), "prmt.b32 $0, $1, $2, 0x7632;", "=r,r,r",
                    {bits(low), bits(high)}, false);
}

bool integerToFloat(FunctionEmitter& e, mlir::Operation* op) {
  Registers source = e.get(op->getOperand(0));
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  RegisterList results;
  size_t i = 0;
  if (source.front()->getType()->isIntegerTy(8) && to->isBFloatTy())
    for (; i + 3 < source.size(); i += 4) {
      RegisterList words;
      if (has(e, packedHalves)) {
        llvm::Value* word = pack(e, source.slice(i, 4)).front();
        words = {pairOfBytes(e, word, "prmt.b32 $0, 0x43, $1, 0x0504;"),
                 pairOfBytes(e, word, "prmt.b32 $0, 0x43, $1, 0x0706;")};
      } else {
        words = {pairOfUpperHalves(e, source[i], source[i + 1]),
                 pairOfUpperHalves(e, source[i + 2], source[i + 3])};
      }
      llvm::append_range(results, unpack(e, words, to, 4));
    }
  for (; i < source.size(); ++i)
    results.push_back(e.b.CreateSIToFP(source[i], to));
  e.set(op->getResult(0), results);
  return true;
}

// Blackwell has an instruction for it. That for bf16 is younger than the PTX that gluond writes.
bool fromFp4(FunctionEmitter& e, mlir::Operation* op) {
  if (!has(e, fp4Conversions) || !e.elementType(op->getResult(0).getType())->isHalfTy())
    return convertFp4(e, op);
  return convertFp4(e, op, [&](llvm::Value* byte) {
    llvm::Value* both = e.assembly(
        e.b.getInt32Ty(),
        "{\n\t.reg .b8 pair;\n\tmov.b16 {pair, _}, $1;\n\tcvt.rn.f16x2.e2m1x2 $0, pair;\n\t}",
        "=r,h", {e.b.CreateZExt(byte, e.b.getInt16Ty())}, false);
    return e.b.CreateBitCast(both, llvm::FixedVectorType::get(e.b.getHalfTy(), 2));
  });
}

} // namespace

llvm::ArrayRef<OpRow> floatConversionOps() {
  static constexpr OpRow rows[] = {
      {"arith.sitofp", integerToFloat},
      {"arith.truncf", truncateInPairs},
      {"tt.fp_to_fp", floatToFloat},
      {"ttg.fp4_to_fp", fromFp4},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
