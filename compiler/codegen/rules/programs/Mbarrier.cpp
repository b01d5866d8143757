// mbarriers, fences, clusters (NVIDIA and AMD).
#include "codegen/rules/common/Args.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

namespace gluond::codegen {

namespace rules {

Value barrier(IrBuilder& emit, const Arguments& args) {
  auto cluster = boolArgument(emit, args, 0, "cluster");
  if (!cluster) return Value::unknown();
  if (emit.options().numCtas == 1 || !*cluster) {
    emit.create<ttg::BarrierOp>(ttg::AddrSpace::All);
    return Value::none();
  }
  emit.create<ttng::ClusterBarrierOp>(false);
  return Value::none();
}

Value clusterBarrier(IrBuilder& emit, const Arguments& args) {
  auto relaxed = boolArgument(emit, args, 0, "relaxed");
  if (!relaxed) return Value::unknown();
  emit.create<ttng::ClusterBarrierOp>(*relaxed);
  return Value::none();
}

Value mbarrierInit(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  auto count = barrier ? intArgument(emit, args, 1, "count") : std::nullopt;
  if (!count) return Value::unknown();
  emit.create<ttng::InitBarrierOp>(barrier.handle, static_cast<uint32_t>(*count));
  return Value::none();
}

Value mbarrierInvalidate(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  if (!barrier) return Value::unknown();
  emit.create<ttng::InvalBarrierOp>(barrier.handle);
  return Value::none();
}

Value asyncCopyMbarrierArrive(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  auto increment = barrier ? flagArgument(emit, args, 1, "increment_count") : std::nullopt;
  if (!increment) return Value::unknown();
  emit.create<ttng::AsyncCopyMbarrierArriveOp>(barrier.handle, !*increment);
  return Value::none();
}

Value mbarrierWait(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  Tensor phase = barrier ? toTensorArgument(emit, args, 1) : Tensor();
  Tensor pred = phase ? toTensorArgument(emit, args, 2) : Tensor();
  llvm::SmallVector<mlir::Value, 4> deps;
  if (!pred || !handlesArgument(emit, args, 3, deps)) return Value::unknown();
  emit.create<ttng::WaitBarrierOp>(barrier.handle, phase.handle, pred.handle, deps);
  return Value::none();
}

// from_cta: None or an int, as an attribute. False after reporting.
static bool fromCta(IrBuilder& emit, const Arguments& args, size_t i, mlir::IntegerAttr& out) {
  if (isNone(args, i)) return true;
  auto mask = intArgument(emit, args, i, "from_cta");
  if (!mask) return false;
  out = emit.opBuilder().getI32IntegerAttr(static_cast<int32_t>(*mask));
  return true;
}

static Value arrive(IrBuilder& emit, const Arguments& args, int countIndex, size_t predIndex,
                    size_t fromIndex, uint32_t multicast) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  if (!barrier) return Value::unknown();
  uint32_t count = 1;
  if (countIndex >= 0) {
    auto given = intArgument(emit, args, static_cast<size_t>(countIndex), "count");
    if (!given) return Value::unknown();
    count = static_cast<uint32_t>(*given);
  }
  mlir::IntegerAttr from;
  if (!fromCta(emit, args, fromIndex, from)) return Value::unknown();
  Tensor pred = toTensorArgument(emit, args, predIndex);
  if (!pred) return Value::unknown();
  emit.create<ttng::ArriveBarrierOp>(barrier.handle, count, pred.handle, from, multicast);
  return Value::none();
}

Value ampereMbarrierArrive(IrBuilder& emit, const Arguments& args) {
  return arrive(emit, args, -1, 1, 2, 0);
}
Value hopperMbarrierArrive(IrBuilder& emit, const Arguments& args) {
  return arrive(emit, args, 1, 2, 3, 0);
}

Value rubinMbarrierArrive(IrBuilder& emit, const Arguments& args) {
  auto multicast = intArgument(emit, args, 4, "multicast_cta");
  if (!multicast) return Value::unknown();
  int64_t last = static_cast<int64_t>(emit.options().numCtas) - 1;
  if (args[4].is(ValueKind::Bool) || *multicast < 0 || (*multicast && *multicast > last))
    return emit.error(Id::BadArgument, args.node(4),
                      "multicast_cta must be an int from 0 to num_ctas - 1 (" +
                          std::to_string(last) + ")");
  return arrive(emit, args, 1, 2, 3, static_cast<uint32_t>(*multicast));
}

Value mbarrierExpect(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  auto bytes = barrier ? intArgument(emit, args, 1, "bytes_per_cta") : std::nullopt;
  mlir::IntegerAttr from;
  if (!bytes || !fromCta(emit, args, 3, from)) return Value::unknown();
  Tensor pred = toTensorArgument(emit, args, 2);
  if (!pred) return Value::unknown();
  emit.create<ttng::BarrierExpectOp>(barrier.handle, static_cast<uint32_t>(*bytes), pred.handle,
                                     from);
  return Value::none();
}

Value fenceAsyncShared(IrBuilder& emit, const Arguments& args) {
  auto cluster = flagArgument(emit, args, 0, "cluster");
  if (!cluster) return Value::unknown();
  emit.create<ttng::FenceAsyncSharedOp>(*cluster);
  return Value::none();
}

Value asyncSharedStore(IrBuilder& emit, const Arguments& args) {
  Memory dst = sharedArgument(emit, args, 0, "dst");
  Tensor value = dst ? tensorArgument(emit, args, 1, "value") : Tensor();
  Memory barrier = value ? sharedArgument(emit, args, 2, "mbarrier") : Memory();
  if (!barrier) return Value::unknown();
  if (value.shape() != dst.type->shape())
    return emit.error(Id::SharedShapeMismatch, args.node(1), shapeText(value.shape()),
                      shapeText(dst.type->shape()));
  if (!same(value.scalar(), dst.type->element()))
    return emit.error(Id::SharedDtypeMismatch, args.node(1), value.scalar(), dst.type->element());
  emit.create<ttng::AsyncSharedStoreOp>(value.handle, dst.handle, barrier.handle);
  return Value::none();
}

} // namespace rules

} // namespace gluond::codegen
