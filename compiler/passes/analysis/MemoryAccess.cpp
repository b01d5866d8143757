#include "passes/analysis/MemoryAccess.h"

#include "ir/amdg/Ops.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/ModuleTarget.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"
#include "passes/analysis/AtomicWidth.h"

#include <llvm/ADT/TypeSwitch.h>

namespace gluond::passes {
using namespace mlir;

namespace {

using Kind = MemoryAccess::Kind;
using Title = llvm::StringLiteral;

// The ways in which an operation uses memory.
enum class Use { Read, Write, Atomic };

MemoryAccess make(Kind kind, Title title, Use use) {
  MemoryAccess access;
  access.kind = kind;
  access.title = title;
  access.isRead = use != Use::Write;
  access.isWritten = use != Use::Read;
  access.isAtomic = use == Use::Atomic;
  return access;
}

MemoryAccess global(Title title, Use use, Value pointers, Value mask = {}, Value base = {}) {
  MemoryAccess access = make(Kind::Global, title, use);
  access.pointers = pointers;
  access.mask = mask;
  access.base = base;
  return access;
}

MemoryAccess promising(MemoryAccess access, uint32_t contiguity) {
  access.contiguity = contiguity;
  return access;
}

// `.cv` and `.wt` skip the caches as volatile accesses do.
bool has(auto op, tt::CacheModifier modifier) {
  auto policy = dyn_cast_or_null<tt::CachePolicyAttr>(op.getCachePolicyAttr());
  return policy && policy.getCacheModifier() == modifier;
}
MemoryAccess unjoined(MemoryAccess access, bool isVolatile) {
  access.isVolatile = isVolatile;
  return access;
}

MemoryAccess copy(MemoryAccess access, Value memory) {
  access.memory = memory;
  return access;
}

MemoryAccess combining(MemoryAccess access, Operation* op, std::optional<tt::RMWOp> kind) {
  AtomicWidth width =
      atomicWidth(kind, getElementTypeOrSelf(op->getResult(0).getType()), ttg::targetOf(op));
  access.mostElements = width.most;
  access.leastElements = width.least;
  return access;
}

MemoryAccess shared(Title title, Use use, Value registers, Value memory) {
  MemoryAccess access = make(Kind::Shared, title, use);
  access.registers = registers;
  access.memory = memory;
  return access;
}

MemoryAccess picking(MemoryAccess access, Value indices, uint32_t axis = 0) {
  access.indices = indices;
  access.axis = static_cast<int32_t>(axis);
  return access;
}

MemoryAccess bulk(Title title, Use use, Value memory, Value descriptor, ValueRange coordinates = {},
                  bool isMulticast = false) {
  MemoryAccess access = make(Kind::Bulk, title, use);
  access.memory = memory;
  access.descriptor = descriptor;
  llvm::append_range(access.coordinates, coordinates);
  access.isMulticast = isMulticast;
  return access;
}

} // namespace

std::optional<MemoryAccess> memoryAccessOf(Operation* op) {
  using Result = std::optional<MemoryAccess>;
  return llvm::TypeSwitch<Operation*, Result>(op)
      // ---- through pointers
      .Case([](tt::LoadOp load) {
        return unjoined(global("load", Use::Read, load.getPtr(), load.getMask()),
                        load.getIsVolatile() || has(load, tt::CacheModifier::CV));
      })
      .Case([](tt::StoreOp store) {
        return unjoined(global("store", Use::Write, store.getPtr(), store.getMask()),
                        has(store, tt::CacheModifier::WT));
      })
      .Case([](tt::AtomicRMWOp rmw) {
        return combining(global("atomic", Use::Atomic, rmw.getPtr(), rmw.getMask()), rmw,
                         rmw.getAtomicRmwOp());
      })
      .Case([](tt::AtomicCASOp cas) {
        return combining(global("atomic", Use::Atomic, cas.getPtr()), cas, std::nullopt);
      })
      .Case<tt::AtomicPollOp, tt::AtomicLoadOp, tt::AtomicStoreOp>(
          [](auto atomic) { return global("atomic", Use::Atomic, atomic.getPtr()); })
      .Case([](ttg::AsyncCopyGlobalToLocalOp op) {
        return promising(
            copy(global("async copy", Use::Read, op.getSrc(), op.getMask()), op.getResult()),
            op.getContiguity());
      })
      .Case([](amdg::AsyncCopyLocalToGlobalOp op) {
        return promising(
            copy(global("async copy", Use::Write, op.getDst(), op.getMask()), op.getSrc()),
            op.getContiguity());
      })
      // ---- through offsets from a pointer
      .Case([](amdg::BufferLoadOp load) {
        return promising(
            global("buffer load", Use::Read, load.getOffsets(), load.getMask(), load.getPtr()),
            load.getContiguity());
      })
      .Case([](amdg::BufferLoadToLocalOp op) {
        return promising(
            copy(global("buffer copy", Use::Read, op.getOffsets(), op.getMask(), op.getPtr()),
                 op.getDest()),
            op.getContiguity());
      })
      .Case([](amdg::BufferStoreOp store) {
        return promising(
            global("buffer store", Use::Write, store.getOffsets(), store.getMask(), store.getPtr()),
            store.getContiguity());
      })
      .Case([](amdg::BufferAtomicRMWOp rmw) {
        return combining(
            global("buffer atomic", Use::Atomic, rmw.getOffsets(), rmw.getMask(), rmw.getPtr()),
            rmw, rmw.getAtomicRmwOp());
      })
      .Case([](amdg::BufferAtomicCASOp cas) {
        return combining(
            global("buffer atomic", Use::Atomic, cas.getOffsets(), Value(), cas.getPtr()), cas,
            std::nullopt);
      })
      // ---- between registers and shared memory
      .Case([](ttg::LocalLoadOp load) {
        return shared("shared load", Use::Read, load.getResult(), load.getSrc());
      })
      .Case([](ttg::LocalStoreOp store) {
        return shared("shared store", Use::Write, store.getSrc(), store.getDst());
      })
      .Case([](ttg::LocalAllocOp alloc) -> Result {
        if (!alloc.getSrc()) return std::nullopt;
        return shared("buffer", Use::Write, alloc.getSrc(), alloc.getResult());
      })
      .Case([](ttg::LocalGatherOp gather) {
        return picking(shared("shared gather", Use::Read, gather.getResult(), gather.getSrc()),
                       gather.getIndices(), gather.getAxis());
      })
      .Case([](ttg::LocalScatterOp scatter) {
        return picking(shared("shared scatter", Use::Write, scatter.getValues(), scatter.getDst()),
                       scatter.getIndices(), scatter.getAxis());
      })
      .Case([](ttg::LocalAtomicScatterRMWOp rmw) {
        return picking(shared("shared atomic", Use::Atomic, rmw.getValues(), rmw.getDst()),
                       rmw.getIndices(), rmw.getAxis());
      })
      // ---- by descriptor
      .Case([](ttng::AsyncTMACopyGlobalToLocalOp op) {
        return bulk("TMA load", Use::Read, op.getResult(), op.getDesc(), op.getCoord(),
                    op.getMulticast());
      })
      .Case([](ttng::AsyncTMACopyLocalToGlobalOp op) {
        return bulk("TMA store", Use::Write, op.getSrc(), op.getDesc(), op.getCoord());
      })
      .Case([](ttng::AsyncTMAReduceOp op) {
        return bulk("TMA reduction", Use::Atomic, op.getSrc(), op.getDesc(), op.getCoord());
      })
      .Case([](ttng::AsyncTMAGatherOp op) {
        return picking(bulk("TMA gather", Use::Read, op.getResult(), op.getDesc(), op.getYOffset(),
                            op.getMulticast()),
                       op.getXOffsets());
      })
      .Case([](ttng::AsyncTMAScatterOp op) {
        return picking(bulk("TMA scatter", Use::Write, op.getSrc(), op.getDesc(), op.getYOffset()),
                       op.getXOffsets());
      })
      .Case([](amdg::AsyncTDMCopyGlobalToLocalOp op) {
        return bulk("TDM load", Use::Read, op.getResult(), op.getDesc());
      })
      .Case([](amdg::AsyncTDMCopyLocalToGlobalOp op) {
        return bulk("TDM store", Use::Write, op.getSrc(), op.getDesc());
      })
      .Case([](amdg::AsyncTDMGatherOp op) {
        return picking(bulk("TDM gather", Use::Read, op.getDst(), op.getDesc()),
                       op.getSrcRowIndices());
      })
      .Case([](amdg::AsyncTDMScatterOp op) {
        return picking(bulk("TDM scatter", Use::Write, op.getSrc(), op.getDesc()),
                       op.getDstRowIndices());
      })
      .Default([](Operation*) -> Result { return std::nullopt; });
}

} // namespace gluond::passes
