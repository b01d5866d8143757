#include "lowering/amd/matrix/DotOperands.h"

#include "lowering/Elementwise.h"

namespace gluond::lowering::amd {

Operand operandOf(FunctionEmitter& e, mlir::Type type, bool isA) {
  const LinearLayout& layout = e.layoutOf(type);
  auto rank = static_cast<unsigned>(layout.outs().size());
  Dim rows = layout::tensorDim(rank - 2), columns = layout::tensorDim(rank - 1);
  return {layout, isA ? rows : columns, isA ? columns : rows};
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
