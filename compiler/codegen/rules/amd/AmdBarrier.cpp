// AMD gfx1250: barriers in shared memory, clusters, copies to global memory.
#include "codegen/rules/common/Memory.h"
#include "ir/amdg/Ops.h"

namespace gluond::codegen {

namespace rules {

// cdna5.shared_to_global: (pointer, buffer, mask, cache_modifier)
Value asyncCopySharedToGlobal(IrBuilder& emit, const Arguments& args) {
  Tensor pointer = blockArgument(emit, args, 0, "pointer"), mask;
  Memory smem = pointer ? sharedArgument(emit, args, 1, "smem") : Memory();
  if (!smem) return Value::unknown();
  if (!(smem.type->shape() == pointer.shape()))
    return emit.error(Id::SharedShapeMismatch, args.node(0), shapeText(pointer.shape()),
                      shapeText(smem.type->shape()));
  if (!booleanMask(emit, args, 2, mask)) return Value::unknown();
  if (mask && !broadcast(emit, pointer, mask, args.node(0), args.node(2))) return Value::unknown();
  auto policy = cachePolicy(emit, args, -1, 3, -1);
  if (!policy) return Value::unknown();
  emit.create<amdg::AsyncCopyLocalToGlobalOp>(smem.handle, pointer.handle, mask.handle, *policy);
  return Value::none();
}

Value ldsBarrierInit(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  auto count = barrier ? intArgument(emit, args, 1, "count") : std::nullopt;
  if (!count) return Value::unknown();
  emit.create<amdg::InitBarrierOp>(barrier.handle, static_cast<uint32_t>(*count));
  return Value::none();
}

Value ldsBarrierWait(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  Tensor phase = barrier ? toTensorArgument(emit, args, 1) : Tensor();
  if (!phase) return Value::unknown();
  emit.create<amdg::WaitBarrierOp>(barrier.handle, phase.handle);
  return Value::none();
}

Value ldsBarrierArrive(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  auto count = barrier ? intArgument(emit, args, 1, "count") : std::nullopt;
  if (!count) return Value::unknown();
  auto op = emit.create<amdg::ArriveBarrierOp>(emit.opBuilder().getI32Type(), barrier.handle,
                                               static_cast<uint32_t>(*count));
  return emit.value(op, scalarType(ScalarKind::Int32));
}

Value ldsAsyncArrive(IrBuilder& emit, const Arguments& args) {
  Memory barrier = sharedArgument(emit, args, 0, "mbarrier");
  if (!barrier) return Value::unknown();
  emit.create<amdg::AsyncCopyMbarrierArriveOp>(barrier.handle);
  return Value::none();
}

Value amdClusterArrive(IrBuilder& emit, const Arguments&) {
  emit.create<amdg::ClusterBarrierArriveOp>();
  return Value::none();
}

Value amdClusterWait(IrBuilder& emit, const Arguments&) {
  emit.create<amdg::ClusterBarrierWaitOp>();
  return Value::none();
}

} // namespace rules

} // namespace gluond::codegen
