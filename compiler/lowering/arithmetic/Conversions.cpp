// Between element types. tt.fp_to_fp is each target's own.
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

#include <cmath>

namespace gluond::lowering {

namespace {

template <llvm::Instruction::CastOps opcode> bool cast(FunctionEmitter& e, mlir::Operation* op) {
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  return elementwise(
      e, op, [&](FunctionEmitter& e, Registers v) { return e.b.CreateCast(opcode, v[0], to); });
}

// Pointers keep their bits under another pointee type.
bool bitcast(FunctionEmitter& e, mlir::Operation* op) {
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
    return to->isPointerTy() ? v[0] : e.b.CreateBitCast(v[0], to);
  });
}

} // namespace

bool truncateInPairs(FunctionEmitter& e, mlir::Operation* op) {
  Registers source = e.get(op->getOperand(0));
  llvm::Type *to = e.elementType(op->getResult(0).getType()), *from = source.front()->getType();
  RegisterList results;
  size_t i = 0;
  if (from->isFloatTy() && (to->isHalfTy() || to->isBFloatTy()))
    for (; i + 1 < source.size(); i += 2) {
      llvm::Value* both = llvm::PoisonValue::get(llvm::FixedVectorType::get(from, 2));
      for (unsigned k = 0; k < 2; ++k)
        both = e.b.CreateInsertElement(both, source[i + k], k);
      both = e.b.CreateFPTrunc(both, llvm::FixedVectorType::get(to, 2));
      for (unsigned k = 0; k < 2; ++k)
        results.push_back(e.b.CreateExtractElement(both, k));
    }
  for (; i < source.size(); ++i)
    results.push_back(e.b.CreateFPTrunc(source[i], to));
  e.set(op->getResult(0), results);
  return true;
}

llvm::Value* castFloat(FunctionEmitter& e, llvm::Value* value, llvm::Type* to) {
  unsigned before = value->getType()->getPrimitiveSizeInBits(),
           after = to->getPrimitiveSizeInBits();
  if (after > before) return e.b.CreateFPExt(value, to);
  if (after < before) return e.b.CreateFPTrunc(value, to);
  if (value->getType() == to) return value;
  return e.b.CreateFPTrunc(e.b.CreateFPExt(value, e.b.getFloatTy()), to);
}

// A word at a time, as memory and matrix units want them.
RegisterList pack(FunctionEmitter& e, Registers registers) {
  llvm::Type* type = registers.front()->getType();
  if (type->isPointerTy()) {
    RegisterList words;
    for (llvm::Value* pointer : registers) {
      llvm::Value* bits = e.b.CreateBitCast(e.b.CreatePtrToInt(pointer, e.b.getInt64Ty()),
                                            llvm::FixedVectorType::get(e.b.getInt32Ty(), 2));
      for (unsigned k = 0; k < 2; ++k)
        words.push_back(e.b.CreateExtractElement(bits, k));
    }
    return words;
  }
  if (type->isIntegerTy(1)) type = e.b.getInt8Ty();
  unsigned bits = type->getPrimitiveSizeInBits();
  auto stored = [&](llvm::Value* value) {
    return value->getType()->isIntegerTy(1) ? e.b.CreateZExt(value, type) : value;
  };
  RegisterList words;
  if (bits == 64) {
    for (llvm::Value* value : registers) {
      llvm::Value* both = e.b.CreateBitCast(value, llvm::FixedVectorType::get(e.b.getInt32Ty(), 2));
      for (unsigned k = 0; k < 2; ++k)
        words.push_back(e.b.CreateExtractElement(both, k));
    }
    return words;
  }
  unsigned wordBits = std::min<unsigned>(32, bits * static_cast<unsigned>(registers.size()));
  unsigned perWord = wordBits / bits;
  llvm::Type* word = e.b.getIntNTy(wordBits);
  for (size_t i = 0; i < registers.size(); i += perWord) {
    if (perWord == 1) {
      words.push_back(e.b.CreateBitCast(stored(registers[i]), word));
      continue;
    }
    llvm::Value* vector = llvm::PoisonValue::get(llvm::FixedVectorType::get(type, perWord));
    for (unsigned k = 0; k < perWord; ++k)
      vector = e.b.CreateInsertElement(vector, stored(registers[i + k]), k);
    words.push_back(e.b.CreateBitCast(vector, word));
  }
  return words;
}

RegisterList unpack(FunctionEmitter& e, Registers words, llvm::Type* element, unsigned count) {
  RegisterList values;
  if (element->isPointerTy() || element->getPrimitiveSizeInBits() == 64) {
    for (unsigned i = 0; i < count; ++i) {
      llvm::Value* both = llvm::PoisonValue::get(llvm::FixedVectorType::get(e.b.getInt32Ty(), 2));
      for (unsigned k = 0; k < 2; ++k)
        both = e.b.CreateInsertElement(both, words[2 * i + k], k);
      llvm::Value* bits = e.b.CreateBitCast(both, e.b.getInt64Ty());
      values.push_back(element->isPointerTy() ? e.b.CreateIntToPtr(bits, element)
                                              : e.b.CreateBitCast(bits, element));
    }
    return values;
  }
  llvm::Type* type = element->isIntegerTy(1) ? e.b.getInt8Ty() : element;
  auto loaded = [&](llvm::Value* value) {
    return element->isIntegerTy(1) ? e.b.CreateTrunc(value, element) : value;
  };
  unsigned wordBits = words.front()->getType()->getIntegerBitWidth();
  unsigned perWord = std::max(1u, wordBits / static_cast<unsigned>(type->getPrimitiveSizeInBits()));
  for (llvm::Value* word : words) {
    if (perWord == 1) {
      values.push_back(loaded(e.b.CreateBitCast(word, type)));
      continue;
    }
    llvm::Value* vector = e.b.CreateBitCast(word, llvm::FixedVectorType::get(type, perWord));
    for (unsigned k = 0; k < perWord && values.size() < count; ++k)
      values.push_back(loaded(e.b.CreateExtractElement(vector, k)));
  }
  return values;
}

bool convertFp4(FunctionEmitter& e, mlir::Operation* operation,
                llvm::function_ref<llvm::Value*(llvm::Value* byte)> convert) {
  auto op = mlir::cast<ttg::Fp4ToFpOp>(operation);
  const LinearLayout &from = e.layoutOf(op.getSrc().getType()), &to = e.layoutOf(op.getType());
  llvm::DenseMap<uint64_t, unsigned> byPlace;
  for (auto [i, place] : llvm::enumerate(registerPlaces(from)))
    byPlace.try_emplace(place, static_cast<unsigned>(i));
  RegisterList pairs(e.get(op.getSrc()).size()), results;
  for (uint64_t place : registerPlaces(to)) {
    layout::Coordinates at = to.unpack(place);
    int32_t& along = at[static_cast<size_t>(op.getAxis())];
    const int32_t half = along & 1;
    along >>= 1;
    auto found = byPlace.find(from.pack(at));
    if (found == byPlace.end())
      return e.fail(op, "the layout of the result would move elements between threads");
    llvm::Value*& pair = pairs[found->second];
    if (!pair) pair = convert(e.get(op.getSrc())[found->second]);
    results.push_back(e.b.CreateExtractElement(pair, static_cast<uint64_t>(half)));
  }
  e.set(op.getResult(), results);
  return true;
}

// The sign goes to its place, the other three bits to the lowest ones of the exponent and the
// highest one of the mantissa. That is the number but for a power of two, since fp4 has no
// infinities and no NaN; a product with it is exact.
bool convertFp4(FunctionEmitter& e, mlir::Operation* op) {
  llvm::Type* element = e.elementType(op->getResult(0).getType());
  bool isHalf = element->isHalfTy();
  const int64_t mantissa = isHalf ? 10 : 7, bias = isHalf ? 15 : 127;
  auto* pair = llvm::FixedVectorType::get(element, 2);
  llvm::Constant* scale = llvm::ConstantFP::get(pair, std::ldexp(1.0, static_cast<int>(bias - 1)));
  return convertFp4(e, op, [&](llvm::Value* byte) {
    llvm::Value* bits = e.b.CreateZExt(byte, e.b.getInt32Ty());
    auto moved = [&](int64_t mask, int64_t distance) {
      return e.b.CreateShl(e.b.CreateAnd(bits, e.i32(mask)), e.i32(distance));
    };
    const int64_t magnitude = mantissa - 1; // where the lowest bit goes
    llvm::Value* word = e.disjointOr(moved(7, magnitude), moved(8, 12));
    word = e.disjointOr(word, e.disjointOr(moved(0x70, magnitude + 12), moved(0x80, 24)));
    return e.b.CreateFMul(e.b.CreateBitCast(word, pair), scale);
  });
}

llvm::ArrayRef<OpRow> conversionOps() {
  using I = llvm::Instruction;
  static constexpr OpRow rows[] = {
      {"arith.extsi", cast<I::SExt>},
      {"arith.extui", cast<I::ZExt>},
      {"arith.trunci", cast<I::Trunc>},
      {"arith.extf", cast<I::FPExt>},
      {"arith.truncf", cast<I::FPTrunc>},
      {"arith.sitofp", cast<I::SIToFP>},
      {"arith.uitofp", cast<I::UIToFP>},
      {"arith.fptosi", cast<I::FPToSI>},
      {"arith.fptoui", cast<I::FPToUI>},
      {"arith.bitcast", bitcast},
      {"tt.bitcast", bitcast},
      {"tt.int_to_ptr", cast<I::IntToPtr>},
      {"tt.ptr_to_int", cast<I::PtrToInt>},
      {"ttg.fp4_to_fp", convertFp4},
  };
  return rows;
}

} // namespace gluond::lowering
