#include "lowering/amd/matrix/DotOperands.h"

#include "ir/tt/Ops.h"
#include "lowering/Elementwise.h"

#include <mlir/Dialect/Arith/IR/Arith.h>

namespace gluond::lowering::amd {

Held ofOwnBatch(FunctionEmitter& e, const LinearLayout& result, mlir::Value value) {
  Held held{e.layoutOf(value.getType()), RegisterList(e.get(value))};
  LinearLayout& layout = held.layout;
  if (layout.outs().size() < 3) return held;
  constexpr Dim batch = layout::tensorDim(0);
  bool isOneNumber =
      llvm::all_equal(held.registers) &&
      llvm::isa_and_nonnull<tt::SplatOp, mlir::arith::ConstantOp>(value.getDefiningOp());
  for (unsigned bit = 0; result.hasIn(Dim::Warp) && bit < result.inBits(Dim::Warp); ++bit) {
    int32_t wanted = result.basis(Dim::Warp, bit, batch);
    if (!wanted || !layout.hasIn(Dim::Warp) || layout.columns(Dim::Warp)[bit]) continue;
    uint64_t column = static_cast<uint64_t>(wanted) << layout.outShift(batch);
    layout::f2::ColumnVector registers(layout.columns(Dim::Register)),
        warps(layout.columns(Dim::Warp));
    auto* own = llvm::find(registers, column);
    if (own == registers.end()) {
      if (!isOneNumber) continue;
      warps[bit] = column;
      layout = layout.withColumns(Dim::Warp, warps);
      continue;
    }
    auto distance = uint64_t{1} << (own - registers.begin());
    llvm::Value* isUpper = nullptr;
    for (auto [number, low] : llvm::enumerate(held.registers)) {
      if (number & distance) continue;
      llvm::Value*& high = held.registers[number | distance];
      if (high == low) continue;
      if (!isUpper)
        isUpper = e.b.CreateICmpNE(e.b.CreateAnd(e.warp(), e.i32(int64_t{1} << bit)), e.i32(0));
      low = high = e.b.CreateSelect(isUpper, high, low);
    }
    *own = 0;
    warps[bit] = column;
    layout = layout.withColumns(Dim::Register, registers).withColumns(Dim::Warp, warps);
  }
  return held;
}

Operand operandOf(FunctionEmitter& e, const LinearLayout& result, mlir::Value value, bool isA) {
  Held held = ofOwnBatch(e, result, value);
  auto rank = static_cast<unsigned>(held.layout.outs().size());
  Dim rows = layout::tensorDim(rank - 2), columns = layout::tensorDim(rank - 1);
  return {std::move(held), isA ? rows : columns, isA ? columns : rows};
}

bool holdsTile(const Operand& operand, unsigned size) {
  for (unsigned bit = 0; bit < operand.layout.inBits(Dim::Lane); ++bit) {
    bool isOuter = bit < llvm::Log2_32(size);
    uint64_t wanted = isOuter && (int64_t(1) << bit) < operand.layout.outSize(operand.outer)
                          ? uint64_t(1) << bit
                          : 0;
    if (operand.outerBasis(Dim::Lane, bit) != wanted) return false;
    if (isOuter && operand.innerBasis(Dim::Lane, bit)) return false;
  }
  return true;
}

bool divideAlike(const Operand& a, const Operand& b, unsigned aSize, unsigned bSize,
                 bool areCopies) {
  unsigned aFirst = llvm::Log2_32(aSize), bFirst = llvm::Log2_32(bSize);
  for (unsigned i = 0; aFirst + i < a.layout.inBits(Dim::Lane); ++i) {
    uint64_t basis = a.innerBasis(Dim::Lane, aFirst + i);
    if (basis != b.innerBasis(Dim::Lane, bFirst + i) || (areCopies && basis)) return false;
  }
  return true;
}

uint64_t lanesRepeatingK(const Operand& operand, unsigned size) {
  uint64_t repeating = 0;
  for (unsigned bit = llvm::Log2_32(size); bit < operand.layout.inBits(Dim::Lane); ++bit)
    if (!operand.innerBasis(Dim::Lane, bit)) repeating |= uint64_t(1) << bit;
  return repeating;
}

void continueWithZeros(FunctionEmitter& e, RegisterList& words, size_t count,
                       uint64_t repeatingLanes) {
  llvm::Constant* zero = llvm::Constant::getNullValue(words.front()->getType());
  if (repeatingLanes) {
    llvm::Value* isOwn = e.b.CreateICmpEQ(
        e.b.CreateAnd(e.lane(), e.i32(static_cast<int64_t>(repeatingLanes))), e.i32(0));
    for (llvm::Value*& word : words)
      word = e.b.CreateSelect(isOwn, word, zero);
  }
  words.resize(count, zero);
}

bool followResult(const LinearLayout& result, const Operand& a, const Operand& b) {
  auto rank = static_cast<unsigned>(result.outs().size());
  for (Dim dim : {Dim::Warp, Dim::Block})
    for (unsigned bit = 0; result.hasIn(dim) && bit < result.inBits(dim); ++bit) {
      auto of = [&](const Operand& operand) {
        for (unsigned batch = 0; batch + 2 < rank; ++batch)
          if (Dim out = layout::tensorDim(batch);
              result.basis(dim, bit, out) !=
              (operand.layout.hasIn(dim) ? operand.layout.basis(dim, bit, out) : 0))
            return false;
        return !operand.layout.hasIn(dim) ||
               (operand.outerBasis(dim, bit) ==
                    static_cast<uint32_t>(result.basis(dim, bit, operand.outer)) &&
                !operand.innerBasis(dim, bit));
      };
      if (!of(a) || !of(b)) return false;
    }
  return true;
}

std::optional<RegisterList> wordsOf(FunctionEmitter& e, const Places& places, Registers registers,
                                    bool isA, int32_t outer, llvm::ArrayRef<int32_t> ks) {
  RegisterList elements;
  for (int32_t k : ks) {
    auto at = places.find(isA ? std::pair(outer, k) : std::pair(k, outer));
    if (at == places.end()) return std::nullopt;
    elements.push_back(registers[at->second]);
  }
  return pack(e, elements);
}

} // namespace gluond::lowering::amd
