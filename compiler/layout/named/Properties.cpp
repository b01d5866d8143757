#include "layout/named/Properties.h"

#include <llvm/ADT/STLExtras.h>

#include <numeric>

namespace gluond::layout {

namespace {
// The first dimension that a packed basis moves along; nothing for a zero basis.
std::optional<unsigned> firstDim(const LinearLayout& layout, uint64_t column) {
  if (!column) return std::nullopt;
  unsigned shift = 0;
  for (auto [i, out] : llvm::enumerate(layout.outs())) {
    shift += out.bits;
    if (shift == 64 || column & ((uint64_t(1) << shift) - 1)) return static_cast<unsigned>(i);
  }
  return std::nullopt;
}

Ints basesPerDimOf(const LinearLayout& layout, f2::Columns columns, bool skipBroadcast) {
  Ints result(layout.outs().size(), 1);
  if (result.empty()) return result;
  unsigned last = 0;
  for (uint64_t column : columns) {
    std::optional<unsigned> dim = firstDim(layout, column);
    if (dim) last = *dim;
    // (Copies without end stop counting before they overflow.)
    if ((dim || !skipBroadcast) && result[last] < (1 << 30)) result[last] *= 2;
  }
  return result;
}

Order descending(size_t rank) {
  Order order(rank, 0);
  std::iota(order.rbegin(), order.rend(), 0u);
  return order;
}

Ints contiguity(const LinearLayout& layout, Dim in, Ints lower, llvm::ArrayRef<unsigned> order) {
  f2::Columns columns = layout.columns(in);
  size_t next = 0;
  for (unsigned dim : order) {
    unsigned shift = layout.outShift(tensorDim(dim));
    while (next < columns.size() && layout.outSize(tensorDim(dim)) > lower[dim] &&
           columns[next] == static_cast<uint64_t>(lower[dim]) << shift) {
      lower[dim] *= 2;
      ++next;
    }
  }
  return lower;
}
} // namespace

Ints basesPerDim(const LinearLayout& layout, Dim in, bool skipBroadcast) {
  return basesPerDimOf(layout, layout.columns(in), skipBroadcast);
}

Order orderPerDim(const LinearLayout& layout, Dim in, llvm::ArrayRef<unsigned> defaultOrder) {
  Order order;
  auto add = [&](unsigned dim) {
    if (!llvm::is_contained(order, dim)) order.push_back(dim);
  };
  for (uint64_t column : layout.columns(in))
    if (std::optional<unsigned> dim = firstDim(layout, column)) add(*dim);
  for (unsigned dim : defaultOrder)
    add(dim);
  return order;
}

Order orderOf(const LinearLayout& layout) {
  return orderPerDim(layout, Dim::Register, descending(layout.outs().size()));
}
Order threadOrderOf(const LinearLayout& layout) {
  return orderPerDim(layout, Dim::Lane, orderOf(layout));
}
Ints elementsPerThread(const LinearLayout& layout) {
  return basesPerDim(layout, Dim::Register, /*skipBroadcast=*/false);
}
int64_t totalElementsPerThread(const LinearLayout& layout) {
  return layout.inSize(Dim::Register);
}
int64_t uniqueElementsPerThread(const LinearLayout& layout) {
  return int64_t(1) << f2::rank(layout.columns(Dim::Register));
}

Ints contiguityPerThread(const LinearLayout& layout) {
  return contiguity(layout, Dim::Register, Ints(layout.outs().size(), 1), orderOf(layout));
}
Ints threadsPerWarp(const LinearLayout& layout) {
  return basesPerDim(layout, Dim::Lane);
}
OrError<Ints> sizePerThread(const LinearLayout& layout) {
  OrError<LinearLayout> cga = cgaOf(layout);
  if (!cga) return tl::make_unexpected(cga.error());
  // Registers are tile first, repetitions last: take off bases from the end while they continue to
  // halve the shape, one dimension after the other.
  Ints split = ctaSplitNum(*cga);
  llvm::SmallVector<int64_t, 4> shape = layout.outSizes();
  for (auto [size, parts] : llvm::zip_equal(shape, split))
    size /= parts;
  f2::Columns registers = layout.columns(Dim::Register);
  Order seen;
  while (!registers.empty()) {
    std::optional<unsigned> dim = firstDim(layout, registers.back());
    if (!dim) break;
    if (!llvm::is_contained(seen, *dim)) seen.push_back(*dim);
    int64_t coordinate = layout.unpack(registers.back())[*dim];
    if (*dim != seen.back() || 2 * coordinate != shape[*dim]) break;
    shape[*dim] /= 2;
    registers = registers.drop_back();
  }
  return basesPerDimOf(layout, registers, /*skipBroadcast=*/true);
}

Order sharedOrderOf(const Layout& layout, unsigned rank) {
  if (const auto* f = layout.as<SwizzledShared>()) return f->order;
  if (const auto* f = layout.as<AmdRotatingShared>()) return f->order;
  if (const auto* f = layout.as<PartitionedShared>())
    return sharedOrderOf(f->partitionLayout, rank);
  if (const auto* f = layout.as<PaddedShared>())
    return orderPerDim(f->linearComponent, Dim::Offset,
                       descending(f->linearComponent.outs().size()));
  if (const auto* f = layout.as<SharedLinear>())
    return orderPerDim(f->linearLayout, Dim::Offset, descending(f->linearLayout.outs().size()));
  const auto* f = layout.as<NvmmaShared>();
  return f && rank > 1 ? matrixOrder(rank, !f->transposed) : descending(rank);
}

Ints ctaSplitNum(const LinearLayout& cga) {
  return basesPerDim(cga, Dim::Block);
}
Ints ctasPerCga(const LinearLayout& cga) {
  return basesPerDim(cga, Dim::Block, /*skipBroadcast=*/false);
}
Order ctaOrder(const LinearLayout& cga) {
  Order ascending(cga.outs().size(), 0);
  std::iota(ascending.begin(), ascending.end(), 0u);
  return orderPerDim(cga, Dim::Block, ascending);
}

OrError<ShapeVector> shapePerCta(const Layout& layout, Shape shape) {
  OrError<LinearLayout> cga = layout.cgaLayout();
  if (!cga) return tl::make_unexpected(cga.error());
  return shapePerCta(ctaSplitNum(*cga), shape);
}

OrError<LinearLayout> cgaOf(const LinearLayout& layout) {
  LayoutError notTiled{"", "the CTAs do not divide the tensor into tiles"};
  if (!layout.valid() || !layout.hasIn(Dim::Block)) return tl::make_unexpected(notTiled);
  Ints split = basesPerDim(layout, Dim::Block);
  Dims ins = layout.inDims(), outs = layout.outDims();
  llvm::erase(ins, Dim::Block);
  LinearLayout tile = layout.sublayout(ins, outs);
  for (auto [out, parts] : llvm::zip_equal(outs, split)) {
    int64_t size = tile.outSize(out) / parts;
    if (size < 1 || tile.outputMask(ins, out) >= static_cast<uint64_t>(size))
      return tl::make_unexpected(notTiled);
    tile = tile.resizeOut(out, size);
  }
  std::optional<LinearLayout> rest = layout.divideLeft(tile);
  if (!rest) return tl::make_unexpected(notTiled);
  return rest->sublayout({Dim::Block}, outs);
}

llvm::SmallVector<Replication, 4> replicationOf(const LinearLayout& layout) {
  llvm::SmallVector<Replication, 4> result;
  for (auto [dim, free] : layout.freeMasks())
    result.push_back({dim, int64_t(1) << llvm::popcount(free)});
  return result;
}

double holesOf(const LinearLayout& layout) {
  unsigned missing = layout.totalOutBits() - f2::rank(layout.columns());
  return 1.0 - 1.0 / static_cast<double>(uint64_t(1) << missing);
}

} // namespace gluond::layout
