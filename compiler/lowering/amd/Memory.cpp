// Loads and stores of global and shared memory under predicates and cache policies. There are no
// predicated instructions: accesses that some lanes must not make are in blocks of their own.
#include "ir/ttng/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/amd/AmdTarget.h"
#include "lowering/amd/Instructions.h"

namespace gluond::lowering::amd {

namespace {

// The words of a CacheHint.
constexpr char streams = 'n', skipsCaches = 'v';

tt::CacheModifier modifierOf(mlir::Attribute attribute) {
  auto policy = mlir::dyn_cast_or_null<tt::CachePolicyAttr>(attribute);
  return policy ? policy.getCacheModifier() : tt::CacheModifier::NONE;
}

} // namespace

CacheHint AmdTarget::cacheHint(FunctionEmitter&, mlir::Attribute policy, bool isLoad) const {
  switch (modifierOf(policy)) {
  case tt::CacheModifier::CG:
  case tt::CacheModifier::CS:
    return {.words = {streams}};
  case tt::CacheModifier::CV:
    if (isLoad) return {.words = {streams, skipsCaches}};
    return {};
  case tt::CacheModifier::WT:
    if (!isLoad) return {.words = {streams, skipsCaches}};
    return {};
  default:
    return {};
  }
}

// sc0, nt and sc1 of CDNA 3 and 4; other generations take no hints here.
unsigned cacheBits(FunctionEmitter& e, mlir::Attribute policy, bool isLoad) {
  constexpr unsigned sc0 = 1, nt = 2, sc1 = 16;
  Generation generation = generationOf(e);
  if (generation != Generation::Cdna3 && generation != Generation::Cdna4) return 0;
  switch (modifierOf(policy)) {
  case tt::CacheModifier::CG:
    return isLoad ? nt : 0;
  case tt::CacheModifier::CS:
    return sc0 | nt;
  case tt::CacheModifier::CV:
    return isLoad ? sc0 | sc1 : 0;
  case tt::CacheModifier::WT:
    return isLoad ? 0 : sc0 | sc1;
  default:
    return 0;
  }
}

namespace {

void applyHint(FunctionEmitter& e, llvm::Instruction& access, const CacheHint& hint,
               bool isVolatile) {
  isVolatile |= llvm::StringRef(hint.words).contains(skipsCaches);
  if (auto* load = llvm::dyn_cast<llvm::LoadInst>(&access)) load->setVolatile(isVolatile);
  if (auto* store = llvm::dyn_cast<llvm::StoreInst>(&access)) store->setVolatile(isVolatile);
  if (llvm::StringRef(hint.words).contains(streams))
    access.setMetadata(
        llvm::LLVMContext::MD_nontemporal,
        llvm::MDNode::get(e.state().context, llvm::ConstantAsMetadata::get(e.i32(1))));
}

unsigned bytesOf(const GlobalAccess& access) {
  return access.elements * std::max(8u, registerBits(access.element)) / 8;
}

} // namespace

// Under a predicate, the whole vector is chosen where the lanes meet, and taken apart after that:
// LLVM moves what is done to one chosen element to where it is loaded, and each load would be
// waited for before the next one begins. So that also holds of a vector of one element.
RegisterList AmdTarget::loadGlobal(FunctionEmitter& e, const GlobalAccess& access,
                                   Registers others) const {
  llvm::Type* memory = access.element->isIntegerTy(1) ? e.b.getInt8Ty() : access.element;
  auto* whole = llvm::FixedVectorType::get(memory, access.elements);
  llvm::Value* otherwise = llvm::Constant::getNullValue(whole);
  for (auto [i, other] : llvm::enumerate(others))
    otherwise = e.b.CreateInsertElement(otherwise, e.b.CreateZExtOrBitCast(other, memory), i);
  RegisterList loaded = where(e, access.predicate, {otherwise}, [&]() -> RegisterList {
    llvm::LoadInst* load =
        e.b.CreateAlignedLoad(whole, access.address, llvm::Align(bytesOf(access)));
    applyHint(e, *load, access.cache, access.isVolatile);
    return {load};
  });
  RegisterList values = elementsOf(e, loaded.front());
  if (memory != access.element)
    for (llvm::Value*& value : values)
      value = e.b.CreateTrunc(value, access.element);
  return values;
}

void AmdTarget::storeGlobal(FunctionEmitter& e, const GlobalAccess& access,
                            Registers values) const {
  where(e, access.predicate, {}, [&]() -> RegisterList {
    llvm::StoreInst* stored = e.b.CreateAlignedStore(vectorOf(e, pack(e, values)), access.address,
                                                     llvm::Align(bytesOf(access)));
    applyHint(e, *stored, access.cache, access.isVolatile);
    return {};
  });
}

void AmdTarget::storeShared(FunctionEmitter& e, llvm::Value* predicate, llvm::Value* address,
                            llvm::Value* word) const {
  where(e, predicate, {}, [&]() -> RegisterList {
    e.b.CreateAlignedStore(word, address, llvm::Align(4));
    return {};
  });
}

void AmdTarget::countShared(FunctionEmitter& e, llvm::Value* predicate,
                            llvm::Value* address) const {
  where(e, predicate, {}, [&]() -> RegisterList {
    e.b.CreateAtomicRMW(llvm::AtomicRMWInst::Add, address, e.i32(1), llvm::Align(4),
                        llvm::AtomicOrdering::Monotonic, syncScope(e, tt::MemSyncScope::CTA));
    return {};
  });
}

} // namespace gluond::lowering::amd
