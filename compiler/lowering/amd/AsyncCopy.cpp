// From global to shared memory and back without registers between.
//
// On CDNA 3 and 4 the lanes of a warp write side by side, from an address that is the warp's; on
// CDNA 5 each lane has an address of its own. Copies complete in the order in which they were
// started, so that a wait counts those that may still be under way. A copy whose lanes are masked
// may be skipped by a whole warp and is not counted.
#include "chips/MemorySizes.h"
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"
#include "lowering/amd/BufferAccess.h"
#include "lowering/amd/Instructions.h"
#include "lowering/memory/GlobalMemory.h"
#include "lowering/memory/SharedAccess.h"
#include "passes/analysis/AccessWidth.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/IR/MDBuilder.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

// Marks by which LLVM does not wait for copies before loads that an explicit wait precedes.
struct Scopes {
  llvm::MDNode *copies, *loads;
};
Scopes scopesOf(FunctionEmitter& e) {
  llvm::LLVMContext& context = e.state().context;
  auto node = [&](llvm::ArrayRef<llvm::Metadata*> parts) {
    return llvm::MDNode::get(context, parts);
  };
  llvm::MDNode* domain = node({llvm::MDString::get(context, "amdgpu.AsyncOps")});
  auto list = [&](llvm::StringRef name) {
    return node({node({llvm::MDString::get(context, name), domain})});
  };
  return {list("amdgpu.AsyncCopies"), list("amdgpu.LocalLoads")};
}

struct Copy {
  mlir::Value offsets, mask, other; // pointers, or offsets from `base`
  mlir::Value base = nullptr;
  mlir::Value destination;
  mlir::Attribute policy;
  int64_t contiguity = 1;
};

std::optional<Copy> copyOf(mlir::Operation* operation) {
  if (auto op = mlir::dyn_cast<ttg::AsyncCopyGlobalToLocalOp>(operation))
    return Copy{.offsets = op.getSrc(),
                .mask = op.getMask(),
                .other = op.getOther(),
                .destination = op.getResult(),
                .policy = op.getCachePolicyAttr(),
                .contiguity = op.getContiguity()};
  if (auto op = mlir::dyn_cast<amdg::BufferLoadToLocalOp>(operation))
    return Copy{.offsets = op.getOffsets(),
                .mask = op.getMask(),
                .other = op.getOther(),
                .base = op.getPtr(),
                .destination = op.getDest(),
                .policy = op.getCachePolicyAttr(),
                .contiguity = op.getContiguity()};
  return std::nullopt;
}

unsigned elementBitsOf(FunctionEmitter& e, const Copy& copy) {
  mlir::Type pointer =
      copy.base ? copy.base.getType() : mlir::getElementTypeOrSelf(copy.offsets.getType());
  return e.memoryBits(mlir::cast<tt::PointerType>(pointer).getPointeeType());
}

// Elements of one instruction: as many as source and destination have in a row and the chip moves.
unsigned runOf(FunctionEmitter& e, const Copy& copy) {
  unsigned bits = elementBitsOf(e, copy);
  unsigned run = copy.base ? bufferElements(e, copy.base, copy.offsets, copy.mask, copy.contiguity)
                           : std::max(accessRuns(e, copy.offsets, copy.mask).elements,
                                      static_cast<unsigned>(copy.contiguity));
  return static_cast<unsigned>(passes::mostCopied(run, bits, chipOf(e).target));
}

// The order in which the lanes of a warp write to shared memory: side by side as they lie in the
// warp; side by side in another order, as in a swizzled buffer; or not side by side.
enum class Lanes : uint8_t { InOrder, Permuted, Apart };

// The bits of offsets by which lanes that write side by side differ.
uint64_t withinWarp(const SharedPlace& place, size_t run) {
  return (run << place.offsets.inBits(Dim::Lane)) - run;
}

Lanes lanesOf(const SharedPlace& place, size_t run) {
  llvm::ArrayRef<uint64_t> lanes = place.offsets.columns(Dim::Lane);
  const size_t ofWarp = run << lanes.size();
  const uint64_t within = withinWarp(place, run);
  if (place.padding && llvm::any_of(place.padding.getIntervals(),
                                    [&](size_t interval) { return interval % ofWarp != 0; }))
    return Lanes::Apart;
  bool isInOrder = true;
  llvm::SmallVector<uint64_t> independent; // each has a highest bit of its own
  for (auto [bit, offset] : llvm::enumerate(lanes)) {
    isInOrder &= offset == uint64_t(run) << bit;
    uint64_t rest = offset;
    for (uint64_t other : independent)
      rest = std::min(rest, rest ^ other);
    if (!rest || offset & ~within) return Lanes::Apart;
    independent.push_back(rest);
  }
  // Other rows, which other registers and warps have, may be in another order.
  for (Dim dim : {Dim::Register, Dim::Warp})
    for (uint64_t offset : place.offsets.columns(dim))
      isInOrder &= !(offset & within);
  auto* view = llvm::dyn_cast_or_null<llvm::ConstantInt>(place.view);
  if (place.view && (!view || view->getZExtValue() & within)) isInOrder = false;
  return isInOrder ? Lanes::InOrder : Lanes::Permuted;
}

// The place of a warp: where the first of its lanes writes. Nothing in it depends on the lane, so
// that scalar instructions compute it.
SharedPlace placeOfWarp(FunctionEmitter& e, const SharedPlace& place, uint64_t within) {
  SharedPlace made = place;
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Warp}) {
    layout::f2::ColumnVector columns(place.offsets.columns(dim));
    for (uint64_t& offset : columns)
      offset = dim == Dim::Lane ? 0 : offset & ~within;
    made.offsets = made.offsets.withColumns(dim, columns);
  }
  if (place.view) made.view = e.b.CreateAnd(place.view, e.i32(static_cast<int64_t>(~within)));
  return made;
}

// This lane's place among those of its warp, in the order in which they write.
llvm::Value* placeInWarp(FunctionEmitter& e, const SharedPlace& place,
                         llvm::ArrayRef<unsigned> registers) {
  llvm::Value* offset = e.applyHere(place.offsets, e.i32(registers.front())).front();
  if (place.view) offset = e.b.CreateXor(offset, place.view);
  auto lanes = int64_t(1) << place.offsets.inBits(Dim::Lane);
  return e.b.CreateAnd(e.b.CreateLShr(offset, llvm::Log2_64(registers.size())), e.i32(lanes - 1));
}

// Gives each lane the value of the one that writes at its place.
llvm::Value* sentTo(FunctionEmitter& e, llvm::Value* lane, llvm::Value* value) {
  llvm::Value* at = e.b.CreateShl(lane, e.i32(2));
  auto send = [&](llvm::Value* word) { return e.intrinsic(In::amdgcn_ds_permute, {}, {at, word}); };
  llvm::Type* type = value->getType();
  if (type->isIntegerTy(1))
    return e.b.CreateTrunc(send(e.b.CreateZExt(value, e.b.getInt32Ty())), type);
  RegisterList words = pack(e, {value});
  for (llvm::Value*& word : words)
    word = send(word);
  return unpack(e, words, type, 1).front();
}

bool copyToShared(FunctionEmitter& e, mlir::Operation* op) {
  Copy copy = *copyOf(op);
  Generation generation = generationOf(e);
  bool isCdna5 = generation == Generation::Cdna5;
  if (generation != Generation::Cdna3 && generation != Generation::Cdna4 && !isCdna5)
    return e.fail(op, "asynchronous copies need CDNA 3 or later; RDNA has none");
  if (isCdna5 && copy.base)
    return e.fail(op, "gluond cannot compile buffer_load_to_shared for this target");
  const LinearLayout& layout = e.layoutOf(copy.offsets.getType());
  auto place = placeIn(e, op, layout, copy.destination);
  if (!place) return false;
  if (place->blocks || place->otherBlock)
    return e.fail(op, "an asynchronous copy cannot write to another CTA's shared memory");
  unsigned bits = elementBitsOf(e, copy), run = runOf(e, copy);
  place->mostElements = run;
  Registers pointers = e.get(copy.offsets), masks = copy.mask ? e.get(copy.mask) : Registers(),
            others = copy.other ? e.get(copy.other) : Registers();
  llvm::Value* first = e.isFirstCopy(layout, /*ofOwnCta=*/true);
  if (llvm::isa<llvm::ConstantInt>(first)) first = nullptr; // no copies
  llvm::Value* buffer = copy.base ? bufferOf(e, e.scalar(copy.base)) : nullptr;
  llvm::Value *cache = e.i32(cacheBits(e, copy.policy, true)), *zero = e.i32(0);
  llvm::MDNode* scope = scopesOf(e).copies;
  SharedPlace warpPlace;
  std::optional<SharedAddresses> warpAddresses;
  llvm::StringRef problem;
  forEachAccess(e, *place, [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
    unsigned bytes = static_cast<unsigned>(registers.size()) * bits / 8;
    bool isSize = llvm::is_contained(chips::asyncCopyBytes(chipOf(e)), bytes) ||
                  (!isCdna5 && bytes < 4 && bytes > 0);
    if (!isSize) problem = "no instruction moves as many bytes as a thread holds in a row";
    Lanes lanes = isCdna5 ? Lanes::InOrder : lanesOf(*place, registers.size());
    if (lanes == Lanes::Apart)
      problem = "the lanes of a warp must write neighboring elements of the buffer: use a layout "
                "that follows the buffer's";
    if (!problem.empty()) return;
    llvm::Value* mask = masks.empty() ? nullptr : masks[registers.front()];
    // Reads beyond a buffer give zeros without a branch.
    bool readsZeros = buffer && mask && others.empty();
    llvm::Value *predicate = first, *from = pointers[registers.front()], *loads = mask;
    if (buffer) from = bufferOffset(e, from, bits, readsZeros ? mask : nullptr);
    llvm::Value* base = address;
    if (!isCdna5) {
      uint64_t within = withinWarp(*place, registers.size());
      if (!warpAddresses) {
        warpPlace = placeOfWarp(e, *place, within);
        warpAddresses.emplace(e, warpPlace);
      }
      llvm::ArrayRef<uint64_t> columns = place->offsets.columns(Dim::Register);
      base = warpAddresses->at(layout::f2::multiply(columns, registers.front()) & ~within);
      if (lanes == Lanes::Permuted) {
        llvm::Value* lane = placeInWarp(e, *place, registers);
        from = sentTo(e, lane, from);
        if (mask && !readsZeros) loads = sentTo(e, lane, mask);
      }
    }
    if (mask && !readsZeros) predicate = first ? e.b.CreateAnd(first, loads) : loads;
    where(e, predicate, {}, [&]() -> RegisterList {
      llvm::CallInst* made;
      if (isCdna5) {
        unsigned instruction = bytes == 16  ? In::amdgcn_global_load_async_to_lds_b128
                               : bytes == 8 ? In::amdgcn_global_load_async_to_lds_b64
                               : bytes == 4 ? In::amdgcn_global_load_async_to_lds_b32
                                            : In::amdgcn_global_load_async_to_lds_b8;
        made = e.intrinsic(instruction, {}, {from, base, zero, cache});
      } else if (buffer) {
        made = e.intrinsic(In::amdgcn_raw_ptr_buffer_load_lds, {},
                           {buffer, base, e.i32(bytes), from, zero, zero, cache});
      } else {
        made = e.intrinsic(In::amdgcn_global_load_lds, {}, {from, base, e.i32(bytes), zero, cache});
      }
      made->setMetadata(llvm::LLVMContext::MD_alias_scope, scope);
      return {};
    });
    if (!mask || others.empty()) return;
    llvm::Value* isOther = e.b.CreateNot(mask);
    where(e, first ? e.b.CreateAnd(first, isOther) : isOther, {}, [&]() -> RegisterList {
      RegisterList values;
      for (unsigned number : registers)
        values.push_back(others[others.size() == 1 ? 0 : number]);
      e.b.CreateAlignedStore(vectorOf(e, pack(e, values)), address, llvm::Align(bytes));
      return {};
    });
  });
  return problem.empty() || e.fail(op, problem);
}

// Instructions that all warps issue for a copy.
unsigned certainInstructions(FunctionEmitter& e, mlir::Operation* op) {
  std::optional<Copy> copy = copyOf(op);
  if (!copy) return 0;
  const LinearLayout& layout = e.layoutOf(copy->offsets.getType());
  bool isMasked = copy->mask && (!copy->base || copy->other);
  if (isMasked || layout.freeMask(Dim::Lane) || layout.freeMask(Dim::Warp)) return 0;
  return static_cast<unsigned>(layout.inSize(Dim::Register)) / runOf(e, *copy);
}

// The least number of instructions in any group of the function.
unsigned leastOfGroups(FunctionEmitter& e) {
  std::optional<unsigned> least;
  e.source()->walk([&](ttg::AsyncCommitGroupOp commit) {
    unsigned count = 0;
    for (mlir::Operation* op = commit->getPrevNode(); op; op = op->getPrevNode()) {
      if (op->getNumRegions() || mlir::isa<ttg::AsyncCommitGroupOp>(op)) break;
      count += certainInstructions(e, op);
    }
    least = std::min(least.value_or(count), count);
  });
  return least.value_or(0);
}

void waitUntil(FunctionEmitter& e, unsigned inFlight) {
  if (generationOf(e) == Generation::Cdna5) {
    e.intrinsic(In::amdgcn_s_wait_asynccnt, {},
                {e.b.getInt16(static_cast<uint16_t>(std::min(inFlight, 63u)))});
    return;
  }
  // vmcnt is in two parts; the other counters are not waited for.
  unsigned count = std::min(inFlight, 63u);
  constexpr unsigned anyExport = 7 << 4, anyShared = 15 << 8;
  e.intrinsic(In::amdgcn_s_waitcnt, {},
              {e.i32((count & 15) | anyExport | anyShared | (count >> 4) << 14)});
}

bool commit(FunctionEmitter&, mlir::Operation*) {
  return true;
}

bool waitForGroups(FunctionEmitter& e, mlir::Operation* op) {
  auto groups = static_cast<unsigned>(mlir::cast<ttg::AsyncWaitOp>(op).getNum());
  waitUntil(e, groups ? groups * leastOfGroups(e) : 0);
  return true;
}

bool waitForInstructions(FunctionEmitter& e, mlir::Operation* op) {
  waitUntil(e, static_cast<unsigned>(mlir::cast<amdg::AsyncWaitOp>(op).getNumInst()));
  return true;
}

struct Sized {
  unsigned bytes, instruction;
};
constexpr Sized stores[] = {{1, In::amdgcn_global_store_async_from_lds_b8},
                            {4, In::amdgcn_global_store_async_from_lds_b32},
                            {8, In::amdgcn_global_store_async_from_lds_b64},
                            {16, In::amdgcn_global_store_async_from_lds_b128}};

// Two bytes, for which there is no instruction, are copied one by one, as in Triton.
bool copyToGlobal(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::AsyncCopyLocalToGlobalOp>(operation);
  if (!needsCdna5(e, op, "asynchronous copies from shared memory need")) return false;
  const LinearLayout& layout = e.layoutOf(op.getDst().getType());
  auto place = placeIn(e, op, layout, op.getSrc());
  if (!place) return false;
  mlir::Type pointer = mlir::getElementTypeOrSelf(op.getDst().getType());
  unsigned bits = e.memoryBits(mlir::cast<tt::PointerType>(pointer).getPointeeType());
  place->mostElements = std::min(std::max(accessRuns(e, op.getDst(), op.getMask()).elements,
                                          static_cast<unsigned>(op.getContiguity())),
                                 128 / bits);
  Registers pointers = e.get(op.getDst()), masks = op.getMask() ? e.get(op.getMask()) : Registers();
  llvm::Value* first = e.isFirstCopy(layout);
  if (llvm::isa<llvm::ConstantInt>(first)) first = nullptr;
  bool isKnown = true;
  forEachAccess(e, *place, [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
    unsigned bytes = static_cast<unsigned>(registers.size()) * bits / 8;
    const unsigned each = bytes == 2 ? 1 : bytes;
    const auto* row = llvm::find_if(stores, [&](const Sized& size) { return size.bytes == each; });
    isKnown &= row != std::end(stores);
    if (!isKnown) return;
    llvm::Value* mask = masks.empty() ? nullptr : masks[registers.front()];
    if (mask && first) mask = e.b.CreateAnd(mask, first);
    where(e, mask ? mask : first, {}, [&]() -> RegisterList {
      for (unsigned byte = 0; byte < bytes; byte += each) {
        auto at = [&](llvm::Value* start) {
          return byte ? e.b.CreateConstInBoundsGEP1_32(e.b.getInt8Ty(), start, byte) : start;
        };
        e.intrinsic(row->instruction, {},
                    {at(pointers[registers.front()]), at(address), e.i32(0), e.i32(0)});
      }
      return {};
    });
  });
  return isKnown || e.fail(op, "no instruction moves as many bytes as a thread holds in a row");
}

// A load that an explicit wait precedes need not wait for copies again.
bool loadShared(FunctionEmitter& e, mlir::Operation* op) {
  llvm::BasicBlock* block = e.b.GetInsertBlock();
  llvm::Instruction* before = block->empty() ? nullptr : &block->back();
  if (!lowerAsShared(e, op)) return false;
  auto synced = op->getAttrOfType<mlir::BoolAttr>("ttg.amdg.syncedViaAsyncWait");
  if (!synced || !synced.getValue()) return true;
  Scopes scopes = scopesOf(e);
  for (llvm::Instruction* made = before ? before->getNextNode() : &block->front(); made;
       made = made->getNextNode())
    if (made->mayReadFromMemory() && !made->mayWriteToMemory()) {
      made->setMetadata(llvm::LLVMContext::MD_alias_scope, scopes.loads);
      made->setMetadata(llvm::LLVMContext::MD_noalias, scopes.copies);
    }
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> asyncCopyOps() {
  static constexpr OpRow rows[] = {
      {"ttg.async_copy_global_to_local", copyToShared},
      {"amdg.buffer_load_to_local", copyToShared},
      {"amdg.async_copy_local_to_global", copyToGlobal},
      {"ttg.async_commit_group", commit},
      {"ttg.async_wait", waitForGroups},
      {"amdg.async_wait", waitForInstructions},
      {"ttg.local_load", loadShared},
  };
  return rows;
}

} // namespace gluond::lowering::amd
