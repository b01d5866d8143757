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

// The buffer of single 16-bit floats to which pairs are added: it starts at a whole word.
struct Halves {
  llvm::Value *buffer, *first; // `first`: the bytes before the first float, 0 or 2
};

Halves halvesOf(FunctionEmitter& e, mlir::Value pointer) {
  llvm::Value* start = e.scalar(pointer);
  if (e.state().axes.at(pointer).globalDivisibility() % 4 == 0)
    return {bufferOf(e, start), e.i32(0)};
  llvm::Value* address = e.b.CreatePtrToInt(start, e.b.getInt64Ty());
  llvm::Value* words =
      e.intrinsic(In::ptrmask, {start->getType(), e.b.getInt64Ty()}, {start, e.i64(~int64_t{3})});
  return {bufferOf(e, words), e.b.CreateAnd(e.b.CreateTrunc(address, e.b.getInt32Ty()), e.i32(2))};
}

// Adds one 16-bit float and returns what was there. The instruction adds two: the other is -0.0,
// which changes nothing that it is added to.
llvm::Value* addToHalf(FunctionEmitter& e, llvm::Value* value, const Halves& halves,
                       llvm::Value* offset, llvm::Value* predicate) {
  llvm::Type *element = value->getType(), *pair = llvm::FixedVectorType::get(element, 2);
  llvm::Value* bytes = e.b.CreateAdd(e.b.CreateMul(offset, e.i32(2)), halves.first);
  llvm::Value* shift = e.b.CreateShl(e.b.CreateAnd(bytes, e.i32(2)), e.i32(3));
  llvm::Value* bits = e.b.CreateZExt(e.b.CreateBitCast(value, e.b.getInt16Ty()), e.b.getInt32Ty());
  llvm::Value* data =
      e.b.CreateOr(e.b.CreateShl(bits, shift), e.b.CreateLShr(e.b.getInt32(0x80000000u), shift));
  llvm::Value* at = e.b.CreateAnd(bytes, e.b.getInt32(~3u));
  if (predicate) at = e.b.CreateSelect(predicate, at, e.i32(outside));
  llvm::Value* old =
      e.intrinsic(In::amdgcn_raw_ptr_buffer_atomic_fadd, {pair},
                  {e.b.CreateBitCast(data, pair), halves.buffer, at, e.i32(0), atomicScope(e)});
  llvm::Value* word = e.b.CreateBitCast(old, e.b.getInt32Ty());
  return e.b.CreateBitCast(e.b.CreateTrunc(e.b.CreateLShr(word, shift), e.b.getInt16Ty()), element);
}

bool update(FunctionEmitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::BufferAtomicRMWOp>(operation);
  mlir::Type type = op.getType();
  unsigned bits = e.memoryBits(mlir::getElementTypeOrSelf(type));
  Registers offsets = e.get(op.getOffsets()), values = e.get(op.getValue());
  Registers masks = op.getMask() ? e.get(op.getMask()) : Registers();
  unsigned run = 1;
  if (bits < 32) {
    if (op.getAtomicRmwOp() != tt::RMWOp::FADD || bits != 16)
      return e.reject(op, "of buffer atomics on types narrower than 32 bits there are only sums "
                          "of 16-bit floats");
    run = std::min(2u, bufferElements(e, op.getPtr(), op.getOffsets(), op.getMask(), 1));
  }
  mlir::Type element = mlir::getElementTypeOrSelf(type);
  if (!updatesInBuffers(generationOf(e), element)) {
    std::string name;
    llvm::raw_string_ostream(name) << element;
    return e.reject(op, llvm::Twine(chipOf(e).processor) + " has no buffer atomics on " + name +
                            "; use gl.atomic_add and its like, on pointers");
  }
  llvm::Value* first = e.isFirstCopy(e.layoutOf(type));
  bool isUsed = !op->getResult(0).use_empty(), isHalf = bits < 32 && run == 1;
  Halves target =
      isHalf ? halvesOf(e, op.getPtr()) : Halves{bufferOf(e, e.scalar(op.getPtr())), nullptr};
  e.target().orderTogether(e, op.getSem(), op.getScope(), /*isBefore=*/true);
  RegisterList results;
  for (size_t i = 0; i < offsets.size(); i += run) {
    llvm::Value* predicate = predicateOf(e, first, masks, i);
    if (isHalf) {
      llvm::Value* old = addToHalf(e, values[i], target, offsets[i], predicate);
      if (isUsed) results.push_back(old);
      continue;
    }
    llvm::Value* data = vectorOf(e, values.slice(i, run));
    llvm::Value* old = e.intrinsic(
        instructionOf(op.getAtomicRmwOp(), data->getType()->isFPOrFPVectorTy()), {data->getType()},
        {data, target.buffer, bufferOffset(e, offsets[i], bits, predicate), e.i32(0),
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
