#include "driver/inspect/OperationAnatomy.h"

#include "chips/Target.h"
#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "passes/analysis/AtomicWidth.h"

#include <llvm/ADT/TypeSwitch.h>

namespace gluond::driver {

using namespace mlir;

namespace {

RankedTensorType tensorOf(Value value) {
  return dyn_cast<RankedTensorType>(value.getType());
}

std::optional<Anatomy> ofMemory(OperationKind kind, Value memory, RankedTensorType tensor = {}) {
  auto type = dyn_cast<ttg::MemDescType>(memory.getType());
  if (!type || !ir::toLayout(type.getEncoding())) return std::nullopt;
  Anatomy parts(kind);
  parts.memory = type;
  parts.tensor = tensor;
  return parts;
}

// `at` is the tensor of pointers, or of offsets from `base`.
std::optional<Anatomy> global(Value at, Value mask, Value base = {}) {
  if (!tensorOf(at)) return std::nullopt; // a scalar
  Anatomy parts(OperationKind::Global);
  parts.pointer = base ? base : at;
  if (base) parts.offsets = at;
  parts.mask = mask;
  parts.tensor = tensorOf(at);
  return parts;
}

std::optional<Anatomy> atomic(std::optional<Anatomy> parts, const chips::Target& target,
                              std::optional<tt::RMWOp> kind, Type element) {
  if (parts) parts->mostElements = passes::atomicElements(kind, element, target.features);
  return parts;
}

std::optional<Anatomy> shared(Value tensor, Value memory, bool isStore = false) {
  auto parts =
      tensorOf(tensor) ? ofMemory(OperationKind::Shared, memory, tensorOf(tensor)) : std::nullopt;
  if (!parts || !ir::toLayout(parts->memory.getEncoding()).isShared()) return std::nullopt;
  parts->isStore = isStore;
  return parts;
}

std::optional<Anatomy> picked(Value tensor, Value memory, Value indices, uint32_t axis) {
  auto parts = shared(tensor, memory);
  if (!parts) return parts;
  parts->indices = indices;
  parts->axis = static_cast<int32_t>(axis);
  return parts;
}

std::optional<Anatomy> bulk(Value memory, Value descriptor, ValueRange coordinates = {},
                            bool isMulticast = false, Value rows = {}) {
  auto parts = ofMemory(OperationKind::Bulk, memory);
  if (!parts) return parts;
  parts->descriptor = descriptor;
  llvm::append_range(parts->coordinates, coordinates);
  parts->isMulticast = isMulticast;
  parts->indices = rows;
  return parts;
}

} // namespace

std::optional<Anatomy> anatomy(Operation* op, const chips::Target& target) {
  return llvm::TypeSwitch<Operation*, std::optional<Anatomy>>(op)
      .Case([&](tt::LoadOp load) { return global(load.getPtr(), load.getMask()); })
      .Case([&](tt::StoreOp store) { return global(store.getPtr(), store.getMask()); })
      .Case([&](tt::AtomicRMWOp rmw) {
        return atomic(global(rmw.getPtr(), rmw.getMask()), target, rmw.getAtomicRmwOp(),
                      getElementTypeOrSelf(rmw.getType()));
      })
      .Case([&](tt::AtomicCASOp cas) {
        return atomic(global(cas.getPtr(), {}), target, std::nullopt,
                      getElementTypeOrSelf(cas.getType()));
      })
      .Case(
          [&](ttg::AsyncCopyGlobalToLocalOp copy) { return global(copy.getSrc(), copy.getMask()); })
      .Case([&](amdg::AsyncCopyLocalToGlobalOp copy) {
        return global(copy.getDst(), copy.getMask());
      })
      .Case([&](amdg::BufferLoadOp load) {
        return global(load.getOffsets(), load.getMask(), load.getPtr());
      })
      .Case([&](amdg::BufferLoadToLocalOp load) {
        return global(load.getOffsets(), load.getMask(), load.getPtr());
      })
      .Case([&](amdg::BufferStoreOp store) {
        return global(store.getOffsets(), store.getMask(), store.getPtr());
      })
      .Case([&](amdg::BufferAtomicRMWOp rmw) {
        return atomic(global(rmw.getOffsets(), rmw.getMask(), rmw.getPtr()), target,
                      rmw.getAtomicRmwOp(), getElementTypeOrSelf(rmw.getType()));
      })
      .Case([&](amdg::BufferAtomicCASOp cas) {
        return atomic(global(cas.getOffsets(), {}, cas.getPtr()), target, std::nullopt,
                      getElementTypeOrSelf(cas.getType()));
      })
      .Case([&](ttg::LocalLoadOp load) { return shared(load.getResult(), load.getSrc()); })
      .Case([&](ttg::LocalStoreOp store) { return shared(store.getSrc(), store.getDst(), true); })
      .Case([&](ttg::LocalAllocOp alloc) {
        return alloc.getSrc() ? shared(alloc.getSrc(), alloc.getResult(), true)
                              : ofMemory(OperationKind::Buffer, alloc.getResult());
      })
      .Case([&](ttg::LocalGatherOp gather) {
        return picked(gather.getResult(), gather.getSrc(), gather.getIndices(), gather.getAxis());
      })
      .Case([&](ttg::LocalScatterOp scatter) {
        return picked(scatter.getValues(), scatter.getDst(), scatter.getIndices(),
                      scatter.getAxis());
      })
      .Case([&](ttg::LocalAtomicScatterRMWOp rmw) {
        return picked(rmw.getValues(), rmw.getDst(), rmw.getIndices(), rmw.getAxis());
      })
      .Case([&](ttng::AsyncTMACopyGlobalToLocalOp copy) {
        return bulk(copy.getResult(), copy.getDesc(), copy.getCoord(), copy.getMulticast());
      })
      .Case([&](ttng::AsyncTMACopyLocalToGlobalOp copy) {
        return bulk(copy.getSrc(), copy.getDesc(), copy.getCoord());
      })
      .Case([&](ttng::AsyncTMAReduceOp reduce) {
        return bulk(reduce.getSrc(), reduce.getDesc(), reduce.getCoord());
      })
      .Case([&](ttng::AsyncTMAGatherOp gather) {
        return bulk(gather.getResult(), gather.getDesc(), gather.getYOffset(),
                    gather.getMulticast(), gather.getXOffsets());
      })
      .Case([&](ttng::AsyncTMAScatterOp scatter) {
        return bulk(scatter.getSrc(), scatter.getDesc(), scatter.getYOffset(), false,
                    scatter.getXOffsets());
      })
      .Case([&](amdg::AsyncTDMCopyGlobalToLocalOp copy) {
        return bulk(copy.getResult(), copy.getDesc());
      })
      .Case([&](amdg::AsyncTDMCopyLocalToGlobalOp copy) {
        return bulk(copy.getSrc(), copy.getDesc());
      })
      .Case([&](amdg::AsyncTDMGatherOp gather) {
        return bulk(gather.getDst(), gather.getDesc(), {}, false, gather.getSrcRowIndices());
      })
      .Case([&](amdg::AsyncTDMScatterOp scatter) {
        return bulk(scatter.getSrc(), scatter.getDesc(), {}, false, scatter.getDstRowIndices());
      })
      .Case([&](ttng::TMEMAllocOp alloc) {
        return ofMemory(OperationKind::Buffer, alloc.getResult());
      })
      .Case([&](ttg::ConvertLayoutOp convert) {
        Anatomy parts(OperationKind::Conversion);
        parts.tensor = tensorOf(convert.getSrc());
        parts.to = tensorOf(convert.getResult());
        return std::optional(parts);
      })
      .Default([](Operation*) { return std::nullopt; });
}

} // namespace gluond::driver
