// Barriers and fences.
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MemoryModelRelaxationAnnotations.h>

namespace gluond::lowering::amd {

void fenceShared(Emitter& e, llvm::AtomicOrdering order) {
  llvm::FenceInst* fence =
      e.b.CreateFence(order, e.state().context.getOrInsertSyncScopeID("workgroup"));
  llvm::MMRAMetadata::TagT local("amdgpu-synchronize-as", "local");
  fence->setMetadata(llvm::LLVMContext::MD_mmra,
                     llvm::MMRAMetadata::getTagMD(e.state().context, local));
}

void AmdTarget::barrier(Emitter& e, const WarpGroup&) const {
  fenceShared(e, llvm::AtomicOrdering::Release);
  e.intrinsic(llvm::Intrinsic::amdgcn_s_barrier, {}, {});
  fenceShared(e, llvm::AtomicOrdering::Acquire);
}

// A warp's accesses to shared memory happen in order: only the compiler must not move them.
void AmdTarget::warpBarrier(Emitter& e) const {
  llvm::SyncScope::ID warp = e.state().context.getOrInsertSyncScopeID("wavefront");
  e.b.CreateFence(llvm::AtomicOrdering::Release, warp);
  e.intrinsic(llvm::Intrinsic::amdgcn_wave_barrier, {}, {});
  e.b.CreateFence(llvm::AtomicOrdering::Acquire, warp);
}

void AmdTarget::clusterBarrier(Emitter& e, bool isRelaxed) const {
  llvm::SyncScope::ID cluster = e.state().context.getOrInsertSyncScopeID("cluster");
  if (!isRelaxed) e.b.CreateFence(llvm::AtomicOrdering::Release, cluster);
  e.intrinsic(llvm::Intrinsic::amdgcn_s_cluster_barrier, {}, {});
  if (!isRelaxed) e.b.CreateFence(llvm::AtomicOrdering::Acquire, cluster);
}

void AmdTarget::fence(Emitter& e, tt::MemSyncScope scope) const {
  e.b.CreateFence(llvm::AtomicOrdering::AcquireRelease, syncScope(e, scope));
}

} // namespace gluond::lowering::amd
