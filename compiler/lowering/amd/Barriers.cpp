// Barriers of gfx1250 in shared memory, the cluster's barrier, and the scheduler's.
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <mlir/Dialect/SCF/IR/SCF.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

constexpr int64_t phaseBit =
    29; // of a barrier's lower word, above the number of arrivals that are still expected

bool needsBarriers(FunctionEmitter& e, mlir::Operation* op) {
  return needsCdna5(e, op, "barriers in shared memory need");
}

// Whether all threads meet after the next operation that does anything: initializations in a row
// share a barrier, and partitions of warps begin with one.
bool meetSoon(mlir::Operation* op) {
  mlir::Operation* next = op->getNextNode();
  while (next && mlir::isMemoryEffectFree(next))
    next = next->getNextNode();
  return mlir::isa_and_nonnull<amdg::InitBarrierOp, ttg::WarpSpecializeOp>(next);
}

// The counts of this phase and of the following ones, less one.
bool initialize(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::InitBarrierOp>(operation);
  if (!needsBarriers(e, op)) return false;
  auto count = static_cast<int64_t>(op.getCount()) - 1;
  where(e, e.b.CreateICmpEQ(e.thread(), e.i32(0)), {}, [&]() -> RegisterList {
    e.b.CreateAlignedStore(e.i64(count << 32 | count), e.viewBase(op.getAlloc()), llvm::Align(8));
    return {};
  });
  if (!meetSoon(op)) e.barrier();
  return true;
}

bool wait(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::WaitBarrierOp>(operation);
  if (!needsBarriers(e, op)) return false;
  llvm::BasicBlock *loop = e.newBlock("barrier.wait"), *after = e.newBlock("barrier.passed");
  e.b.CreateBr(loop);
  e.b.SetInsertPoint(loop);
  e.intrinsic(In::amdgcn_s_sleep, {}, {e.i32(1)});
  llvm::Value* state = e.b.CreateAlignedLoad(e.b.getInt64Ty(), e.viewBase(op.getAlloc()),
                                             llvm::Align(8), /*isVolatile=*/true);
  llvm::Value* phase =
      e.b.CreateAnd(e.b.CreateLShr(e.b.CreateTrunc(state, e.b.getInt32Ty()), phaseBit), e.i32(1));
  e.b.CreateCondBr(e.b.CreateICmpNE(phase, e.scalar(op.getPhase())), after, loop);
  e.b.SetInsertPoint(after);
  return true;
}

bool arrive(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::ArriveBarrierOp>(operation);
  if (!needsBarriers(e, op)) return false;
  llvm::Value* before =
      e.intrinsic(In::amdgcn_ds_atomic_barrier_arrive_rtn_b64, {},
                  {e.viewBase(op.getAlloc()), e.i64(static_cast<int64_t>(op.getCount()))});
  e.set(
      op.getResult(),
      e.b.CreateAnd(e.b.CreateLShr(e.b.CreateTrunc(before, e.b.getInt32Ty()), phaseBit), e.i32(1)));
  return true;
}

bool arriveAfterCopies(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::AsyncCopyMbarrierArriveOp>(operation);
  if (!needsBarriers(e, op)) return false;
  e.intrinsic(In::amdgcn_ds_atomic_async_barrier_arrive_b64, {}, {e.viewBase(op.getBarrier())});
  return true;
}

constexpr int64_t clustersBarrier = -3;

// One warp arrives for its CTA.
bool arriveAtCluster(FunctionEmitter& e, mlir::Operation* op) {
  if (!needsBarriers(e, op)) return false;
  where(e, e.b.CreateICmpEQ(e.warp(), e.i32(0)), {}, [&]() -> RegisterList {
    e.intrinsic(In::amdgcn_s_barrier_signal, {}, {e.i32(clustersBarrier)});
    return {};
  });
  return true;
}
bool waitForCluster(FunctionEmitter& e, mlir::Operation* op) {
  if (!needsBarriers(e, op)) return false;
  e.intrinsic(In::amdgcn_s_barrier_wait, {},
              {e.b.getInt16(static_cast<uint16_t>(clustersBarrier))});
  return true;
}

// Accesses to shared memory alone, or to all memory.
bool barrier(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttg::BarrierOp>(operation);
  bool ofAll =
      op.hasAddrSpace(ttg::AddrSpace::GlobalRead) || op.hasAddrSpace(ttg::AddrSpace::GlobalWrite);
  if (!ofAll) {
    e.barrier();
    return true;
  }
  llvm::SyncScope::ID cta = syncScope(e, tt::MemSyncScope::CTA);
  e.b.CreateFence(llvm::AtomicOrdering::Release, cta);
  meet(e, e.group());
  e.b.CreateFence(llvm::AtomicOrdering::Acquire, cta);
  return true;
}

// Only the warps for which the condition holds come to it: half of them fall behind the others by
// it, and catch up by another.
bool conditionalBarrier(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::CondBarrierOp>(operation);
  llvm::Value* comes =
      e.target().uniform(e, e.b.CreateZExt(e.scalar(op.getPred()), e.b.getInt32Ty()));
  where(e, e.b.CreateICmpNE(comes, e.i32(0)), {}, [&]() -> RegisterList {
    meet(e, e.group());
    return {};
  });
  return true;
}

bool schedulerBarrier(FunctionEmitter& e, mlir::Operation*) {
  e.intrinsic(In::amdgcn_sched_barrier, {}, {e.i32(0)}); // nothing crosses it
  return true;
}

// A stage of a warp pipeline: its code stays together, and has its own priority among the warps of
// a SIMD unit.
bool stage(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<mlir::scf::ExecuteRegionOp>(operation);
  mlir::Block& body = op.getRegion().front();
  if (!op.getRegion().hasOneBlock())
    return e.fail(op, "gluond cannot compile a stage of a warp pipeline with several blocks");
  auto priority = op->getAttrOfType<mlir::IntegerAttr>("triton.warp_pipeline.priority");
  e.intrinsic(In::amdgcn_sched_barrier, {}, {e.i32(0)});
  if (priority)
    e.intrinsic(In::amdgcn_s_setprio, {}, {e.b.getInt16(static_cast<uint16_t>(priority.getInt()))});
  if (!e.region(body)) return false;
  e.bind(op.getResults(), e.flatten(body.getTerminator()->getOperands()));
  e.intrinsic(In::amdgcn_sched_barrier, {}, {e.i32(0)});
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> barrierOps() {
  static constexpr OpRow rows[] = {
      {"amdg.init_barrier", initialize},
      {"amdg.wait_barrier", wait},
      {"amdg.arrive_barrier", arrive},
      {"amdg.async_copy_mbarrier_arrive", arriveAfterCopies},
      {"amdg.cluster_barrier_arrive", arriveAtCluster},
      {"amdg.cluster_barrier_wait", waitForCluster},
      {"ttg.barrier", barrier},
      {"amdg.cond_barrier", conditionalBarrier},
      {"rocdl.sched.barrier", schedulerBarrier},
      {"scf.execute_region", stage},
  };
  return rows;
}

} // namespace gluond::lowering::amd
