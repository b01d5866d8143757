// Instructions of the tensor data mover, and the boxes that they can copy.
#include "chips/TdmDescriptorBits.h"
#include "ir/ttg/Ops.h"
#include "lowering/amd/Tdm.h"

#include <llvm/IR/IntrinsicsAMDGPU.h>
#include <llvm/Support/MathExtras.h>

namespace gluond::lowering::amd {

namespace {

namespace tdm = chips::tdm;
namespace In = llvm::Intrinsic;

// The words of an instruction. Each part is written once.
class Words {
public:
  Words(FunctionEmitter& e, unsigned count) : e_(e), words_(count, e.i32(0)) {}
  void set(tdm::Bits bits, llvm::Value* value) {
    llvm::Type* i64 = e_.b.getInt64Ty();
    value = e_.b.CreateZExtOrTrunc(value, i64);
    value = e_.b.CreateAnd(
        value, e_.i64(static_cast<int64_t>(llvm::maskTrailingOnes<uint64_t>(bits.width))));
    unsigned first = bits.first / 32, shift = bits.first % 32;
    for (unsigned done = 0, word = first; done < shift + bits.width; done += 32, ++word) {
      llvm::Value* part =
          done >= shift ? e_.b.CreateLShr(value, done - shift) : e_.b.CreateShl(value, shift);
      words_[word] = e_.b.CreateOr(words_[word], e_.b.CreateTrunc(part, e_.b.getInt32Ty()));
    }
  }
  void set(tdm::Bits bits, uint64_t value) { set(bits, e_.i64(static_cast<int64_t>(value))); }
  TensorWords take() { return std::move(words_); }

private:
  FunctionEmitter& e_;
  TensorWords words_;
};

} // namespace

int64_t Boxes::elements() const {
  int64_t count = 1;
  for (int64_t extent : extents)
    count *= extent;
  return count;
}

std::optional<Boxes> boxesOf(const LinearLayout& layout, llvm::ArrayRef<int64_t> part) {
  Boxes made{llvm::SmallVector<int64_t>(part.size(), 1), {}};
  llvm::SmallVector<int64_t> reached(part.size(), 1);
  size_t dim = part.size() - 1; // that grows
  bool grows = true;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Offset); ++bit) {
    std::optional<Boxes::Bit> found;
    for (unsigned d = 0; d < part.size(); ++d)
      if (int32_t distance = layout.basis(Dim::Offset, bit, layout::tensorDim(d))) {
        if (found) return std::nullopt; // swizzled
        found = Boxes::Bit{d, distance, int64_t(1) << bit};
      }
    if (!found || found->distance >= part[found->dim]) return std::nullopt;
    reached[found->dim] *= 2;
    grows = grows && found->dim <= dim && found->distance == made.extents[found->dim];
    if (grows) {
      dim = found->dim;
      made.extents[dim] *= 2;
    } else {
      made.others.push_back(*found);
    }
  }
  if (llvm::ArrayRef<int64_t>(reached) != part) return std::nullopt;
  return made;
}

void halve(Boxes& boxes) {
  int64_t elements = boxes.elements();
  auto* outermost = llvm::find_if(boxes.extents, [](int64_t extent) { return extent > 1; });
  *outermost /= 2;
  boxes.others.insert(
      boxes.others.begin(),
      {static_cast<unsigned>(outermost - boxes.extents.begin()), *outermost, elements / 2});
}

llvm::SmallVector<int64_t> partOfCta(FunctionEmitter& e, const LinearLayout& layout,
                                     llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t> part(shape);
  if (e.state().ctas == 1 || !layout.hasIn(Dim::Block)) return part;
  for (unsigned bit = 0; bit < layout.inBits(Dim::Block); ++bit)
    for (unsigned dim = 0; dim < shape.size(); ++dim)
      if (layout.basis(Dim::Block, bit, layout::tensorDim(dim))) part[dim] /= 2;
  return part;
}

Division divided(FunctionEmitter& e, const LinearLayout& layout, llvm::ArrayRef<int64_t> shape) {
  Division made{partOfCta(e, layout, shape), RegisterList(shape.size(), nullptr), nullptr};
  if (e.state().ctas == 1 || !layout.hasIn(Dim::Block)) return made;
  llvm::Value* cta = e.target().blockOfCluster(e);
  uint32_t copies = 0; // bits of the CTA's number that do not matter
  for (unsigned bit = 0; bit < layout.inBits(Dim::Block); ++bit) {
    bool matters = false;
    for (size_t dim = 0; dim < shape.size(); ++dim) {
      int32_t basis = layout.basis(Dim::Block, bit, layout::tensorDim(static_cast<unsigned>(dim)));
      if (!basis) continue;
      matters = true;
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

void advance(FunctionEmitter& e, TensorDescriptor& descriptor, const Division& division,
             unsigned bytes) {
  for (auto [dim, begin] : llvm::enumerate(division.begin))
    if (begin) advance(e, descriptor, dim, begin, bytes, /*shrinks=*/true);
}

bool refuseCopy(FunctionEmitter& e, mlir::Operation* op, llvm::StringRef why) {
  return e.fail(op, "gluond cannot compile this copy by tensor descriptor: " + why);
}

std::optional<RowPadding> paddingOf(FunctionEmitter& e, mlir::Operation* op,
                                    ttg::MemDescType buffer) {
  ttg::PaddedSharedEncodingAttr padding = ttg::getPaddedEncoding(buffer.getEncoding());
  if (!padding) return RowPadding{};
  if (padding.getIntervals().size() != 1) {
    refuseCopy(e, op, "its padding has several intervals");
    return std::nullopt;
  }
  return RowPadding{padding.getIntervals()[0], padding.getPaddings()[0]};
}

bool isWholeBuffer(FunctionEmitter& e, mlir::Operation* op, mlir::Value buffer,
                   llvm::ArrayRef<int64_t> block) {
  auto type = mlir::cast<ttg::MemDescType>(buffer.getType());
  size_t rank = block.size();
  if (type.getShape().size() != rank || !llvm::equal(block, type.getShape()))
    return refuseCopy(e, op, "its block has another shape than the buffer");
  // A view that partitions capture has an offset that is known at run time only; it is one of a
  // whole buffer where no part of it was taken.
  auto* begin = llvm::dyn_cast<llvm::ConstantInt>(e.viewOffset(buffer));
  return llvm::equal(block, type.getAllocShape().take_back(rank)) || (begin && begin->isZero()) ||
         refuseCopy(e, op, "the buffer is a part of another");
}

TensorWords wordsOf(FunctionEmitter& e, const TensorCopy& copy) {
  size_t rank = copy.box.size();
  Words made(e, copy.rowCount ? tdm::wordsOfAll : tdm::wordsOf(rank));
  // Dimension 0 is the innermost from here on.
  auto size = [&](size_t i) { return copy.tensor.sizes[rank - 1 - i]; };
  auto stride = [&](size_t i) { return copy.tensor.strides[rank - 1 - i]; };
  auto extent = [&](size_t i) { return static_cast<uint64_t>(copy.box[rank - 1 - i]); };
  made.set(tdm::predicate, copy.tensor.predicate);
  if (copy.rowCount) {
    made.set(tdm::hasLongIndices, uint64_t(!copy.areShort));
    made.set(tdm::isGather, uint64_t(1));
  }
  made.set(tdm::sharedAddress, e.b.CreatePtrToInt(copy.place, e.b.getInt32Ty()));
  made.set(tdm::globalAddress, copy.tensor.address);
  made.set(tdm::type, uint64_t(2));
  if (copy.sharers && copy.isLoad) made.set(tdm::sharers, copy.sharers);
  made.set(tdm::elementSize, uint64_t(llvm::Log2_32(copy.elementBytes)));
  if (copy.barrier) {
    made.set(tdm::hasBarrier, uint64_t(1));
    made.set(tdm::barrier, e.b.CreateLShr(e.b.CreatePtrToInt(copy.barrier, e.b.getInt32Ty()), 3));
  }
  llvm::Value* innermost = size(0);
  uint64_t innermostExtent = extent(0);
  if (copy.padding.interval && copy.isLoad) {
    auto words = [&](int64_t elements) {
      return static_cast<uint64_t>(elements * copy.elementBytes / 4);
    };
    made.set(tdm::isPadded, uint64_t(1));
    made.set(tdm::interval, uint64_t(llvm::Log2_64(words(copy.padding.interval))) - 1);
    made.set(tdm::amount, words(copy.padding.amount) - 1);
  } else if (copy.padding.interval) { // padding is read with the rows, and lies beyond the tensor
    innermost = e.b.CreateBinaryIntrinsic(In::umin, innermost,
                                          e.i32(static_cast<int64_t>(innermostExtent)));
    innermostExtent += static_cast<uint64_t>(copy.padding.amount);
  }
  made.set(tdm::size[0], innermost);
  made.set(tdm::block[0], innermostExtent);
  for (size_t i = 1; i < rank; ++i) {
    made.set(tdm::size[i], size(i));
    if (i == 1 && copy.rowCount)
      made.set(tdm::block[i], copy.rowCount);
    else
      made.set(tdm::block[i], extent(i));
    made.set(tdm::stride[i], stride(i));
  }
  // The numbers of the rows are where the extents of further dimensions would be.
  if (copy.rowCount)
    for (auto [i, word] : llvm::enumerate(copy.rows))
      made.set(tdm::inGroup(tdm::thirdGroup, 32 * static_cast<unsigned>(i), 32), word);
  return made.take();
}

void issue(FunctionEmitter& e, const TensorWords& words, bool isLoad) {
  auto group = [&](unsigned first, unsigned count) {
    return vectorOf(e, Registers(words).slice(first, count));
  };
  llvm::Value* none = e.i32(0);
  if (words.size() == tdm::wordsOfTwoGroups)
    e.intrinsic(isLoad ? In::amdgcn_tensor_load_to_lds_d2 : In::amdgcn_tensor_store_from_lds_d2, {},
                {group(0, 4), group(tdm::secondGroup, 8), none});
  else
    e.intrinsic(isLoad ? In::amdgcn_tensor_load_to_lds : In::amdgcn_tensor_store_from_lds, {},
                {group(0, 4), group(tdm::secondGroup, 8), group(tdm::thirdGroup, 4),
                 group(tdm::fourthGroup, 4), none});
}

} // namespace gluond::lowering::amd
