#include "driver/inspect/OperationParts.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

namespace gluond::driver {

using namespace mlir;

namespace {

OperationParts make(OperationKind kind, llvm::StringLiteral title) {
  OperationParts parts;
  parts.kind = kind;
  parts.title = title;
  return parts;
}

RankedTensorType tensorOf(Value value) {
  return value ? dyn_cast<RankedTensorType>(value.getType()) : nullptr;
}

// Panels show no memory whose layout gluond cannot draw.
bool setMemory(OperationParts& parts, Value memory) {
  parts.memory = dyn_cast<ttg::MemDescType>(memory.getType());
  parts.buffer = memory;
  return parts.memory && ir::toLayout(parts.memory.getEncoding());
}

std::optional<OperationParts> buffer(Value memory, llvm::StringLiteral title) {
  OperationParts parts = make(OperationKind::Buffer, title);
  if (!setMemory(parts, memory)) return std::nullopt;
  return parts;
}

std::optional<OperationParts> ofAccess(const passes::MemoryAccess& access) {
  using Kind = passes::MemoryAccess::Kind;
  OperationParts parts;
  parts.title = access.title;
  parts.isWrite = access.isWritten;
  parts.indices = access.indices;
  parts.axis = access.axis;
  switch (access.kind) {
  case Kind::Global:
    parts.tensor = tensorOf(access.pointers);
    if (!parts.tensor) return std::nullopt; // a scalar
    parts.kind = OperationKind::Global;
    parts.pointer = access.address();
    if (access.base) parts.offsets = access.pointers;
    parts.mask = access.mask;
    parts.access = access;
    return parts;
  case Kind::Shared:
    parts.kind = OperationKind::Shared;
    parts.tensor = tensorOf(access.registers);
    if (!parts.tensor || !setMemory(parts, access.memory) ||
        !ir::toLayout(parts.memory.getEncoding()).isShared())
      return std::nullopt;
    return parts;
  case Kind::Bulk:
    parts.kind = OperationKind::Bulk;
    if (!setMemory(parts, access.memory)) return std::nullopt;
    parts.descriptor = access.descriptor;
    parts.coordinates = access.coordinates;
    parts.isMulticast = access.isMulticast;
    return parts;
  }
}

} // namespace

std::optional<OperationParts> partsOf(Operation* op) {
  if (auto convert = dyn_cast<ttg::ConvertLayoutOp>(op)) {
    OperationParts parts = make(OperationKind::Conversion, "convert_layout");
    parts.tensor = tensorOf(convert.getSrc());
    parts.conversion = convert;
    parts.to = tensorOf(convert.getResult());
    return parts;
  }
  if (auto alloc = dyn_cast<ttng::TMEMAllocOp>(op))
    return buffer(alloc.getResult(), "tensor memory");
  if (auto alloc = dyn_cast<ttg::LocalAllocOp>(op); alloc && !alloc.getSrc())
    return buffer(alloc.getResult(), "buffer");
  // Of these, one lane accesses one element.
  if (isa<tt::AtomicPollOp, tt::AtomicLoadOp, tt::AtomicStoreOp>(op)) return std::nullopt;
  auto access = passes::memoryAccessOf(op);
  return access ? ofAccess(*access) : std::nullopt;
}

} // namespace gluond::driver
