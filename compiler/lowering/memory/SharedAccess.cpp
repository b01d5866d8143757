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

SharedAddresses::SharedAddresses(FunctionEmitter& e, const SharedPlace& place)
    : e_(e), place_(place), bytes_(std::max(1u, place.elementBits / 8)),
      reached_(place.offsets.outputMask({Dim::Lane, Dim::Warp}, Dim::Offset)),
      here_(e.applyHere(place.offsets, e.i32(0)).front()) {
  if (place.offsets.hasIn(Dim::Block))
    reached_ |= place.offsets.outputMask({Dim::Block}, Dim::Offset);
  if (place.view) {
    auto* known = llvm::dyn_cast<llvm::ConstantInt>(place.view);
    if (!known || !known->isZero()) here_ = e.b.CreateXor(here_, place.view);
    reached_ |= known ? known->getZExtValue() : ~uint64_t(0);
  }
  hereBytes_ = e.b.CreateMul(here_, e.i32(bytes_));
  hereAddress_ = e.b.CreateGEP(e.b.getInt8Ty(), place.base, hereBytes_);
  if (!place.blocks && !place.otherBlock) return;
  blockHere_ = place.blocks ? e.applyHere(*place.blocks, e.i32(0)).front() : e.block();
  if (place.otherBlock) blockHere_ = e.b.CreateXor(blockHere_, place.otherBlock);
}

llvm::Value* SharedAddresses::flipped(uint64_t bits) const {
  auto moved = [&](llvm::Value* offset) {
    return e_.b.CreateGEP(e_.b.getInt8Ty(), place_.base, offset);
  };
  if (place_.padding) {
    llvm::Value* element = bits ? e_.b.CreateXor(here_, e_.i32(static_cast<int64_t>(bits))) : here_;
    return moved(e_.b.CreateMul(padded(e_, place_.padding, element), e_.i32(bytes_)));
  }
  if (!bits) return hereAddress_;
  return moved(e_.b.CreateXor(hereBytes_, e_.i32(static_cast<int64_t>(bits) * bytes_)));
}

// Bits that no thread reaches are added, which costs nothing; the others make few different
// addresses.
llvm::Value* SharedAddresses::at(uint64_t offset, uint64_t block) {
  llvm::Value*& from = flippedAddresses_[{offset & reached_, block}];
  if (!from) {
    from = flipped(offset & reached_);
    if (blockHere_) {
      llvm::Value* other = e_.b.CreateXor(blockHere_, e_.i32(static_cast<int64_t>(block)));
      from = e_.inBlock(from, other);
    }
  }
  auto added = static_cast<int64_t>(offset & ~reached_);
  if (place_.padding) added = padded(place_.padding, added);
  return e_.b.CreateGEP(e_.b.getInt8Ty(), from, e_.i32(added * bytes_));
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
  SharedAddresses addresses(e, place);
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
    // Repetitions use the same memory: their bits are no part of the address.
    uint64_t within = onlyOffsets ? offset & ~onlyOffsets->first : offset;
    access(addresses.at(within, blockOf(registers.front())), registers);
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
// The chosen values as one value of words, or of `type` in place of these.
static llvm::Value* chosenWords(FunctionEmitter& e, Registers values,
                                llvm::ArrayRef<unsigned> registers, llvm::Type* type = nullptr) {
  RegisterList chosen;
  for (unsigned number : registers)
    chosen.push_back(values[number]);
  RegisterList words = pack(e, chosen);
  if (type)
    for (llvm::Value*& word : words)
      word = e.b.CreateBitCast(word, type);
  llvm::Value* whole = words.front();
  if (words.size() > 1) {
    whole = llvm::PoisonValue::get(wordVector(whole->getType(), words.size()));
    for (auto [k, word] : llvm::enumerate(words))
      whole = e.b.CreateInsertElement(whole, word, k);
  }
  return whole;
}

static void store(FunctionEmitter& e, const SharedPlace& place, Registers values,
                  llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
  e.b.CreateAlignedStore(
      chosenWords(e, values, registers), address,
      llvm::Align(std::max<size_t>(1, registers.size() * place.elementBits / 8)));
}

namespace {

struct Access {
  llvm::Value* address;
  llvm::SmallVector<unsigned> registers;
};

llvm::SmallVector<Access> accessesOf(FunctionEmitter& e, const SharedPlace& place,
                                     OnlyOffsets onlyOffsets = {}) {
  llvm::SmallVector<Access> accesses;
  auto add = [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
    accesses.push_back({address, llvm::SmallVector<unsigned>(registers)});
  };
  forEachAccess(e, place, add, onlyOffsets);
  return accesses;
}

// Puts stores next to each other that one instruction can make: others between them, to addresses
// that may be the same, would keep LLVM from merging them.
void pair(FunctionEmitter& e, const SharedPlace& place, llvm::SmallVector<Access>& accesses) {
  auto* together = e.target().traits().storesTogether;
  if (!together || accesses.empty()) return;
  struct Known {
    const llvm::Value* base;
    int64_t offset;
    bool isTaken = false;
  };
  const llvm::DataLayout& data = e.state().module.getDataLayout();
  llvm::SmallVector<Known> known;
  for (const Access& access : accesses) {
    llvm::APInt offset(data.getIndexTypeSizeInBits(access.address->getType()), 0);
    auto* base = access.address->stripAndAccumulateConstantOffsets(data, offset, true);
    known.push_back({base, offset.getSExtValue()});
  }
  auto bytes = static_cast<int64_t>(accesses.front().registers.size() * place.elementBits / 8);
  llvm::SmallVector<Access> ordered;
  auto take = [&](size_t i) {
    known[i].isTaken = true;
    ordered.push_back(std::move(accesses[i]));
  };
  for (size_t i = 0; i < accesses.size(); ++i) {
    if (known[i].isTaken) continue;
    take(i);
    for (size_t k = i + 1; k < accesses.size(); ++k)
      if (!known[k].isTaken && known[k].base == known[i].base &&
          together(bytes, known[k].offset - known[i].offset)) {
        take(k);
        break;
      }
  }
  accesses = std::move(ordered);
}

} // namespace

void storeShared(FunctionEmitter& e, const SharedPlace& place, Registers values,
                 OnlyOffsets onlyOffsets) {
  if (e.target().storeMatrices(e, place, values, onlyOffsets)) return;
  if (!e.target().traits().storesTogether) {
    forEachAccess(
        e, place,
        [&](llvm::Value* address, llvm::ArrayRef<unsigned> registers) {
          store(e, place, values, address, registers);
        },
        onlyOffsets);
    return;
  }
  llvm::SmallVector<Access> accesses = accessesOf(e, place, onlyOffsets);
  pair(e, place, accesses);
  for (const Access& access : accesses)
    store(e, place, values, access.address, access.registers);
}

void storeSharedWhere(FunctionEmitter& e, const SharedPlace& place, Registers values,
                      llvm::Value* predicate, bool isInLoop) {
  llvm::SmallVector<Access> accesses = accessesOf(e, place);
  bool areWords = llvm::all_of(accesses, [&](const Access& access) {
    size_t bits = access.registers.size() * place.elementBits;
    return place.elementBits <= 32 && (isInLoop ? bits == 32 : bits % 32 == 0);
  });
  if (areWords && e.target().traits().hasPredicates) {
    for (const Access& access : accesses)
      e.target().storeShared(e, predicate, access.address,
                             chosenWords(e, values, access.registers, e.b.getInt32Ty()));
    return;
  }
  pair(e, place, accesses);
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

llvm::Align ownAlignment(FunctionEmitter& e, llvm::Type* element) {
  return llvm::Align(e.state().module.getDataLayout().getTypeStoreSize(element));
}

} // namespace gluond::lowering
