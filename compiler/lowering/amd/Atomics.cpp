// Atomic operations. LLVM makes loops of those that the chip lacks.
#include "lowering/memory/Atomics.h"

#include "lowering/Elementwise.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"
#include "passes/analysis/AtomicWidth.h"

namespace gluond::lowering::amd {

namespace {

// An integer of the value's size, for instructions that take no others.
llvm::Type* integerOf(FunctionEmitter& e, llvm::Type* type) {
  return type->isIntegerTy() ? type : e.b.getIntNTy(registerBits(type));
}

llvm::Value* asInteger(FunctionEmitter& e, llvm::Value* value) {
  llvm::Type* type = integerOf(e, value->getType());
  return value->getType()->isPointerTy() ? e.b.CreatePtrToInt(value, type)
                                         : e.b.CreateBitCast(value, type);
}

llvm::Value* fromInteger(FunctionEmitter& e, llvm::Value* value, llvm::Type* type) {
  return type->isPointerTy() ? e.b.CreateIntToPtr(value, type) : e.b.CreateBitCast(value, type);
}

llvm::Align alignmentOf(llvm::Type* type) {
  return llvm::Align(std::max(1u, registerBits(type) / 8));
}

// The memory of tensors is the device's own, and sums need no denormal numbers: the instructions
// for sums of floats may be used.
void allowInstructions(FunctionEmitter& e, llvm::AtomicRMWInst& update) {
  llvm::MDNode* yes = llvm::MDNode::get(e.state().context, {});
  for (llvm::StringRef name : {"amdgpu.no.fine.grained.memory", "amdgpu.no.remote.memory"})
    update.setMetadata(name, yes);
  if (update.isFloatingPointOperation()) update.setMetadata("amdgpu.ignore.denormal.mode", yes);
}

} // namespace

unsigned AmdTarget::atomicElements(tt::RMWOp kind, mlir::Type element) const {
  if (kind == tt::RMWOp::FADD && tt::bitWidth(element) < 16) return 0;
  return passes::atomicWidth(kind, element, chip_.target).most;
}

RegisterList AmdTarget::atomicUpdate(FunctionEmitter& e, const AtomicAccess& access, tt::RMWOp kind,
                                     Registers values) const {
  return where(e, access.predicate, {}, [&] {
    llvm::Value* value = vectorOf(e, values);
    llvm::AtomicRMWInst* old = e.b.CreateAtomicRMW(
        operationOf(kind), access.address, value,
        llvm::Align(static_cast<unsigned>(values.size()) * registerBits(values[0]->getType()) / 8),
        ordering(access.order), syncScope(e, access.scope));
    allowInstructions(e, *old);
    return elementsOf(e, old);
  });
}

llvm::Value* AmdTarget::compareAndSwap(FunctionEmitter& e, const AtomicAccess& access,
                                       llvm::Value* expected, llvm::Value* value) const {
  return where(e, access.predicate, {},
               [&]() -> RegisterList {
                 llvm::AtomicOrdering order = ordering(access.order);
                 llvm::Value* both = e.b.CreateAtomicCmpXchg(
                     access.address, asInteger(e, expected), asInteger(e, value),
                     alignmentOf(value->getType()), order,
                     llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(order),
                     syncScope(e, access.scope));
                 return {fromInteger(e, e.b.CreateExtractValue(both, 0), value->getType())};
               })
      .front();
}

llvm::Value* AmdTarget::atomicLoad(FunctionEmitter& e, const AtomicAccess& access,
                                   llvm::Type* type) const {
  return where(e, access.predicate, {},
               [&]() -> RegisterList {
                 llvm::Type* memory = type->isIntegerTy(1) ? e.b.getInt8Ty() : integerOf(e, type);
                 llvm::LoadInst* load =
                     e.b.CreateAlignedLoad(memory, access.address, alignmentOf(memory));
                 load->setAtomic(access.order == tt::MemSemantic::RELAXED
                                     ? llvm::AtomicOrdering::Monotonic
                                     : llvm::AtomicOrdering::Acquire,
                                 syncScope(e, access.scope));
                 if (type->isIntegerTy(1)) return {e.b.CreateTrunc(load, type)};
                 return {fromInteger(e, load, type)};
               })
      .front();
}

void AmdTarget::atomicStore(FunctionEmitter& e, const AtomicAccess& access,
                            llvm::Value* value) const {
  where(e, access.predicate, {}, [&]() -> RegisterList {
    llvm::Value* word = value->getType()->isIntegerTy(1) ? e.b.CreateZExt(value, e.b.getInt8Ty())
                                                         : asInteger(e, value);
    llvm::StoreInst* store =
        e.b.CreateAlignedStore(word, access.address, alignmentOf(word->getType()));
    store->setAtomic(access.order == tt::MemSemantic::RELAXED ? llvm::AtomicOrdering::Monotonic
                                                              : llvm::AtomicOrdering::Release,
                     syncScope(e, access.scope));
    return {};
  });
}

// An order makes the chip write back and drop caches, and wait for it, however many accesses it is
// for.
bool AmdTarget::orderTogether(FunctionEmitter& e, tt::MemSemantic order, tt::MemSyncScope scope,
                              bool isBefore) const {
  if (order == tt::MemSemantic::ACQUIRE_RELEASE ||
      order == (isBefore ? tt::MemSemantic::RELEASE : tt::MemSemantic::ACQUIRE))
    e.b.CreateFence(isBefore ? llvm::AtomicOrdering::Release : llvm::AtomicOrdering::Acquire,
                    syncScope(e, scope));
  return true;
}

} // namespace gluond::lowering::amd
