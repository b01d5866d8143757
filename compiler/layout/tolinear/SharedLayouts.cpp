// Shared memory layouts: offset, block -> tensor.
#include "chips/MemorySizes.h"
#include "layout/named/Properties.h"
#include "layout/tolinear/FamilyConversions.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>

namespace gluond::layout {

namespace {

ShapeVector ownedByCta(const LinearLayout& cga, Shape shape) {
  return shapePerCta(ctaSplitNum(cga), shape);
}

// Rows of consecutive elements along order[0]; row r is xored along its columns with xorOf(r).
template <typename XorOf>
Converted rowsToLinear(llvm::ArrayRef<unsigned> order, const LinearLayout& cga, Shape tile,
                       Shape shape, XorOf xorOf) {
  if (shape.size() == 1)
    return combineCtaAndCga(LinearLayout::identity1D(tile[0], Dim::Offset, tensorDim(0)), cga,
                            shape);
  Dim columnDim = tensorDim(order[0]), rowDim = tensorDim(order[1]);
  int64_t columns = tile[order[0]], rows = tile[order[1]];
  unsigned rowBits = exactLog2(rows).value_or(0);
  f2::ColumnVector bases; // packed row, column
  for (int64_t column = 1; column < columns; column *= 2)
    bases.push_back(static_cast<uint64_t>(column) << rowBits);
  for (int64_t row = 1; row < rows; row *= 2)
    bases.push_back(static_cast<uint64_t>(xorOf(row) % columns) << rowBits |
                    static_cast<uint64_t>(row));
  LinearLayout layout;
  layout.timesIdentity(rows, Dim::Offset, rowDim);
  layout.timesIdentity(columns, Dim::Offset, columnDim);
  layout = layout.withColumns(Dim::Offset, bases);
  for (unsigned dim : order.drop_front(2))
    layout.timesIdentity(tile[dim], Dim::Offset, tensorDim(dim));
  return combineCtaAndCga(std::move(layout), cga, shape);
}

// What wgmma and TMA call a core matrix: 8 rows as wide as the swizzle (16 bytes without), 16-byte
// groups xored with the row.
LinearLayout coreMatrix(const NvmmaShared& shared) {
  int64_t width = shared.swizzlingByteWidth, bits = shared.elementBitWidth;
  int64_t columns = 8 * std::max<int64_t>(16, width) / bits;
  int64_t vec = width ? 128 / bits : 1, perPhase = width ? 128 / width : 1,
          maxPhase = width ? width / 16 : 1;
  // Of every 16 offsets of padded fp4, the upper 8 are unused; they repeat the lower ones.
  auto packed = [&](int64_t column) {
    return shared.fp4Padded ? column / 16 * 8 + column % 8 : column;
  };
  Bases bases;
  for (int64_t column = 1; column < columns; column *= 2)
    bases.push_back({0, static_cast<int32_t>(packed(column))});
  for (int32_t row = 1; row < 8; row *= 2)
    bases.push_back({row, static_cast<int32_t>(packed(vec * (row / perPhase % maxPhase)))});
  LinearLayout::InBases offset{Dim::Offset, bases};
  return LinearLayout::fromBases(offset, llvm::ArrayRef(tensorDims(2)))
      .value_or(LinearLayout::invalid());
}

// The contiguous dimension of a transposed buffer is dim0: the layout is built with it last, then
// it is moved to the front.
void rotateForTransposed(const NvmmaShared& shared, ShapeVector& shape) {
  if (shared.transposed) std::rotate(shape.begin(), shape.begin() + 1, shape.end());
}
LinearLayout rotateBack(const NvmmaShared& shared, const LinearLayout& layout) {
  if (!shared.transposed) return layout;
  Order order = {static_cast<unsigned>(layout.outs().size()) - 1};
  for (unsigned i = 0; i + 1 < layout.outs().size(); ++i)
    order.push_back(i);
  return transposeTensor(layout, order);
}

bool covers(const LinearLayout& layout, Shape shape) {
  ShapeVector sizes(layout.outSizes());
  return sizes.size() == shape.size() && llvm::all_of(llvm::zip_equal(sizes, shape), [](auto pair) {
           return std::get<0>(pair) >= std::get<1>(pair);
         });
}

} // namespace

Converted swizzledToLinear(const SwizzledShared& shared, Shape shape) {
  return rowsToLinear(
      shared.order, shared.CGALayout, ownedByCta(shared.CGALayout, shape), shape, [&](int64_t row) {
        return static_cast<int64_t>(shared.vec) * (row / shared.perPhase % shared.maxPhase);
      });
}

Converted rotatingToLinear(const AmdRotatingShared& shared, Shape shape) {
  ShapeVector tile(shape);
  if (shape.size() == 1) tile = ownedByCta(shared.CGALayout, shape);
  return rowsToLinear(shared.order, shared.CGALayout, tile, shape, [&](int64_t row) {
    int64_t phase = row / shared.perPhase % shared.maxPhase;
    int64_t block = row / shared.maxPhase / shared.perPhase % shared.maxPhase;
    return static_cast<int64_t>(shared.vec) * (phase ^ block);
  });
}

OrError<ShapeVector> tmaBlockShape(const NvmmaShared& layout, Shape perCta, bool packed) {
  if (perCta.empty()) return misfit("shape", "a block must have at least one dimension");
  ShapeVector block(perCta);
  int64_t& contiguous = layout.transposed ? block.front() : block.back();
  if (layout.fp4Padded) contiguous *= 2;
  for (int64_t& size : block)
    size = std::min(size, chips::tmaMostBoxSize);
  if (layout.swizzlingByteWidth) {
    int64_t wanted = 8 * static_cast<int64_t>(layout.swizzlingByteWidth) / layout.elementBitWidth;
    if (contiguous < wanted)
      return misfit("swizzlingByteWidth", "a swizzle of ", layout.swizzlingByteWidth,
                    " bytes needs at least ", wanted, " elements along dimension ",
                    layout.transposed ? 0 : block.size() - 1, " of a CTA's block, but there are ",
                    contiguous);
    contiguous = wanted;
  }
  if (layout.fp4Padded && packed) contiguous /= 2;
  return block;
}

Converted nvmmaToLinear(const NvmmaShared& shared, Shape shape) {
  unsigned rank = static_cast<unsigned>(shape.size());
  ShapeVector perCta = ownedByCta(shared.CGALayout, shape);
  OrError<ShapeVector> tma = tmaBlockShape(shared, perCta, /*packed=*/true);
  if (!tma) return tl::make_unexpected(tma.error());
  if (!isPowerOfTwoShape(*tma)) return misfit("shape", "the block is too small for padded fp4");
  ShapeVector box = *tma;
  rotateForTransposed(shared, box);
  LinearLayout layout;
  if (shared.swizzlingByteWidth == 0) {
    for (unsigned i = rank; i-- > 0;)
      layout.timesIdentity(box[i], Dim::Offset, tensorDim(i));
    layout = rotateBack(shared, layout);
  } else {
    if (rank < 2)
      return misfit("swizzlingByteWidth", "a one-dimensional buffer cannot be swizzled");
    // All outer dimensions as one, tiled by core matrices, then reshaped.
    ShapeVector flat = {1, tma->back()};
    for (int64_t size : llvm::ArrayRef(*tma).drop_back())
      flat[0] *= size;
    if (shared.transposed) std::swap(flat[0], flat[1]);
    layout = coreMatrix(shared);
    if (!layout.valid()) return layout;
    int64_t tileRows = layout.outSize(tensorDim(0)), tileColumns = layout.outSize(tensorDim(1));
    int64_t perByte = shared.fp4Padded ? 2 : 1;
    if (flat[0] < tileRows || flat[1] * perByte < tileColumns)
      return misfit("swizzlingByteWidth", "a CTA's block must be at least ", tileRows, "x",
                    tileColumns / perByte, " with its outer dimensions taken together, but it is ",
                    flat[0], "x", flat[1]);
    layout = ensureNotSmallerThan(std::move(layout), flat);
    int64_t elements = 1;
    for (int64_t size : box)
      elements *= size;
    if (!layout.valid() || int64_t(1) << layout.totalOutBits() != elements)
      return misfit("shape", "the block does not divide into core matrices");
    layout = rotateBack(shared, reshapeTensor(layout, box));
  }
  return combineCtaAndCga(ensureNotSmallerThan(std::move(layout), perCta), shared.CGALayout, shape);
}

Converted partitionedToLinear(const PartitionedShared& shared, Shape shape) {
  // A piece, then the buffers in turn, then the groups one after the other in each buffer.
  ShapeVector piece(shape);
  int64_t& along = piece[shared.partitionDim];
  int64_t pieces = static_cast<int64_t>(shared.numPartitions) * shared.numGroups;
  if (along < pieces)
    return misfit("shape", "dimension ", shared.partitionDim, " has ", along,
                  " elements, too few for ", pieces, " pieces");
  along /= pieces;
  LinearLayout result;
  if (const auto* padded = shared.partitionLayout.as<PaddedShared>();
      padded && covers(padded->linearComponent, piece)) {
    result = padded->linearComponent;
  } else {
    Converted base = toLinearLayout(shared.partitionLayout, piece);
    if (!base) return base;
    result = std::move(*base);
  }
  Dim dim = tensorDim(shared.partitionDim);
  result.timesIdentity(shared.numPartitions, Dim::Partition, dim);
  result.timesIdentity(shared.numGroups, Dim::Offset, dim);
  // A padded layout may be one of more elements than a piece has. Then the tensor ends in one of
  // the first buffers, and those after it stay empty.
  return ensureNotLargerThan(result, shape);
}

} // namespace gluond::layout
