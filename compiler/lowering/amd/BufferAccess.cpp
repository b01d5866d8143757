// Accesses to global memory through a descriptor of a buffer and 32-bit offsets. What a mask
// excludes is given an offset beyond the buffer, where loads give zeros and stores do nothing: no
// branches.
#include "lowering/amd/BufferAccess.h"

#include "lowering/Elementwise.h"
#include "lowering/amd/Instructions.h"
#include "lowering/memory/Atomics.h"
#include "passes/analysis/AccessWidth.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>

namespace gluond::lowering::amd {

namespace {
namespace In = llvm::Intrinsic;

constexpr int64_t bufferBytes = 0x7ffffffe, outside = 0x80000000;

llvm::Type* wordsOf(FunctionEmitter& e, unsigned bits) {
  return bits <= 32 ? static_cast<llvm::Type*>(e.b.getIntNTy(bits))
                    : llvm::FixedVectorType::get(e.b.getInt32Ty(), bits / 32);
}

} // namespace

unsigned bufferElements(FunctionEmitter& e, mlir::Value pointer, mlir::Value offsets,
                        mlir::Value mask, int64_t contiguity) {
  passes::MemoryAccess access;
  access.pointers = offsets;
  access.base = pointer;
  access.mask = mask;
  access.contiguity = contiguity;
  return static_cast<unsigned>(passes::addressWidth(access, e.state().axes).elements);
}

llvm::Value* bufferOf(FunctionEmitter& e, llvm::Value* pointer) {
  // Raw data; on RDNA, offsets are compared with the size in bytes.
  constexpr int64_t format = 7 << 12 | 4 << 15, rdnaFormat = format | 1 << 24 | 3ll << 28;
  Generation generation = generationOf(e);
  bool isRdna = generation == Generation::Rdna3 || generation == Generation::Rdna4;
  return e.intrinsic(
      In::amdgcn_make_buffer_rsrc, {e.b.getPtrTy(8), pointer->getType()},
      {pointer, e.b.getInt16(0), e.i64(bufferBytes), e.i32(isRdna ? rdnaFormat : format)});
}

llvm::Value* bufferOffset(FunctionEmitter& e, llvm::Value* offset, unsigned elementBits,
                          llvm::Value* predicate) {
  llvm::Value* bytes =
      e.b.CreateMul(offset, e.i32(static_cast<int64_t>(std::max(1u, elementBits / 8))));
  if (!predicate) return bytes;
  return e.b.CreateSelect(predicate, bytes, e.i32(outside));
}

namespace {

// What a load gives outside of the buffer.
bool isZero(const llvm::Value* value) {
  auto* constant = llvm::dyn_cast<llvm::Constant>(value);
  return constant && constant->isNullValue();
}

bool load(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::BufferLoadOp>(operation);
  llvm::Type* element = e.elementType(op.getType());
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(op.getType()));
  unsigned run = bufferElements(e, op.getPtr(), op.getOffsets(), op.getMask(), op.getContiguity());
  Registers offsets = e.get(op.getOffsets());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  Registers others = op.getOther() ? e.get(op.getOther()) : Registers();
  llvm::Value* buffer = bufferOf(e, e.scalar(op.getPtr()));
  llvm::Value* cache = e.i32(cacheBits(e, op.getCachePolicyAttr(), true));
  RegisterList results;
  for (size_t i = 0; i < offsets.size(); i += run) {
    llvm::Value* mask = masks.empty() ? nullptr : masks[i];
    llvm::Value* loaded =
        e.intrinsic(In::amdgcn_raw_ptr_buffer_load, {wordsOf(e, bits * run)},
                    {buffer, bufferOffset(e, offsets[i], bits, mask), e.i32(0), cache});
    RegisterList values = unpack(e, elementsOf(e, loaded), element, run);
    if (mask && !others.empty())
      for (unsigned k = 0; k < run; ++k)
        if (!isZero(others[i + k])) values[k] = e.b.CreateSelect(mask, values[k], others[i + k]);
    llvm::append_range(results, values);
  }
  e.set(op.getResult(), results);
  return true;
}

// Whether the thread writes: of threads that hold the same element, one does.
llvm::Value* predicateOf(FunctionEmitter& e, llvm::Value* first, Registers masks, size_t i) {
  llvm::Value* mine = llvm::isa<llvm::ConstantInt>(first) ? nullptr : first;
  if (masks.empty()) return mine;
  return mine ? e.b.CreateAnd(mine, masks[i]) : masks[i];
}

bool store(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::BufferStoreOp>(operation);
  mlir::Type type = op.getValue().getType();
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  unsigned run = bufferElements(e, op.getPtr(), op.getOffsets(), op.getMask(), op.getContiguity());
  Registers offsets = e.get(op.getOffsets()), values = e.get(op.getValue());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  llvm::Value *buffer = bufferOf(e, e.scalar(op.getPtr())),
              *first = e.isFirstCopy(e.layoutOf(type));
  llvm::Value* cache = e.i32(cacheBits(e, op.getCachePolicyAttr(), false));
  for (size_t i = 0; i < offsets.size(); i += run) {
    llvm::Value* data = vectorOf(e, pack(e, values.slice(i, run)));
    e.intrinsic(In::amdgcn_raw_ptr_buffer_store, {data->getType()},
                {data, buffer, bufferOffset(e, offsets[i], bits, predicateOf(e, first, masks, i)),
                 e.i32(0), cache});
  }
  return true;
}

unsigned instructionOf(tt::RMWOp kind, bool isFloat) {
  switch (kind) {
  case tt::RMWOp::AND:
    return In::amdgcn_raw_ptr_buffer_atomic_and;
  case tt::RMWOp::OR:
    return In::amdgcn_raw_ptr_buffer_atomic_or;
  case tt::RMWOp::XOR:
    return In::amdgcn_raw_ptr_buffer_atomic_xor;
  case tt::RMWOp::ADD:
    return In::amdgcn_raw_ptr_buffer_atomic_add;
  case tt::RMWOp::FADD:
    return In::amdgcn_raw_ptr_buffer_atomic_fadd;
  case tt::RMWOp::MAX:
    return isFloat ? In::amdgcn_raw_ptr_buffer_atomic_fmax : In::amdgcn_raw_ptr_buffer_atomic_smax;
  case tt::RMWOp::MIN:
    return isFloat ? In::amdgcn_raw_ptr_buffer_atomic_fmin : In::amdgcn_raw_ptr_buffer_atomic_smin;
  case tt::RMWOp::UMAX:
    return In::amdgcn_raw_ptr_buffer_atomic_umax;
  case tt::RMWOp::UMIN:
    return In::amdgcn_raw_ptr_buffer_atomic_umin;
  case tt::RMWOp::XCHG:
    return In::amdgcn_raw_ptr_buffer_atomic_swap;
  }
  return In::not_intrinsic;
}

// From gfx12 on, an instruction says for whom it is atomic: the chip, not only its own workgroup.
llvm::Value* atomicScope(FunctionEmitter& e) {
  constexpr int64_t device = 2 << 3;
  Generation generation = generationOf(e);
  return e.i32(generation == Generation::Rdna4 || generation == Generation::Cdna5 ? device : 0);
}

// Whether the chips have buffer atomics on floats of this type (pairs of them, of 16 bits).
bool updatesInBuffers(Generation generation, mlir::Type element) {
  using enum chips::AmdGeneration;
  if (element.isF64()) return (isCdna(generation) && generation >= Cdna2) || generation == Cdna5;
  if (element.isF16()) return generation != Gcn5 && generation != Rdna3;
  if (element.isBF16()) return generation == Cdna4 || generation == Rdna4 || generation == Cdna5;
  return true;
}

bool update(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::BufferAtomicRMWOp>(operation);
  mlir::Type type = op.getType();
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  Registers offsets = e.get(op.getOffsets()), values = e.get(op.getValue());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  unsigned run = 1;
  if (bits < 32) {
    run = 2; // sums of two halves are all that there is
    if (op.getAtomicRmwOp() != tt::RMWOp::FADD || bits != 16 ||
        bufferElements(e, op.getPtr(), op.getOffsets(), op.getMask(), 1) < run)
      return e.reject(op, "buffer atomics on types narrower than 32 bits need sums of two adjacent "
                          "16-bit floats that a thread holds; use a layout with size_per_thread of "
                          "at least 2 along the contiguous dimension");
  }
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (!updatesInBuffers(generationOf(e), element)) {
    std::string name;
    llvm::raw_string_ostream(name) << element;
    return e.reject(op, llvm::Twine(chipOf(e).processor) + " has no buffer atomics on " + name +
                            "; use gl.atomic_add and its like, on pointers");
  }
  llvm::Value *buffer = bufferOf(e, e.scalar(op.getPtr())),
              *first = e.isFirstCopy(e.layoutOf(type));
  bool isUsed = !op->getResult(0).use_empty();
  e.target().orderTogether(e, op.getSem(), op.getScope(), /*isBefore=*/true);
  RegisterList results;
  for (size_t i = 0; i < offsets.size(); i += run) {
    llvm::Value* data = vectorOf(e, values.slice(i, run));
    llvm::Value* old = e.intrinsic(
        instructionOf(op.getAtomicRmwOp(), data->getType()->isFPOrFPVectorTy()), {data->getType()},
        {data, buffer, bufferOffset(e, offsets[i], bits, predicateOf(e, first, masks, i)), e.i32(0),
         atomicScope(e)});
    if (isUsed) llvm::append_range(results, elementsOf(e, old));
  }
  e.target().orderTogether(e, op.getSem(), op.getScope(), /*isBefore=*/false);
  if (isUsed) e.set(op.getResult(), shareAtomicResults(e, op, type, std::move(results), first));
  return true;
}

bool compareAndSwap(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::BufferAtomicCASOp>(operation);
  mlir::Type type = op.getType();
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  if (bits < 32) return e.fail(op, "a buffer's compare-and-swap needs 32 or 64 bits");
  llvm::Value *buffer = bufferOf(e, e.scalar(op.getPtr())),
              *first = e.isFirstCopy(e.layoutOf(type));
  llvm::Type *element = e.elementType(type), *integer = e.b.getIntNTy(bits);
  e.target().orderTogether(e, op.getSem(), op.getScope(), /*isBefore=*/true);
  RegisterList results;
  for (auto [offset, expected, value] :
       llvm::zip(e.get(op.getOffsets()), e.get(op.getCmp()), e.get(op.getVal()))) {
    llvm::Value* old = e.intrinsic(
        In::amdgcn_raw_ptr_buffer_atomic_cmpswap, {integer},
        {e.b.CreateBitCast(value, integer), e.b.CreateBitCast(expected, integer), buffer,
         bufferOffset(e, offset, bits, predicateOf(e, first, {}, 0)), e.i32(0), atomicScope(e)});
    results.push_back(e.b.CreateBitCast(old, element));
  }
  e.target().orderTogether(e, op.getSem(), op.getScope(), /*isBefore=*/false);
  e.set(op.getResult(), shareAtomicResults(e, op, type, std::move(results), first));
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> bufferOps() {
  static constexpr OpRow rows[] = {
      {"amdg.buffer_load", load},
      {"amdg.buffer_store", store},
      {"amdg.buffer_atomic_rmw", update, atomicScratchBytes},
      {"amdg.buffer_atomic_cas", compareAndSwap, atomicScratchBytes},
  };
  return rows;
}

} // namespace gluond::lowering::amd
