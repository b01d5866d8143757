// Cluster launch control: a program that has done its work takes over that of one which has not
// started.
#include "ir/ttng/Ops.h"
#include "lowering/nvidia/Instructions.h"

#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

namespace {

// One thread of the cluster asks; every CTA gets the answer.
bool tryCancel(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::CLCTryCancelOp>(operation);
  if (!needs(e, op, chips::Feature::LaunchControl, "cluster launch control needs")) return false;
  llvm::Value* predicate = electOne(e);
  std::string everywhere;
  if (e.state().ctas > 1) {
    predicate = e.b.CreateAnd(predicate, e.b.CreateICmpEQ(e.block(), e.i32(0)));
    everywhere = ".multicast::cluster::all";
    e.state().touchesOtherCtas = true;
  }
  e.assembly("@$0 clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes" +
                 everywhere + ".b128 [$1], [$2];",
             "b,r,r", {predicate, e.viewBase(op.getResult()), e.viewBase(op.getMbarrier())});
  return true;
}

bool loadResult(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::CLCLoadResultOp>(operation);
  e.set(op, e.b.CreateAlignedLoad(e.b.getInt128Ty(), e.viewBase(op.getSrc()), llvm::Align(16)));
  return true;
}

bool isCanceled(FunctionEmitter& e, mlir::Operation* op) {
  if (!needs(e, op, chips::Feature::LaunchControl, "cluster launch control needs")) return false;
  e.set(op->getResult(0),
        e.intrinsic(llvm::Intrinsic::nvvm_clusterlaunchcontrol_query_cancel_is_canceled, {},
                    {e.scalar(op->getOperand(0))}));
  return true;
}

bool programId(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<ttng::CLCGetProgramIdOp>(operation);
  if (!needs(e, op, chips::Feature::LaunchControl, "cluster launch control needs")) return false;
  static constexpr unsigned ids[] = {
      llvm::Intrinsic::nvvm_clusterlaunchcontrol_query_cancel_get_first_ctaid_x,
      llvm::Intrinsic::nvvm_clusterlaunchcontrol_query_cancel_get_first_ctaid_y,
      llvm::Intrinsic::nvvm_clusterlaunchcontrol_query_cancel_get_first_ctaid_z};
  unsigned axis = static_cast<unsigned>(op.getDim());
  llvm::Value* cta = e.intrinsic(ids[axis], {}, {e.scalar(op.getClcResult())});
  // Programs are clusters, whose CTAs lie along x.
  if (axis == 0 && e.state().ctas > 1) cta = e.b.CreateUDiv(cta, e.i32(e.state().ctas));
  e.set(op, cta);
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> launchControlOps() {
  static constexpr OpRow rows[] = {
      {"ttng.clc_try_cancel", tryCancel},
      {"ttng.clc_load_result", loadResult},
      {"ttng.clc_is_canceled", isCanceled},
      {"ttng.clc_get_program_id", programId},
  };
  return rows;
}

} // namespace gluond::lowering::nvidia
