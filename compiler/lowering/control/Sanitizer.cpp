// gl.fpsan, by instructions that do as ir/tti/FloatRing.cpp does.
#include "ir/tti/Dialect.h"
#include "ir/tti/FloatRing.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

namespace gluond::lowering {

namespace {

using Ring = tti::FloatRing;

llvm::Value* embedded(FunctionEmitter& e, const Ring& ring, llvm::Value* u) {
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(u->getType(), value); };
  llvm::Value* isNegative = e.b.CreateICmpNE(e.b.CreateAnd(u, number(ring.sign)), number(0));
  llvm::Value* sign = e.b.CreateSelect(isNegative, number(ring.sign), number(0));
  llvm::Value* spread =
      e.b.CreateAnd(e.b.CreateMul(u, number(ring.spread)), number(ring.magnitude));
  llvm::Value* folded = e.b.CreateXor(spread, e.b.CreateLShr(spread, number(ring.shift)));
  llvm::Value* factor = e.b.CreateSelect(isNegative, number(ring.negative), number(ring.positive));
  llvm::Value* scaled = e.b.CreateAnd(e.b.CreateMul(folded, factor), number(ring.magnitude));
  return e.b.CreateXor(scaled, sign);
}

llvm::Value* unembedded(FunctionEmitter& e, const Ring& ring, llvm::Value* v) {
  auto number = [&](uint64_t value) { return llvm::ConstantInt::get(v->getType(), value); };
  auto undo = [&](uint64_t factor) { return number(ring.inverse(factor)); };
  llvm::Value* isNegative = e.b.CreateICmpNE(e.b.CreateAnd(v, number(ring.sign)), number(0));
  llvm::Value* sign = e.b.CreateSelect(isNegative, number(ring.sign), number(0));
  llvm::Value* factor = e.b.CreateSelect(isNegative, undo(ring.negative), undo(ring.positive));
  llvm::Value* folded = e.b.CreateAnd(e.b.CreateMul(v, factor), number(ring.magnitude));
  for (unsigned shift = ring.shift; shift < ring.bits; shift *= 2)
    folded = e.b.CreateXor(folded, e.b.CreateLShr(folded, number(shift)));
  llvm::Value* magnitude =
      e.b.CreateAnd(e.b.CreateMul(folded, undo(ring.spread)), number(ring.magnitude));
  return e.b.CreateXor(magnitude, sign);
}

bool embed(FunctionEmitter& e, mlir::Operation* op) {
  Ring ring(mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(op->getOperand(0).getType())));
  return elementwise(e, op, [&](FunctionEmitter& e, Registers v) {
    return embedded(e, ring, e.b.CreateBitCast(v[0], e.b.getIntNTy(ring.bits)));
  });
}

bool unembed(FunctionEmitter& e, mlir::Operation* op) {
  auto type = mlir::cast<mlir::FloatType>(mlir::getElementTypeOrSelf(op->getResult(0).getType()));
  Ring ring(type);
  return elementwise(e, op,
                     [&](FunctionEmitter& e, Registers v) -> llvm::Value* {
                       if (v[0]->getType() != e.b.getIntNTy(ring.bits)) return nullptr;
                       return e.b.CreateBitCast(unembedded(e, ring, v[0]), e.elementType(type));
                     }) ||
         e.fail(op, "the integers and the floats have different sizes");
}

} // namespace

llvm::ArrayRef<OpRow> sanitizerOps() {
  static constexpr OpRow rows[] = {
      {"tti.experimental_fpsan_embed", embed},
      {"tti.experimental_fpsan_unembed", unembed},
  };
  return rows;
}

} // namespace gluond::lowering
