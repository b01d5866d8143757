#include "lowering/memory/SharedAccess.h"

#include "ir/ttg/Ops.h"
#include "layout/access/SharedAccess.h"
#include "lowering/Elementwise.h"
#include "lowering/Handlers.h"

#include <llvm/Support/MathExtras.h>

namespace gluond::lowering {

llvm::Value* padded(FunctionEmitter& e, ttg::PaddedSharedEncodingAttr padding,
                    llvm::Value* offset) {
  llvm::Value* place = offset;
  for (auto [interval, more] : llvm::zip(padding.getIntervals(), padding.getPaddings()))
    place = e.b.CreateAdd(
        place, e.b.CreateMul(e.b.CreateLShr(offset, e.i32(llvm::Log2_32(interval))), e.i32(more)));
  return place;
}

// The same of a known offset. Intervals are powers of two: offsets without common bits can be
// padded apart from each other and added.
static int64_t padded(ttg::PaddedSharedEncodingAttr padding, int64_t offset) {
  int64_t place = offset;
  for (auto [interval, more] : llvm::zip(padding.getIntervals(), padding.getPaddings()))
    place += (offset >> llvm::Log2_32(interval)) * static_cast<int64_t>(more);
  return place;
}

void forEachAccess(FunctionEmitter& e, const SharedPlace& place, AccessShared access,
                   OnlyOffsets onlyOffsets) {
  const LinearLayout& offsets = place.offsets;
  layout::VectorAccess widest =
      layout::widestSharedAccess(offsets, place.elementBits, place.mostElements, place.paddings());
  // None reaches into the memory of two CTAs.
  auto blockOf = [&](uint64_t number) -> uint64_t {
    return place.blocks ? layout::f2::multiply(place.blocks->columns(Dim::Register), number) : 0;
  };
  for (unsigned i = 0; (int64_t(1) << i) < widest.elements; ++i)
    if (blockOf(uint64_t(1) << widest.registerBits[i])) widest.elements = int64_t(1) << i;
  int64_t bytes = std::max(1u, place.elementBits / 8);
  llvm::Value* here = e.applyHere(offsets, e.i32(0)).front();
  uint64_t reached = offsets.outputMask({Dim::Lane, Dim::Warp}, Dim::Offset);
  if (offsets.hasIn(Dim::Block)) reached |= offsets.outputMask({Dim::Block}, Dim::Offset);
  if (place.view) {
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(place.view);
    if (!known || !known->isZero()) here = e.b.CreateXor(here, place.view);
    reached |= known ? known->getZExtValue() : ~uint64_t(0);
  }
  llvm::Value* hereBytes = e.b.CreateMul(here, e.i32(bytes));
  llvm::Value* hereAddress = e.b.CreateGEP(e.b.getInt8Ty(), place.base, hereBytes);

  llvm::Value* blockHere = nullptr; // the CTA of register 0, where it may be another
  if (place.blocks || place.otherBlock) {
    blockHere = place.blocks ? e.applyHere(*place.blocks, e.i32(0)).front() : e.block();
    if (place.otherBlock) blockHere = e.b.CreateXor(blockHere, place.otherBlock);
  }
  auto inBlockOf = [&](llvm::Value* address, uint64_t block) {
    if (!blockHere) return address;
    return e.inBlock(address, e.b.CreateXor(blockHere, e.i32(static_cast<int64_t>(block))));
  };
  // The addresses by the bits in which they differ from `here`, and in which the CTA differs from
  // `blockHere`.
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, llvm::Value*> flippedAddress;
  uint64_t count = uint64_t(1) << widest.registerBits.size();
  llvm::SmallVector<unsigned> registers(static_cast<size_t>(widest.elements));
  auto registerOf = [&](uint64_t index) {
    unsigned number = 0;
    for (auto [i, bit] : llvm::enumerate(widest.registerBits))
      if (index >> i & 1) number |= 1u << bit;
    return number;
  };
  for (uint64_t first = 0; first < count; first += registers.size()) {
    for (auto [i, number] : llvm::enumerate(registers))
      number = registerOf(first + i);
    uint64_t offset = layout::f2::multiply(offsets.columns(Dim::Register), registers.front());
    if (onlyOffsets && (offset & onlyOffsets->first) != onlyOffsets->second) continue;
    uint64_t block = blockOf(registers.front());
    // Repetitions use the same memory: their bits are no part of the address. Bits that no thread
    // reaches are added, which costs nothing; the others make few different addresses.
    uint64_t within = onlyOffsets ? offset & ~onlyOffsets->first : offset;
    uint64_t flipped = within & reached;
    llvm::Value*& from = flippedAddress[{flipped, block}];
    if (!from) {
      if (place.padding) {
        llvm::Value* element =
            flipped ? e.b.CreateXor(here, e.i32(static_cast<int64_t>(flipped))) : here;
        from = e.b.CreateGEP(e.b.getInt8Ty(), place.base,
                             e.b.CreateMul(padded(e, place.padding, element), e.i32(bytes)));
      } else {
        from = flipped ? e.b.CreateGEP(
                             e.b.getInt8Ty(), place.base,
                             e.b.CreateXor(hereBytes, e.i32(static_cast<int64_t>(flipped) * bytes)))
                       : hereAddress;
      }
      from = inBlockOf(from, block);
    }
    int64_t added = static_cast<int64_t>(within & ~reached);
    if (place.padding) added = padded(place.padding, added);
    llvm::Value* address = e.b.CreateGEP(e.b.getInt8Ty(), from, e.i32(added * bytes));
    access(address, registers);
  }
}

void forEachRow(FunctionEmitter& e, const SharedPlace& place, const layout::MatrixAccess& matrices,
                llvm::function_ref<void(llvm::Value*, unsigned)> access, OnlyOffsets onlyOffsets) {
  SharedPlace rows = place;
  rows.offsets = matrices.rows;
  rows.mostElements = 1;
  forEachAccess(
      e, rows,
      [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
        access(address, registers.front());
      },
      onlyOffsets);
}

bool beginsWithRun(const SharedPlace& place, unsigned elements) {
  auto* view = llvm::dyn_cast_if_present<llvm::ConstantInt>(place.view);
  return !view || view->getZExtValue() % elements == 0;
}

LinearLayout bufferLayout(ttg::MemDescType type) {
  LinearLayout layout = ir::toLinearLayout(type);
  if (!layout.hasIn(Dim::Partition)) return layout;
  layout::f2::ColumnVector columns(layout.columns(Dim::Offset));
  llvm::append_range(columns, layout.columns(Dim::Partition));
  llvm::SmallVector<Dim> ins(layout.inDims()), outs(layout.outDims());
  llvm::erase(ins, Dim::Partition);
  return layout.withColumns(Dim::Offset, columns).sublayout(ins, outs);
}

std::optional<SharedPlace> placeIn(FunctionEmitter& e, mlir::Operation* op,
                                   const LinearLayout& layout, mlir::Value buffer) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  LinearLayout shared = bufferLayout(type);
  LinearLayout tensor = layout;
  for (layout::DimBits out : shared.outs())
    if (tensor.hasOut(out.dim) && tensor.outSize(out.dim) < out.size())
      tensor = tensor.growOut(out.dim, out.size());
  std::optional<LinearLayout> offsets = tensor.invertAndCompose(shared);
  if (!offsets) {
    e.fail(op, "the buffer does not hold every element of the tensor");
    return std::nullopt;
  }
  SharedPlace place;
  place.offsets = offsets->sublayout({Dim::Register, Dim::Lane, Dim::Warp}, {Dim::Offset});
  place.otherBlock = e.viewBlock(buffer);
  if (offsets->hasOut(Dim::Block) && offsets->outBits(Dim::Block) &&
      !offsets->isTrivialOver({Dim::Block})) {
    place.blocks = offsets->sublayout(offsets->inDims(), {Dim::Block});
    place.offsets = offsets->sublayout(offsets->inDims(), {Dim::Offset});
  }
  if ((place.blocks || place.otherBlock) &&
      !e.needs(op, Feature::ClusterMemory, "access to another CTA's shared memory needs"))
    return std::nullopt;
  place.base = e.viewBase(buffer);
  place.view = e.viewOffset(buffer);
  place.padding = ttg::getPaddedEncoding(type.getEncoding());
  place.elementBits = e.memoryBits(type.getElementType());
  if (place.blocks || place.otherBlock) e.state().touchesOtherCtas = true;
  return place;
}

namespace {

llvm::Type* wordVector(llvm::Type* word, size_t count) {
  return count == 1 ? word : llvm::FixedVectorType::get(word, static_cast<unsigned>(count));
}

} // namespace

llvm::SmallVector<uint64_t> differences(uint64_t mask) {
  llvm::SmallVector<uint64_t> found{0};
  while (found.back() != mask)
    found.push_back((found.back() - mask) & mask); // the next larger part of the mask
  return found;
}

// One access of a thread.
static void store(FunctionEmitter& e, const SharedPlace& place, Registers values,
                  llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
  RegisterList chosen;
  for (unsigned number : registers)
    chosen.push_back(values[number]);
  RegisterList words = pack(e, chosen);
  llvm::Value* whole = words.front();
  if (words.size() > 1) {
    whole = llvm::PoisonValue::get(wordVector(whole->getType(), words.size()));
    for (auto [k, word] : llvm::enumerate(words))
      whole = e.b.CreateInsertElement(whole, word, k);
  }
  e.b.CreateAlignedStore(
      whole, address, llvm::Align(std::max<size_t>(1, registers.size() * place.elementBits / 8)));
}

void storeShared(FunctionEmitter& e, const SharedPlace& place, Registers values,
                 OnlyOffsets onlyOffsets) {
  if (e.target().storeMatrices(e, place, values, onlyOffsets)) return;
  forEachAccess(
      e, place,
      [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
        store(e, place, values, address, registers);
      },
      onlyOffsets);
}

// Where instructions have predicates, those of single words take them: values that live on would
// cost more registers if they went from one block to another. Wider ones are worth a branch.
void storeSharedWhere(FunctionEmitter& e, const SharedPlace& place, Registers values,
                      llvm::Value* predicate) {
  struct Access {
    llvm::Value* address;
    llvm::SmallVector<unsigned> registers;
  };
  llvm::SmallVector<Access> accesses;
  forEachAccess(e, place, [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
    accesses.push_back({address, llvm::SmallVector<unsigned>(registers)});
  });
  bool areWords = llvm::all_of(accesses, [&](const Access& access) {
    return access.registers.size() * place.elementBits == 32;
  });
  if (areWords && e.target().traits().hasPredicates) {
    for (const Access& access : accesses) {
      RegisterList chosen;
      for (unsigned number : access.registers)
        chosen.push_back(values[number]);
      llvm::Value* word = e.b.CreateBitCast(pack(e, chosen).front(), e.b.getInt32Ty());
      e.target().storeShared(e, predicate, access.address, word);
    }
    return;
  }
  llvm::BasicBlock *write = e.newBlock("store"), *after = e.newBlock("stored");
  e.b.CreateCondBr(predicate, write, after);
  e.b.SetInsertPoint(write);
  for (const Access& access : accesses)
    store(e, place, values, access.address, access.registers);
  e.b.CreateBr(after);
  e.b.SetInsertPoint(after);
}

void loadShared(FunctionEmitter& e, const SharedPlace& place, llvm::Type* element,
                llvm::MutableArrayRef<llvm::Value*> values, OnlyOffsets onlyOffsets) {
  if (e.target().loadMatrices(e, place, element, values, onlyOffsets)) return;
  forEachAccess(
      e, place,
      [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
        unsigned bits = static_cast<unsigned>(registers.size()) * place.elementBits;
        unsigned wordBits = std::min(bits, 32u);
        llvm::Type* word = e.b.getIntNTy(wordBits);
        llvm::Value* whole = e.b.CreateAlignedLoad(wordVector(word, bits / wordBits), address,
                                                   llvm::Align(bits / 8));
        RegisterList words;
        for (unsigned k = 0; k < bits / wordBits; ++k)
          words.push_back(bits == wordBits ? whole : e.b.CreateExtractElement(whole, k));
        for (auto [number, value] : llvm::zip(
                 registers, unpack(e, words, element, static_cast<unsigned>(registers.size()))))
          values[number] = value;
      },
      onlyOffsets);
}

namespace {

bool allocate(FunctionEmitter& e, mlir::Operation* op) {
  auto alloc = mlir::cast<ttg::LocalAllocOp>(op);
  RegisterList registers{e.sharedAddress(e.memory().of(op)->offset)};
  registers.append(alloc.getType().getRank(), e.i32(0));
  e.set(alloc, registers);
  if (!alloc.getSrc()) return true;
  auto place = placeIn(e, op, e.layoutOf(alloc.getSrc().getType()), alloc.getResult());
  if (!place) return false;
  storeShared(e, *place, e.get(alloc.getSrc()));
  return true;
}

bool deallocate(FunctionEmitter&, mlir::Operation*) {
  return true;
}

bool store(FunctionEmitter& e, mlir::Operation* op) {
  auto store = mlir::cast<ttg::LocalStoreOp>(op);
  auto place = placeIn(e, op, e.layoutOf(store.getSrc().getType()), store.getDst());
  if (!place) return false;
  storeShared(e, *place, e.get(store.getSrc()));
  return true;
}

bool load(FunctionEmitter& e, mlir::Operation* op) {
  auto load = mlir::cast<ttg::LocalLoadOp>(op);
  auto place = placeIn(e, op, e.layoutOf(load.getType()), load.getSrc());
  if (!place) return false;
  RegisterList values(e.registerCount(load.getType()));
  loadShared(e, *place, e.elementType(load.getType()), values);
  e.set(load, values);
  return true;
}

bool barrier(FunctionEmitter& e, mlir::Operation*) {
  e.barrier();
  return true;
}

bool warpId(FunctionEmitter& e, mlir::Operation* op) {
  e.set(op->getResult(0), e.warp());
  return true;
}

} // namespace

llvm::ArrayRef<OpRow> sharedMemoryOps() {
  static constexpr OpRow rows[] = {
      {"ttg.local_alloc", allocate}, {"ttg.local_dealloc", deallocate}, {"ttg.local_store", store},
      {"ttg.local_load", load},      {"ttg.barrier", barrier},          {"gpu.barrier", barrier},
      {"ttg.warp_id", warpId},
  };
  return rows;
}

} // namespace gluond::lowering
