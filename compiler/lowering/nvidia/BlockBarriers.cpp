// Barriers and fences.
#include "lowering/nvidia/Instructions.h"
#include "lowering/nvidia/NvidiaTarget.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace gluond::lowering::nvidia {

namespace {
constexpr llvm::StringLiteral waitForCluster = "barrier.cluster.wait.aligned;";

// A barrier of a warp right before another one adds nothing.
void dropWarpBarrier(FunctionEmitter& e) {
  llvm::BasicBlock* block = e.b.GetInsertBlock();
  for (llvm::Instruction& last :
       llvm::reverse(llvm::make_range(block->begin(), e.b.GetInsertPoint()))) {
    auto* call = llvm::dyn_cast<llvm::CallInst>(&last);
    if (call && call->getIntrinsicID() == llvm::Intrinsic::nvvm_bar_warp_sync) {
      call->eraseFromParent();
      return;
    }
    if (last.mayReadOrWriteMemory()) return;
  }
}
} // namespace

void NvidiaTarget::barrier(FunctionEmitter& e, const WarpGroup& group) const {
  dropWarpBarrier(e);
  if (group.isWholeCta)
    e.intrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all, {}, {e.i32(0)});
  else
    e.intrinsic(llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count, {},
                {e.i32(group.barrier), e.i32(int64_t{group.warps} * e.state().threadsPerWarp)});
}

void NvidiaTarget::warpBarrier(FunctionEmitter& e) const {
  dropWarpBarrier(e);
  e.intrinsic(llvm::Intrinsic::nvvm_bar_warp_sync, {}, {e.i32(-1)});
}

void NvidiaTarget::barrierOfAllWarps(FunctionEmitter& e) const {
  e.assembly("barrier.sync 1;", "", {});
}

void NvidiaTarget::clusterBarrier(FunctionEmitter& e, bool isRelaxed) const {
  e.assembly(isRelaxed ? "barrier.cluster.arrive.relaxed.aligned;"
                       : "barrier.cluster.arrive.aligned;",
             "", {});
  e.assembly(waitForCluster, "", {});
}

bool isBarrier(const llvm::CallInst& call) {
  if (auto* code = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return code->getAsmString() == waitForCluster;
  switch (call.getIntrinsicID()) {
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_all:
  case llvm::Intrinsic::nvvm_barrier_cta_sync_aligned_count:
  case llvm::Intrinsic::nvvm_bar_warp_sync:
    return true;
  default:
    return false;
  }
}

void NvidiaTarget::fenceInitializations(FunctionEmitter& e) const {
  e.assembly("@$0 fence.mbarrier_init.release.cluster;", "b", {electOne(e)});
}

void NvidiaTarget::fenceAsyncShared(FunctionEmitter& e, bool ofCluster) const {
  e.assembly(ofCluster ? "fence.proxy.async.shared::cluster;" : "fence.proxy.async.shared::cta;",
             "", {});
}

void NvidiaTarget::fence(FunctionEmitter& e, tt::MemSyncScope scope) const {
  e.assembly(("fence.acq_rel." + scopeName(scope) + ";").str(), "", {});
}

// A group of warps meets the same group of the cluster's other CTAs on mbarriers, because hardware
// has one cluster barrier, for all threads. Two of them in turn, each for one phase after another,
// and the number of meetings so far modulo 4, from which follow barrier and phase.
namespace {
constexpr int64_t secondBarrier = 16, countOfMeetings = 8;
static_assert(secondBarrier + 8 <= TargetEmitter::groupMeetingBytes);

llvm::Value* moved(FunctionEmitter& e, llvm::Value* address, int64_t bytes) {
  return e.b.CreateConstInBoundsGEP1_32(e.b.getInt8Ty(), address, static_cast<unsigned>(bytes));
}
} // namespace

void NvidiaTarget::prepareGroupMeetings(FunctionEmitter& e, Registers places,
                                        llvm::Value* isFirst) const {
  std::string others = std::to_string(e.state().ctas - 1);
  for (llvm::Value* place : places) {
    for (int64_t offset : {int64_t(0), secondBarrier})
      e.assembly("@$0 mbarrier.init.shared::cta.b64 [$1], " + others + ";", "b,r",
                 {isFirst, moved(e, place, offset)});
    e.assembly("@$0 st.shared.b32 [$1], 0;", "b,r", {isFirst, moved(e, place, countOfMeetings)});
  }
  e.assembly("@$0 fence.mbarrier_init.release.cluster;", "b", {isFirst});
}

void NvidiaTarget::meetGroupOfCluster(FunctionEmitter& e, llvm::Value* place) const {
  llvm::Value* count =
      e.b.CreateLoad(e.b.getInt32Ty(), moved(e, place, countOfMeetings), /*isVolatile=*/true);
  e.barrier(); // everything before is done, and the count is read
  llvm::Value* isSecond = e.b.CreateAnd(count, e.i32(1));
  llvm::Value* barrier =
      e.b.CreateGEP(e.b.getInt8Ty(), place, e.b.CreateMul(isSecond, e.i32(secondBarrier)));
  // Addresses in the cluster hold the CTA's number from bit 24: thread t tells the CTA whose number
  // differs by t + 1.
  llvm::Value* difference = e.b.CreateShl(e.b.CreateAdd(e.thread(), e.i32(1)), e.i32(24));
  llvm::Value* local = e.b.CreatePtrToInt(barrier, e.b.getInt32Ty());
  e.assembly(
      "@$0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [$1];", "b,r",
      {e.b.CreateICmpULT(e.thread(), e.i32(e.state().ctas - 1)), e.b.CreateXor(local, difference)});
  e.assembly(
      "{\n.reg .pred complete;\nwait:\nmbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 "
      "complete, [$0], $1;\n@!complete bra.uni wait;\n}",
      "r,r", {barrier, e.b.CreateLShr(count, e.i32(1))});
  llvm::Value* next = e.b.CreateAnd(e.b.CreateAdd(count, e.i32(1)), e.i32(3));
  e.assembly("@$0 st.shared.b32 [$1], $2;", "b,r,r",
             {e.b.CreateICmpEQ(e.thread(), e.i32(0)), moved(e, place, countOfMeetings), next});
  e.barrier();
}

} // namespace gluond::lowering::nvidia
