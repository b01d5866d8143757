// The tensor data mover of gfx1250: copies of blocks between global and shared memory.
//
// A descriptor is a vector of words: whether it copies, the address, the sizes of the tensor that
// begins there and its strides, outermost dimension first. The instruction's own words are made for
// each copy. The warps of a CTA share a block: each copies some of the outermost rows.
#include "ir/amdg/Ops.h"
#include "ir/ttg/Ops.h"
#include "lowering/amd/Instructions.h"
#include "lowering/memory/SharedAccess.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::amd {

namespace {

namespace In = llvm::Intrinsic;

constexpr unsigned mostDims = 5, sizesAt = 3, stridesAt = sizesAt + mostDims;
static_assert(stridesAt + 2 * mostDims <= descriptorWords);

struct Descriptor {
  llvm::Value *predicate, *address; // i32, i64
  RegisterList sizes, strides;      // i32, i64
};

llvm::Value* joined(Emitter& e, llvm::Value* low, llvm::Value* high) {
  llvm::Type* i64 = e.b.getInt64Ty();
  return e.b.CreateOr(e.b.CreateZExt(low, i64), e.b.CreateShl(e.b.CreateZExt(high, i64), 32));
}
llvm::Value* lowOf(Emitter& e, llvm::Value* wide) {
  return e.b.CreateTrunc(wide, e.b.getInt32Ty());
}
llvm::Value* highOf(Emitter& e, llvm::Value* wide) {
  return lowOf(e, e.b.CreateLShr(wide, 32));
}

Descriptor unpacked(Emitter& e, mlir::Value value) {
  llvm::Value* words = e.scalar(value);
  auto word = [&](unsigned i) { return e.b.CreateExtractElement(words, i); };
  Descriptor made{word(0), joined(e, word(1), word(2)), {}, {}};
  size_t rank = mlir::cast<tt::TensorDescInterface>(value.getType()).getShape().size();
  for (unsigned i = 0; i < rank; ++i) {
    made.sizes.push_back(word(sizesAt + i));
    made.strides.push_back(joined(e, word(stridesAt + 2 * i), word(stridesAt + 2 * i + 1)));
  }
  return made;
}

llvm::Value* packed(Emitter& e, const Descriptor& descriptor) {
  RegisterList words(descriptorWords, e.i32(0));
  words[0] = descriptor.predicate;
  words[1] = lowOf(e, descriptor.address);
  words[2] = highOf(e, descriptor.address);
  for (auto [i, size] : llvm::enumerate(descriptor.sizes))
    words[sizesAt + i] = size;
  for (auto [i, stride] : llvm::enumerate(descriptor.strides)) {
    words[stridesAt + 2 * i] = lowOf(e, stride);
    words[stridesAt + 2 * i + 1] = highOf(e, stride);
  }
  return vectorOf(e, words);
}

unsigned elementBytesOf(Emitter& e, mlir::Type descriptor) {
  auto type = mlir::cast<tt::TensorDescInterface>(descriptor);
  return e.memoryBits(type.getBlockType().getElementType()) / 8;
}

bool needsTdm(Emitter& e, mlir::Operation* op) {
  return generationOf(e) == Generation::Cdna5 ||
         e.fail(op, "tensor descriptors need gfx1250 on AMD GPUs");
}

bool make(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<tt::MakeTensorDescOp>(operation);
  if (!needsTdm(e, op)) return false;
  if (op.getShape().size() > mostDims || op.getPadding() != tt::PaddingOption::PAD_ZERO)
    return e.fail(op, "gluond cannot compile this tensor descriptor for this target");
  Descriptor made{e.i32(1), e.b.CreatePtrToInt(e.scalar(op.getBase()), e.b.getInt64Ty()), {}, {}};
  for (auto [size, stride] : llvm::zip(op.getShape(), op.getStrides())) {
    made.sizes.push_back(e.scalar(size));
    made.strides.push_back(e.scalar(stride));
  }
  e.set(op.getResult(), packed(e, made));
  return true;
}

llvm::Value* atLeastZero(Emitter& e, llvm::Value* value) {
  return e.b.CreateBinaryIntrinsic(In::smax, value, e.i32(0));
}

// Moves the beginning of the tensor by `offset` along a dimension.
void advance(Emitter& e, Descriptor& descriptor, size_t dim, llvm::Value* offset, unsigned bytes,
             bool shrinks) {
  llvm::Value* distance = e.b.CreateMul(e.b.CreateSExt(offset, e.b.getInt64Ty()),
                                        e.b.CreateMul(descriptor.strides[dim], e.i64(bytes)));
  descriptor.address = e.b.CreateAdd(descriptor.address, distance);
  if (shrinks) descriptor.sizes[dim] = atLeastZero(e, e.b.CreateSub(descriptor.sizes[dim], offset));
}

bool update(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::UpdateTensorDescriptorOp>(operation);
  Descriptor made = unpacked(e, op.getDesc());
  unsigned bytes = elementBytesOf(e, op.getDesc().getType());
  for (auto [dim, value] : llvm::enumerate(op.getAddOffsets())) {
    llvm::Value* offset = e.scalar(value);
    advance(e, made, dim, offset, bytes, op.getClampBounds());
    // Nothing lies before the tensor.
    if (op.getClampBounds())
      made.sizes[dim] =
          e.b.CreateSelect(e.b.CreateICmpSLT(offset, e.i32(0)), e.i32(0), made.sizes[dim]);
  }
  for (auto [dim, value] : llvm::enumerate(op.getSetBounds()))
    made.sizes[dim] = e.scalar(value);
  if (op.getPred()) made.predicate = e.scalar(op.getPred());
  e.set(op.getResult(), packed(e, made));
  return true;
}

// Fields of the instruction's operands, by their first bit within them. Each is written once.
class Words {
public:
  Words(Emitter& e, unsigned count) : e_(e), words_(count, e.i32(0)) {}
  void set(unsigned bit, unsigned width, llvm::Value* value) {
    llvm::Type* i64 = e_.b.getInt64Ty();
    value = e_.b.CreateZExtOrTrunc(value, i64);
    value = e_.b.CreateAnd(value,
                           e_.i64(static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(width))));
    unsigned first = bit / 32, shift = bit % 32;
    for (unsigned done = 0, word = first; done < shift + width; done += 32, ++word) {
      llvm::Value* part =
          done >= shift ? e_.b.CreateLShr(value, done - shift) : e_.b.CreateShl(value, shift);
      words_[word] = e_.b.CreateOr(words_[word], lowOf(e_, part));
    }
  }
  void set(unsigned bit, unsigned width, uint64_t value) {
    set(bit, width, e_.i64(static_cast<int64_t>(value)));
  }
  llvm::Value* group(unsigned first, unsigned count) const {
    return vectorOf(e_, Registers(words_).slice(first, count));
  }

private:
  Emitter& e_;
  RegisterList words_;
};

// Whether elements lie in the buffer of a CTA, whose part of the tensor is `part`, row by row,
// padding aside.
bool isRowMajor(const LinearLayout& layout, llvm::ArrayRef<int64_t> part) {
  llvm::SmallVector<uint64_t> expected;
  for (size_t i = layout.outs().size(); i-- > 0;)
    for (int64_t size = 1; size < part[i]; size *= 2)
      expected.push_back(static_cast<uint64_t>(size) << layout.outShift(layout.outs()[i].dim));
  return layout.columns(Dim::Offset).take_front(expected.size()) == llvm::ArrayRef(expected) &&
         layout.columns(Dim::Offset).size() == expected.size();
}

// How the CTAs of a cluster divide a tensor: the extents of a CTA's part, where it begins, and
// which CTAs have the same part.
struct Division {
  llvm::SmallVector<int64_t> part;
  RegisterList begin;             // i32; null: at 0
  llvm::Value* sharers = nullptr; // i32, a bit for each CTA; null: every CTA has its own part
};

Division divided(Emitter& e, const LinearLayout& layout, llvm::ArrayRef<int64_t> shape) {
  Division made{llvm::SmallVector<int64_t>(shape), RegisterList(shape.size(), nullptr), nullptr};
  if (e.state().ctas == 1 || !layout.hasIn(Dim::Block)) return made;
  llvm::Value* cta = e.target().blockOfCluster(e);
  uint32_t copies = 0; // bits of the CTA's number that do not matter
  for (unsigned bit = 0; bit < layout.inBits(Dim::Block); ++bit) {
    bool matters = false;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int32_t basis = layout.basis(Dim::Block, bit, layout::tensorDim(static_cast<unsigned>(dim)));
      if (!basis) continue;
      matters = true;
      made.part[dim] /= 2;
      llvm::Value* isUpper = e.b.CreateAnd(e.b.CreateLShr(cta, bit), e.i32(1));
      llvm::Value* distance = e.b.CreateMul(isUpper, e.i32(basis));
      made.begin[dim] = made.begin[dim] ? e.b.CreateAdd(made.begin[dim], distance) : distance;
    }
    if (!matters) copies |= 1u << bit;
  }
  if (!copies) return made;
  uint32_t group = 0;
  for (uint32_t number = 0; number < e.state().ctas; ++number)
    if (!(number & ~copies)) group |= 1u << number;
  llvm::Value* first = e.b.CreateAnd(cta, e.i32(static_cast<int32_t>(~copies)));
  made.sharers = e.b.CreateShl(e.i32(static_cast<int32_t>(group)), first);
  return made;
}

bool copy(Emitter& e, mlir::Operation* op, mlir::Value descriptorValue, mlir::Value buffer,
          mlir::Value barrier, std::optional<int64_t> warpsUsed, bool isLoad) {
  if (!needsTdm(e, op)) return false;
  auto refuse = [&](llvm::StringRef why) {
    return e.fail(op, "gluond cannot compile this copy by tensor descriptor: " + why);
  };
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  llvm::ArrayRef<int64_t> shape =
      mlir::cast<tt::TensorDescInterface>(descriptorValue.getType()).getShape();
  unsigned rank = static_cast<unsigned>(shape.size()),
           bytes = elementBytesOf(e, descriptorValue.getType());
  if (!llvm::equal(shape, type.getShape().take_back(rank)) || type.getRank() != rank)
    return refuse("its block has another shape than the buffer");
  LinearLayout layout = bufferLayout(type);
  Division division = divided(e, layout, shape);
  llvm::ArrayRef<int64_t> block = division.part;
  auto* begin = llvm::dyn_cast<llvm::ConstantInt>(e.viewOffset(buffer));
  // A view that partitions capture has an offset that is known at run time only; it is one of a
  // whole buffer where no part of it was taken.
  bool isWhole =
      llvm::equal(shape, type.getAllocShape().take_back(rank)) || (begin && begin->isZero());
  if (!isRowMajor(layout, block) || !isWhole)
    return refuse("the buffer does not hold it row by row");

  // Each of the warps that take part has some of the outermost rows.
  unsigned warps = e.group().warps;
  llvm::Value *warp = e.warp(), *takesPart = e.i32(1);
  // A block with fewer rows keeps some warps idle; a barrier would miss them.
  bool hasFewRows = block[0] < warps && llvm::isPowerOf2_64(static_cast<uint64_t>(block[0]));
  if (!warpsUsed && !barrier && hasFewRows) warpsUsed = (int64_t(1) << block[0]) - 1;
  if (warpsUsed) {
    auto mask = static_cast<uint64_t>(*warpsUsed);
    if (!llvm::isPowerOf2_64(mask + 1) || llvm::popcount(mask) > static_cast<int>(warps))
      return refuse("only the first warps, a power of two of them, can be used");
    warps = static_cast<unsigned>(llvm::popcount(mask));
    if (!llvm::isPowerOf2_32(warps)) return refuse("the number of warps is no power of two");
    takesPart = e.b.CreateZExt(e.b.CreateICmpULT(warp, e.i32(warps)), e.b.getInt32Ty());
    warp = e.b.CreateAnd(warp, e.i32(warps - 1));
  }
  if (block[0] % warps) return refuse("its rows cannot be divided among the warps");
  llvm::SmallVector<int64_t> part(block);
  part[0] /= warps;
  int64_t elements = 1;
  for (int64_t size : part)
    elements *= size;
  ttg::PaddedSharedEncodingAttr padding = ttg::getPaddedEncoding(type.getEncoding());
  int64_t interval = 0, amount = 0;
  if (padding) {
    if (padding.getIntervals().size() != 1) return refuse("its padding has several intervals");
    interval = padding.getIntervals()[0];
    amount = padding.getPaddings()[0];
    if (elements % interval || interval * bytes % 8 || amount * bytes % 4 ||
        (!isLoad && interval != block.back()))
      return refuse("its padding is not at the ends of rows, or no multiple of 4 bytes");
  }

  Descriptor whole = unpacked(e, descriptorValue);
  for (unsigned i = 0; i < rank; ++i)
    if (division.begin[i]) advance(e, whole, i, division.begin[i], bytes, /*shrinks=*/true);
  llvm::Value* firstRow = e.b.CreateMul(warp, e.i32(part[0]));
  advance(e, whole, 0, firstRow, bytes, /*shrinks=*/true);
  for (unsigned i = 1; i < rank; ++i)
    whole.sizes[i] = atLeastZero(e, whole.sizes[i]);
  int64_t partBytes = elements * bytes;
  if (padding) partBytes += elements / interval * amount * bytes;
  llvm::Value* place =
      e.b.CreateGEP(e.b.getInt8Ty(), e.viewBase(buffer), e.b.CreateMul(warp, e.i32(partBytes)));

  // Dimension 0 is the innermost from here on.
  auto size = [&](unsigned i) { return whole.sizes[rank - 1 - i]; };
  auto stride = [&](unsigned i) { return whole.strides[rank - 1 - i]; };
  auto tile = [&](unsigned i) { return static_cast<uint64_t>(part[rank - 1 - i]); };
  Words first(e, 4), second(e, 8), third(e, 4), fourth(e, 4);
  first.set(0, 1, e.b.CreateAnd(whole.predicate, takesPart));
  first.set(32, 32, e.b.CreatePtrToInt(place, e.b.getInt32Ty()));
  first.set(64, 57, whole.address);
  first.set(126, 2, uint64_t(2)); // what kind of descriptor it is
  if (division.sharers && isLoad) second.set(0, 16, division.sharers);
  second.set(16, 2, uint64_t(llvm::Log2_32(bytes)));
  if (barrier) {
    second.set(18, 1, uint64_t(1));
    second.set(32, 16,
               e.b.CreateLShr(e.b.CreatePtrToInt(e.viewBase(barrier), e.b.getInt32Ty()), 3));
  }
  llvm::Value* innermost = size(0);
  uint64_t innermostTile = tile(0);
  if (padding && isLoad) {
    second.set(20, 1, uint64_t(1));
    second.set(22, 3, uint64_t(llvm::Log2_64(static_cast<uint64_t>(interval * bytes / 4))) - 1);
    second.set(25, 7, static_cast<uint64_t>(amount * bytes / 4) - 1);
  } else if (padding) { // padding is read with the rows, and lies beyond the tensor
    innermostTile += static_cast<uint64_t>(amount);
    innermost = e.b.CreateBinaryIntrinsic(In::umin, innermost, e.i32(part.back()));
  }
  second.set(48, 32, innermost);
  second.set(112, 16, innermostTile);
  if (rank > 1) {
    second.set(80, 32, size(1));
    second.set(128, 16, tile(1));
    second.set(160, 48, stride(1));
  }
  if (rank > 2) {
    second.set(144, 16, tile(2));
    second.set(208, 48, stride(2));
    third.set(0, 32, size(2));
  }
  if (rank > 3) {
    third.set(32, 32, size(3));
    third.set(64, 48, stride(3));
    third.set(112, 16, tile(3));
  }
  if (rank > 4) {
    fourth.set(0, 48, stride(4));
    fourth.set(48, 32, size(4));
    fourth.set(80, 16, tile(4));
  }
  llvm::Value* none = e.i32(0);
  if (rank <= 2)
    e.intrinsic(isLoad ? In::amdgcn_tensor_load_to_lds_d2 : In::amdgcn_tensor_store_from_lds_d2, {},
                {first.group(0, 4), second.group(0, 8), none});
  else
    e.intrinsic(
        isLoad ? In::amdgcn_tensor_load_to_lds : In::amdgcn_tensor_store_from_lds, {},
        {first.group(0, 4), second.group(0, 8), third.group(0, 4), fourth.group(0, 4), none});
  return true;
}

bool load(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::AsyncTDMCopyGlobalToLocalOp>(operation);
  std::optional<int64_t> warps;
  if (auto hint = op.getWarpUsedHint()) warps = static_cast<uint32_t>(*hint);
  return copy(e, op, op.getDesc(), op.getResult(), op.getBarrier(), warps, true);
}

bool store(Emitter& e, mlir::Operation* operation) {
  auto op = mlir::cast<amdg::AsyncTDMCopyLocalToGlobalOp>(operation);
  return copy(e, op, op.getDesc(), op.getSrc(), op.getBarrier(), std::nullopt, false);
}

// Every copy is one instruction of each warp.
bool waitUntil(Emitter& e, int64_t inFlight) {
  e.intrinsic(In::amdgcn_s_wait_tensorcnt, {}, {e.b.getInt16(static_cast<uint16_t>(inFlight))});
  return true;
}
bool wait(Emitter& e, mlir::Operation* op) {
  return waitUntil(e, mlir::cast<amdg::AsyncTDMWait>(op).getNum());
}
bool waitForInstructions(Emitter& e, mlir::Operation* op) {
  return waitUntil(e, mlir::cast<amdg::AsyncTDMIntrinsicWait>(op).getCount());
}

// Only the cache would know.
bool prefetch(Emitter& e, mlir::Operation* op) {
  return op->getNumResults() == 0 ||
         e.fail(op, "gluond cannot compile a prefetch that gives its offsets");
}

} // namespace

llvm::ArrayRef<OpRow> tdmOps() {
  static constexpr OpRow rows[] = {
      {"tt.make_tensor_descriptor", make},
      {"amdg.update_tensor_descriptor", update},
      {"amdg.async_tdm_copy_global_to_local", load},
      {"amdg.async_tdm_copy_local_to_global", store},
      {"amdg.async_tdm_wait", wait},
      {"amdg.async_tdm_intrinsic_wait", waitForInstructions},
      {"amdg.tdm_prefetch", prefetch},
  };
  return rows;
}

} // namespace gluond::lowering::amd
