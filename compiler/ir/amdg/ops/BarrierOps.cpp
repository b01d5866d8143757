#include "ir/amdg/Ops.h"

using namespace mlir;

namespace gluond::amdg {

using Barrier = TypedValue<ttg::MemDescType>;

Barrier InitBarrierOp::getBarrier() {
  return getAlloc();
}
Barrier WaitBarrierOp::getBarrier() {
  return getAlloc();
}
Barrier ArriveBarrierOp::getBarrier() {
  return getAlloc();
}

// The descriptor itself is checked by MBarrierOpInterface.
static LogicalResult verifyCount(Operation* op, unsigned count) {
  if (count < 1) return op->emitOpError("count must be greater than or equal to 1");
  return success();
}
LogicalResult InitBarrierOp::verify() {
  return verifyCount(*this, getCount());
}
LogicalResult ArriveBarrierOp::verify() {
  return verifyCount(*this, getCount());
}

static LogicalResult verifyCluster(Operation* op) {
  if (ttg::lookupNumCTAs(op) <= 1) return op->emitOpError("requires ttg.num-ctas > 1");
  return success();
}
LogicalResult ClusterBarrierArriveOp::verify() {
  return verifyCluster(*this);
}
LogicalResult ClusterBarrierWaitOp::verify() {
  return verifyCluster(*this);
}

} // namespace gluond::amdg
