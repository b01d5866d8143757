// Views of memory: index, subslice, transpose, reshape, reinterpret.
#include "ir/layouts/Layouts.h"
#include "ir/tt/Transposes.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Attributes.h"
#include "ir/ttng/TensorMemory.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SmallSet.h>

using namespace mlir;

namespace gluond::ttg {

using layout::Dim;
using layout::LinearLayout;

static int64_t product(ArrayRef<int64_t> shape) {
  return ShapedType::getNumElements(shape);
}

LogicalResult MemDescIndexOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (from.getElementType() != to.getElementType())
    return emitError("result element type must match desc element type");
  if (from.getEncoding() != to.getEncoding())
    return emitError("src and result must have the same encoding");
  if (from.getRank() != to.getRank() + 1) return emitError("result rank must be input rank - 1");
  if (from.getAllocShape().size() != from.getShape().size())
    return emitError("We don't allow taking memdesc_index of a memdesc_index");
  auto shape = dropPipeliningDim(from.getShape(), from.getEncoding());
  if (shape != to.getShape()) return emitError("result shape must equal to srcShape[1:]");
  if (dropPipeliningDim(from.getAllocShape(), from.getEncoding()) != shape)
    return emitError("We only support memdesc_index of a multibuffer-prefix subview");
  if (to.getAllocShape() != to.getShape())
    return emitError("alloc shape must match shape for the result");
  if (isa<ttng::TensorMemoryEncodingAttr>(from.getEncoding()) && from.getRank() != 3)
    return emitError("only 3D -> 2D subviews are supported for TensorMemoryEncodingAttr");
  return success();
}

// ---------------------------------------------------------------- subslice

OpFoldResult MemDescSubsliceOp::fold(FoldAdaptor) {
  // A box of a box: offsets add up.
  auto inner = getSrc().getDefiningOp<MemDescSubsliceOp>();
  if (!inner || inner.getOffsets().size() != getOffsets().size()) return {};
  SmallVector<int32_t> offsets;
  for (auto [a, b] : llvm::zip(inner.getOffsets(), getOffsets()))
    offsets.push_back(a + b);
  setOperand(inner.getSrc());
  setOffsets(offsets);
  return getResult();
}

LogicalResult MemDescSubsliceOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  Attribute encoding = from.getEncoding();
  if (from.getElementType() != to.getElementType())
    return emitError("result element type must match desc element type");
  if (encoding != to.getEncoding()) return emitError("src and result must have the same encoding");
  if (getOffsets().size() != from.getShape().size())
    return emitError("offsets must have the same rank as input");
  if (from.getRank() != to.getRank()) return emitError("result rank must equal to input rank");
  if (from.getAllocShape() != to.getAllocShape())
    return emitError("source and result must have the same allocation shape");
  if (!isa<SharedEncodingTrait>(encoding))
    return emitError("src and dst must both be of shared memory encoding");

  size_t layoutRank = dropPipeliningDim(from.getShape(), encoding).size(),
         prefix = from.getRank() - layoutRank;
  SmallVector<size_t> split;
  for (auto [i, offset, fromSize, toSize] :
       llvm::enumerate(getOffsets(), from.getShape(), to.getShape())) {
    if (fromSize == toSize) {
      if (offset != 0)
        return emitError("A non zero offset found in a dimension that is not being split");
      continue;
    }
    split.push_back(i);
    if (offset < 0 || offset > fromSize - toSize)
      return emitError("The split offset may not exceed the source shape");
    if (i >= prefix && (offset & (toSize - 1)))
      return emitError("The split offset may not touch the tile");
  }
  if (split.empty()) return success();

  if (auto padded = getPaddedEncoding(encoding); padded && padded.getRank() < from.getRank())
    return emitError(
        "SubSlice of low rank PaddedSharedEncoding from higher rank tensors is not supported yet");
  // A step to the next tile must be one step of the offset, or the swizzle would differ from tile
  // to tile.
  auto inverse = ir::toLinearLayout(from).pseudoInvert();
  if (!inverse) return emitError("We don't support splitting along the swizzling pattern");
  for (size_t i : split) {
    if (i < prefix) continue;
    for (int64_t step = to.getDimSize(i); step < from.getDimSize(i); step *= 2) {
      auto place =
          inverse->apply({{layout::tensorDim(static_cast<unsigned>(i - prefix)), uint64_t(step)}});
      auto offset = static_cast<uint32_t>(place.front());
      if (offset != 0 && !llvm::isPowerOf2_32(offset))
        return emitError("We don't support splitting along the swizzling pattern");
    }
  }
  return success();
}

// ---------------------------------------------------------------- transpose and reshape

OpFoldResult MemDescTransOp::fold(FoldAdaptor) {
  if (tt::isIdentity(getOrder())) return getSrc();
  return tt::mergeTransposes(*this);
}

FailureOr<MemDescType> inferMemDescTransType(MemDescType source, ArrayRef<int32_t> order,
                                             std::optional<Location> loc) {
  size_t rank = source.getShape().size();
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  if (!llvm::equal(sorted, llvm::seq<int32_t>(0, static_cast<int32_t>(rank))))
    return emitOptionalError(loc, "order must be a permutation of [0, ..., rank - 1]");
  auto* interface = tt::inferLayout(source.getEncoding());
  if (!interface)
    return emitOptionalError(loc, "no layout is known to follow from ", source.getEncoding());
  auto encoding = interface->trans(source.getEncoding(), source.getShape(), order, loc);
  if (failed(encoding)) return failure();
  SmallVector<int64_t> shape, alloc(source.getAllocShape().drop_back(rank));
  for (int32_t i : order) {
    shape.push_back(source.getShape()[i]);
    alloc.push_back(source.getAllocShape().take_back(rank)[i]);
  }
  auto emitError = [&] {
    return mlir::emitError(loc.value_or(UnknownLoc::get(source.getContext())));
  };
  auto type = MemDescType::getChecked(emitError, source.getContext(), ArrayRef<int64_t>(shape),
                                      source.getElementType(), *encoding, source.getMemorySpace(),
                                      source.getMutableMemory(), ArrayRef<int64_t>(alloc));
  if (!type) return failure();
  return type;
}

LogicalResult MemDescTransOp::inferReturnTypes(MLIRContext*, std::optional<Location> loc,
                                               Adaptor adaptor, SmallVectorImpl<Type>& types) {
  auto type =
      inferMemDescTransType(cast<MemDescType>(adaptor.getSrc().getType()), adaptor.getOrder(), loc);
  if (failed(type)) return failure();
  types.push_back(*type);
  return success();
}

// The encoding under which the same memory has another shape.
static Attribute reshapedEncoding(MemDescType source, ArrayRef<int64_t> shape) {
  MLIRContext* context = source.getContext();
  Attribute encoding = source.getEncoding();
  if (auto padded = dyn_cast<PaddedSharedEncodingAttr>(encoding))
    return PaddedSharedEncodingAttr::getChecked(
        [&] { return emitError(UnknownLoc::get(context)); }, context, padded.getIntervals(),
        padded.getPaddings(), layout::reshapeTensor(padded.getLinearComponent(), shape));
  LinearLayout linear =
      layout::reshapeTensor(ir::toLinearLayout(source.getShape(), encoding), shape);
  if (!linear.valid()) return {};
  // The MMA layout can stay if the innermost dimension does.
  if (auto nvmma = dyn_cast<NVMMASharedEncodingAttr>(encoding);
      nvmma && nvmma.getCGALayout().getNumCTAs() == 1) {
    bool transposed = nvmma.getTransposed();
    auto innermost = [&](ArrayRef<int64_t> sizes) {
      return transposed ? sizes.front() : sizes.back();
    };
    if (innermost(shape) == innermost(source.getShape())) {
      auto candidate = NVMMASharedEncodingAttr::get(
          context, nvmma.getSwizzlingByteWidth(), transposed, nvmma.getElementBitWidth(),
          nvmma.getFp4Padded(),
          CGAEncodingAttr::get1CTALayout(context, static_cast<unsigned>(shape.size())));
      if (ir::toLinearLayout(shape, candidate) == linear) return candidate;
    }
  }
  auto shared = dyn_cast<SharedEncodingTrait>(encoding);
  if (!shared) return {};
  return SharedLinearEncodingAttr::getChecked([&] { return emitError(UnknownLoc::get(context)); },
                                              context, linear,
                                              static_cast<unsigned>(shared.getAlignment()));
}

FailureOr<MemDescType> inferMemDescReshapeType(MemDescType source, ArrayRef<int64_t> shape,
                                               std::optional<Location> loc) {
  if (shape.empty() || product(shape) != product(source.getShape()))
    return emitOptionalError(loc, "dst shape has different number of elements than src");
  Attribute encoding = reshapedEncoding(source, shape);
  if (!encoding)
    return emitOptionalError(loc, "no layout is known to follow from ", source.getEncoding());
  SmallVector<int64_t> alloc(source.getAllocShape().drop_back(source.getShape().size()));
  llvm::append_range(alloc, shape);
  auto emitError = [&] {
    return mlir::emitError(loc.value_or(UnknownLoc::get(source.getContext())));
  };
  auto type = MemDescType::getChecked(emitError, source.getContext(), ArrayRef<int64_t>(shape),
                                      source.getElementType(), encoding, source.getMemorySpace(),
                                      source.getMutableMemory(), ArrayRef<int64_t>(alloc));
  if (!type) return failure();
  return type;
}

LogicalResult MemDescReshapeOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (product(to.getShape()) != product(from.getShape()))
    return emitError("number of src and dst elements of reshape must be the same");
  if (to.getElementType() != from.getElementType())
    return emitError("result element type must match src element type");
  if (from.getAllocShape().take_back(from.getShape().size()) != from.getShape())
    return emitError("NYI: memdesc_reshape of memdesc_subslice");
  auto expected = inferMemDescReshapeType(from, to.getShape(), getLoc());
  if (failed(expected)) return failure();
  return success(areEquivalentMemDescTypes(*expected, to));
}

// ---------------------------------------------------------------- reinterpret

OpFoldResult MemDescReinterpretOp::fold(FoldAdaptor) {
  if (getType() == getSrc().getType()) return getSrc();
  return {};
}

namespace {

// Memory in the units of its address: bytes of shared memory, columns of tensor memory.
struct Footprint {
  LinearLayout allocation; // of the layout's own dimensions
  Dim address;
  int64_t addressSize;
  unsigned elementBits, unitBits;
  int64_t stages; // pipeline stages visible

  Footprint(MemDescType type, bool tensorMemory)
      : address(tensorMemory ? Dim::Col : Dim::Offset),
        elementBits(tt::bitWidth(type.getElementType())), unitBits(tensorMemory ? 32 : 8) {
    Attribute encoding = type.getEncoding();
    allocation = ir::toLinearLayout(dropPipeliningDim(type.getAllocShape(), encoding), encoding);
    addressSize = allocation.valid() ? allocation.inSize(address) : 0;
    stages =
        product(type.getShape().drop_back(dropPipeliningDim(type.getShape(), encoding).size()));
  }
  int64_t stride() const { return llvm::divideCeil(addressSize * elementBits, unitBits); }
  int64_t size() const { return stride() * stages; }
};

bool isLayoutSubview(MemDescType type) {
  return dropPipeliningDim(type.getShape(), type.getEncoding()) !=
         dropPipeliningDim(type.getAllocShape(), type.getEncoding());
}

// Where the holes of a padded layout are, in bytes.
llvm::MapVector<unsigned, unsigned> paddingInBytes(MemDescType type) {
  auto padded = getPaddedEncoding(type.getEncoding());
  unsigned size = tt::bitWidth(type.getElementType()) / 8;
  llvm::MapVector<unsigned, unsigned> holes;
  for (auto [interval, padding] : llvm::zip(padded.getIntervals(), padded.getPaddings()))
    holes.insert({interval * size, padding * size});
  return holes;
}

// Addresses from 0 on that belong to a view of part of an allocation: those of its elements, and
// those that the allocation has but no element uses.
int64_t contiguousOwned(const Footprint& source, ArrayRef<int64_t> shape) {
  auto inverse = source.allocation.pseudoInvert();
  if (!inverse) return 0;
  for (auto [i, size] : llvm::enumerate(shape))
    inverse = inverse->resizeIn(layout::tensorDim(static_cast<unsigned>(i)), size);
  auto dims = layout::tensorDims(static_cast<unsigned>(shape.size()));
  layout::f2::Basis owned;
  layout::LinearLayout addresses = inverse->sublayout(dims, source.address);
  for (uint64_t column : addresses.columns())
    owned.insert(column);
  uint64_t unused =
      uint64_t(source.addressSize - 1) & ~source.allocation.inputMask(source.address, dims);
  for (; unused; unused &= unused - 1)
    owned.insert(unused & -unused);
  int64_t count = 1;
  while (count < source.addressSize && owned.contains(static_cast<uint64_t>(count)))
    count *= 2;
  return count;
}

} // namespace

LogicalResult MemDescReinterpretOp::verify() {
  MemDescType from = getSrc().getType(), to = getType();
  if (isa<PartitionedSharedEncodingAttr>(from.getEncoding()) ||
      isa<PartitionedSharedEncodingAttr>(to.getEncoding()))
    return emitError("cannot reinterpret partitioned shared layouts");
  bool padded = bool(getPaddedEncoding(from.getEncoding()));
  if (padded != bool(getPaddedEncoding(to.getEncoding())))
    return emitError("cannot reinterpret between padded and non-padded layouts");
  bool isSubview = isLayoutSubview(from);
  if (padded) {
    if (isSubview) return emitError("cannot reinterpret a padded source subview");
    auto a = paddingInBytes(from), b = paddingInBytes(to);
    if (!llvm::equal(a, b)) return emitError("cannot reinterpret with different padding pattern");
  }
  if (from.getMemorySpace() != to.getMemorySpace())
    return emitError("source and result must have the same memory space");
  if (from.getMutableMemory() != to.getMutableMemory())
    return emitError("source and result must have the same mutability");
  if (isLayoutSubview(to)) return emitError("result must not be a subview");

  bool tensorMemory = isa<ttng::TensorMemorySpaceAttr>(from.getMemorySpace());
  Footprint source(from, tensorMemory), result(to, tensorMemory);
  if (!source.allocation.valid() || !result.allocation.valid())
    return emitError("no layout is known for the source or the result");
  auto shape = dropPipeliningDim(from.getShape(), from.getEncoding());
  for (const auto& basis : source.allocation.bases(Dim::Block))
    for (auto [component, size] : llvm::zip(basis, shape))
      if (component >= size)
        return emitError("cannot reinterpret a source subview sliced across CTAs");

  if (tensorMemory) {
    auto a = ttng::getTmemAllocSizes(from), b = ttng::getTmemAllocSizes(to);
    if (b.numRows > a.numRows)
      return emitError() << "result tensor-memory row footprint (" << b.numRows
                         << ") exceeds the source view (" << a.numRows << ")";
    auto rows = [](const LinearLayout& linear) {
      return linear.inputMask(Dim::Row, linear.outDims());
    };
    if (rows(result.allocation) & rows(source.allocation) & ~rows(ir::toLinearLayout(from)))
      return emitError("result accesses tensor-memory rows outside the source subview");
  }
  const char* where = tensorMemory ? "tensor-memory column" : "shared-memory";
  const char* units = tensorMemory ? " columns" : " bytes";
  if (result.size() > source.size())
    return emitError() << "result " << where << " footprint (" << result.size() << units
                       << ") exceeds the source view (" << source.size() << units << ")";
  if (!isSubview) return success();

  // The result covers its whole allocation; a part of the source owns only some of its own.
  int64_t elements = contiguousOwned(source, shape);
  int64_t owned = elements == source.addressSize
                      ? source.size()
                      : int64_t(llvm::divideCeil(elements * source.elementBits, source.unitBits));
  if (result.size() > owned)
    return emitError() << "result " << where << " footprint includes "
                       << (tensorMemory ? "columns" : "offsets")
                       << " not owned by the source subview (" << result.size() << units
                       << " requested; " << owned << " contiguous" << units << " available)";
  return success();
}

} // namespace gluond::ttg
