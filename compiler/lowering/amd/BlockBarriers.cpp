// Barriers and fences.
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MemoryModelRelaxationAnnotations.h>

namespace gluond::lowering::amd {

void fenceShared(FunctionEmitter& e, llvm::AtomicOrdering order) {
  llvm::FenceInst* fence =
      e.b.CreateFence(order, e.state().context.getOrInsertSyncScopeID("workgroup"));
  llvm::MMRAMetadata::TagT local("amdgpu-synchronize-as", "local");
  fence->setMetadata(llvm::LLVMContext::MD_mmra,
                     llvm::MMRAMetadata::getTagMD(e.state().context, local));
}

namespace {

// A barrier for some of the warps is a variable that the linker of LDS gives a number.
llvm::GlobalVariable* namedBarrier(FunctionEmitter& e, unsigned number) {
  std::string name = "barrier." + std::to_string(number);
  llvm::Module& module = e.state().module;
  if (llvm::GlobalVariable* known = module.getNamedGlobal(name)) return known;
  llvm::Type* type = llvm::TargetExtType::get(e.state().context, "amdgcn.named.barrier", {}, {0u});
  return new llvm::GlobalVariable(module, type, /*isConstant=*/false,
                                  llvm::GlobalValue::InternalLinkage, llvm::PoisonValue::get(type),
                                  name, nullptr, llvm::GlobalValue::NotThreadLocal, sharedSpace);
}

} // namespace

void meet(FunctionEmitter& e, const WarpGroup& group) {
  if (group.isWholeCta) {
    e.intrinsic(llvm::Intrinsic::amdgcn_s_barrier, {}, {});
    return;
  }
  // A warp is a member of one such barrier at a time, and waits at it by the number of that kind.
  constexpr uint16_t named = 1;
  llvm::Value* place = namedBarrier(e, group.barrier);
  e.intrinsic(llvm::Intrinsic::amdgcn_s_barrier_join, {}, {place});
  e.intrinsic(llvm::Intrinsic::amdgcn_s_barrier_signal_var, {}, {place, e.i32(group.warps)});
  e.intrinsic(llvm::Intrinsic::amdgcn_s_barrier_wait, {}, {e.b.getInt16(named)});
}

void AmdTarget::barrier(FunctionEmitter& e, const WarpGroup& group) const {
  fenceShared(e, llvm::AtomicOrdering::Release);
  meet(e, group);
  fenceShared(e, llvm::AtomicOrdering::Acquire);
}

void AmdTarget::barrierOfAllWarps(FunctionEmitter& e) const {
  barrier(e, WarpGroup{});
}

// A warp's accesses to shared memory happen in order: only the compiler must not move them.
void AmdTarget::warpBarrier(FunctionEmitter& e) const {
  llvm::SyncScope::ID warp = e.state().context.getOrInsertSyncScopeID("wavefront");
  e.b.CreateFence(llvm::AtomicOrdering::Release, warp);
  e.intrinsic(llvm::Intrinsic::amdgcn_wave_barrier, {}, {});
  e.b.CreateFence(llvm::AtomicOrdering::Acquire, warp);
}

void AmdTarget::clusterBarrier(FunctionEmitter& e, bool isRelaxed) const {
  llvm::SyncScope::ID cluster = e.state().context.getOrInsertSyncScopeID("cluster");
  if (!isRelaxed) e.b.CreateFence(llvm::AtomicOrdering::Release, cluster);
  e.intrinsic(llvm::Intrinsic::amdgcn_s_cluster_barrier, {}, {});
  if (!isRelaxed) e.b.CreateFence(llvm::AtomicOrdering::Acquire, cluster);
}

void AmdTarget::fence(FunctionEmitter& e, tt::MemSyncScope scope) const {
  e.b.CreateFence(llvm::AtomicOrdering::AcquireRelease, syncScope(e, scope));
}

} // namespace gluond::lowering::amd
