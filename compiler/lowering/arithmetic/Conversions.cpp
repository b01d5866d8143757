// Between element types. tt.fp_to_fp is each target's own.
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::lowering {

namespace {

template <llvm::Instruction::CastOps opcode> bool cast(Emitter& e, mlir::Operation* op) {
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  return elementwise(e, op,
                     [&](Emitter& e, Registers v) { return e.b.CreateCast(opcode, v[0], to); });
}

// Pointers keep their bits under another pointee type.
bool bitcast(Emitter& e, mlir::Operation* op) {
  llvm::Type* to = e.elementType(op->getResult(0).getType());
  return elementwise(e, op, [&](Emitter& e, Registers v) -> llvm::Value* {
    return to->isPointerTy() ? v[0] : e.b.CreateBitCast(v[0], to);
  });
}

} // namespace

llvm::Value* castFloat(Emitter& e, llvm::Value* value, llvm::Type* to) {
  unsigned before = value->getType()->getPrimitiveSizeInBits(),
           after = to->getPrimitiveSizeInBits();
  if (after > before) return e.b.CreateFPExt(value, to);
  if (after < before) return e.b.CreateFPTrunc(value, to);
  if (value->getType() == to) return value;
  return e.b.CreateFPTrunc(e.b.CreateFPExt(value, e.b.getFloatTy()), to);
}

// A word at a time, as memory and matrix units want them.
RegisterList pack(Emitter& e, Registers registers) {
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

RegisterList unpack(Emitter& e, Registers words, llvm::Type* element, unsigned count) {
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
  };
  return rows;
}

} // namespace gluond::lowering
