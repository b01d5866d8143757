#include "lowering/tensors/PartialResults.h"

#include "chips/MemorySizes.h"
#include "lowering/Combine.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

unsigned accessBits(mlir::ValueRange operands) {
  int64_t elements = chips::widestAccessBytes;
  for (mlir::Value operand : operands)
    elements = std::min(elements, chips::widestAccessBytes / elementBytes(operand.getType()));
  return llvm::Log2_64(static_cast<uint64_t>(elements));
}

unsigned resultsTogether(const PartialResults& parts) {
  unsigned own = 0; // bits of the results of one thread
  while (own < parts.ofRegisters.size() && own < parts.accessBits &&
         llvm::isPowerOf2_64(parts.ofRegisters[own]))
    ++own;
  if (!parts.inTurn) return own;
  // Lanes whose parts lie one access apart use the same banks if they are more than the accesses
  // that fit into a row of banks.
  constexpr unsigned accessesOfRow = 8;
  auto lanes = uint64_t(1) << llvm::count_if(parts.ofLanes, [](uint64_t bit) { return bit; });
  return lanes > accessesOfRow
             ? own
             : std::min(own, parts.accessBits - std::min(parts.accessBits, parts.warpBits));
}

llvm::SmallVector<unsigned> memoryOrder(const PartialResults& parts) {
  llvm::SmallVector<unsigned> order;
  auto add = [&](unsigned bit) {
    if (!llvm::is_contained(order, bit)) order.push_back(bit);
  };
  for (uint64_t column : parts.ofRegisters.take_front(resultsTogether(parts)))
    add(llvm::Log2_64(column));
  for (unsigned bit = 0; bit < parts.warpBits && order.size() < parts.accessBits; ++bit)
    add(bit);
  for (uint64_t column : parts.ofRegisters)
    if (order.size() < parts.accessBits && llvm::isPowerOf2_64(column)) add(llvm::Log2_64(column));
  for (uint64_t column : parts.ofLanes)
    for (; column; column &= column - 1)
      add(static_cast<unsigned>(llvm::countr_zero(column)));
  for (unsigned bit = 0; bit < parts.bits; ++bit)
    add(bit);
  return order;
}

uint64_t inMemoryOrder(uint64_t number, llvm::ArrayRef<unsigned> order) {
  uint64_t place = 0;
  for (auto [to, from] : llvm::enumerate(order))
    place |= (number >> from & 1) << to;
  return place;
}

} // namespace gluond::lowering
