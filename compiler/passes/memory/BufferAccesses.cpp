#include "passes/memory/BufferAccesses.h"

#include "ir/ttg/Ops.h"

#include <mlir/Interfaces/SideEffectInterfaces.h>

namespace gluond::passes {
using namespace mlir;

llvm::SmallVector<BufferAccess, 4> bufferAccessesOf(Operation* op) {
  llvm::SmallVector<BufferAccess, 4> accesses;
  auto effects = dyn_cast<MemoryEffectOpInterface>(op);
  if (!effects) return accesses;
  llvm::SmallVector<SideEffects::EffectInstance<MemoryEffects::Effect>> instances;
  effects.getEffects(instances);
  for (const auto& instance : instances) {
    Value value = instance.getValue();
    if (!value || !isa<ttg::MemDescType>(value.getType())) continue;
    if (isa<MemoryEffects::Read, MemoryEffects::Write>(instance.getEffect()))
      accesses.push_back({value, isa<MemoryEffects::Write>(instance.getEffect())});
  }
  return accesses;
}

bool isOfBarriers(Value buffer) {
  auto type = dyn_cast<ttg::MemDescType>(buffer.getType());
  return type && type.getElementType().isInteger(64) && type.getShape().size() == 1;
}

} // namespace gluond::passes
