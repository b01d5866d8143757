// The checks of encodings, and the CTA part of each.
#include "ir/ttg/Attributes.h"

#include "chips/MatrixInstructions.h"
#include "chips/MemorySizes.h"
#include "ir/ttg/Dialect.h"
#include "ir/ttg/Types.h"

#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/TypeSwitch.h>
#include <mlir/IR/DialectImplementation.h>

#include "ir/ttg/AttrInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/ttg/Attributes.cpp.inc"

using namespace mlir;

namespace gluond::ttg {

using layout::Dim;
using layout::LinearLayout;
using EmitError = function_ref<InFlightDiagnostic()>;

void TTGDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/ttg/Attributes.cpp.inc"
      >();
}

// ---------------------------------------------------------------- the CTA part

// block -> dim0, ... from basis vectors; each dimension is as large as they need.
static CGAEncodingAttr makeCGA(MLIRContext* context, const layout::Bases& bases, unsigned rank) {
  auto made = LinearLayout::fromBases({{Dim::Block, bases}}, layout::tensorDims(rank));
  if (made && made->isPermutation()) return CGAEncodingAttr::get(context, *made);
  // Bases that tile nothing: all CTAs hold everything.
  layout::Bases zeros(bases.size(), layout::Coordinates(rank, 0));
  return CGAEncodingAttr::get(
      context, *LinearLayout::fromBases({{Dim::Block, zeros}}, layout::tensorDims(rank)));
}

CGAEncodingAttr CGAEncodingAttr::get1CTALayout(MLIRContext* context, unsigned rank) {
  return makeCGA(context, {}, rank);
}

CGAEncodingAttr CGAEncodingAttr::get1DLayout(MLIRContext* context, unsigned numCTAs) {
  return get(context, LinearLayout::identity1D(numCTAs, Dim::Block, Dim::Dim0));
}

// Returns the sizes that the bases of `in` span along each dimension. A zero basis replicates: if
// requested, it counts for the dimension of the last non-zero basis before it.
static SmallVector<unsigned> basesPerDim(const LinearLayout& linear, Dim in, bool countZeros) {
  SmallVector<unsigned> sizes(linear.outs().size(), 1);
  size_t last = 0;
  for (const auto& basis : linear.bases(in)) {
    auto* moved = llvm::find_if(basis, [](int32_t value) { return value != 0; });
    if (moved != basis.end())
      last = static_cast<size_t>(moved - basis.begin());
    else if (!countZeros)
      continue;
    if (last < sizes.size()) sizes[last] *= 2;
  }
  return sizes;
}

// Dimensions in the order in which the bases of `in` move along them, then the rest of `rest`.
static SmallVector<unsigned> orderPerDim(const LinearLayout& linear, Dim in,
                                         ArrayRef<unsigned> rest) {
  SmallVector<unsigned> order;
  auto add = [&](unsigned dim) {
    if (!llvm::is_contained(order, dim)) order.push_back(dim);
  };
  for (const auto& basis : linear.bases(in)) {
    auto* moved = llvm::find_if(basis, [](int32_t value) { return value != 0; });
    if (moved != basis.end()) add(static_cast<unsigned>(moved - basis.begin()));
  }
  llvm::for_each(rest, add);
  return order;
}

SmallVector<unsigned> CGAEncodingAttr::getCTAsPerCGA() const {
  return basesPerDim(getLinearLayout(), Dim::Block, /*countZeros=*/true);
}
SmallVector<unsigned> CGAEncodingAttr::getCTASplitNum() const {
  return basesPerDim(getLinearLayout(), Dim::Block, /*countZeros=*/false);
}
SmallVector<unsigned> CGAEncodingAttr::getCTAOrder() const {
  return orderPerDim(getLinearLayout(), Dim::Block,
                     llvm::to_vector(llvm::seq<unsigned>(0, getRank())));
}

// Returns how blocks divide the tensor of a linear layout: their bases, in units of one CTA's part.
static CGAEncodingAttr cgaOfLinear(MLIRContext* context, const LinearLayout& linear) {
  auto split = basesPerDim(linear, Dim::Block, /*countZeros=*/false);
  auto sizes = linear.outSizes();
  layout::Bases bases = linear.bases(Dim::Block);
  for (auto& basis : bases)
    for (auto [i, value] : llvm::enumerate(basis))
      value = static_cast<int32_t>(value / std::max<int64_t>(1, sizes[i] / split[i]));
  return makeCGA(context, bases, static_cast<unsigned>(sizes.size()));
}

CGAEncodingAttr LinearEncodingAttr::getCGALayout() const {
  return cgaOfLinear(getContext(), getLinearLayout());
}
CGAEncodingAttr GenericLinearEncodingAttr::getCGALayout() const {
  return cgaOfLinear(getContext(), getLinearLayout());
}
CGAEncodingAttr SharedLinearEncodingAttr::getCGALayout() const {
  return cgaOfLinear(getContext(), getLinearLayout());
}
CGAEncodingAttr PaddedSharedEncodingAttr::getCGALayout() const {
  return cgaOfLinear(getContext(), getLinearComponent());
}
CGAEncodingAttr PartitionedSharedEncodingAttr::getCGALayout() const {
  return ttg::getCGALayout(getPartitionLayout());
}

CGAEncodingAttr SliceEncodingAttr::getCGALayout() const {
  CGAEncodingAttr parent = ttg::getCGALayout(getParent());
  layout::Bases bases = parent.getLinearLayout().bases(Dim::Block);
  for (auto& basis : bases)
    basis.erase(basis.begin() + getDim());
  return makeCGA(getContext(), bases, parent.getRank() - 1);
}

CGAEncodingAttr DotOperandEncodingAttr::getCGALayout() const {
  CGAEncodingAttr parent = ttg::getCGALayout(getParent());
  unsigned rank = parent.getRank(), contracted = getOpIdx() == 0 ? rank - 1 : rank - 2;
  return CGAEncodingAttr::get(getContext(),
                              parent.getLinearLayout().resizeOut(layout::tensorDim(contracted), 1));
}

unsigned SliceEncodingAttr::getRank() const {
  return cast<LayoutEncodingTrait>(Attribute(getParent())).getRank() - 1;
}
unsigned DotOperandEncodingAttr::getRank() const {
  return cast<LayoutEncodingTrait>(getParent()).getRank();
}

SmallVector<unsigned> PaddedSharedEncodingAttr::getOrder() const {
  return orderPerDim(getLinearComponent(), Dim::Offset,
                     llvm::to_vector(llvm::reverse(llvm::seq<unsigned>(0, getRank()))));
}

CGAEncodingAttr getCGALayout(Attribute layout) {
  return cast<LayoutEncodingTrait>(layout).getCGALayout();
}
unsigned getNumCTAs(Attribute layout) {
  return getCGALayout(layout).getNumCTAs();
}

PaddedSharedEncodingAttr getPaddedEncoding(Attribute encoding) {
  if (auto partitioned = dyn_cast_or_null<PartitionedSharedEncodingAttr>(encoding))
    return dyn_cast<PaddedSharedEncodingAttr>(Attribute(partitioned.getPartitionLayout()));
  return dyn_cast_or_null<PaddedSharedEncodingAttr>(encoding);
}

SmallVector<int64_t> getShapePerCTA(ArrayRef<unsigned> ctaSplitNum, ArrayRef<int64_t> shape) {
  SmallVector<int64_t> result(shape);
  size_t common = std::min(shape.size(), ctaSplitNum.size());
  for (size_t i = 1; i <= common; ++i) {
    int64_t& size = result[shape.size() - i];
    int64_t ctas = std::min<int64_t>(size, ctaSplitNum[ctaSplitNum.size() - i]);
    if (ctas) size /= ctas;
  }
  return result;
}

SmallVector<int64_t> getShapePerCTA(Attribute layout, ArrayRef<int64_t> shape) {
  return getShapePerCTA(getCGALayout(layout).getCTASplitNum(), shape);
}

BlockedEncodingAttr spreadThreads(ArrayRef<int64_t> shape, ArrayRef<unsigned> sizePerThread,
                                  ArrayRef<unsigned> order, unsigned numWarps,
                                  unsigned threadsPerWarp, CGAEncodingAttr cga) {
  SmallVector<unsigned> lanes(order.size()), warps(order.size());
  unsigned restThreads = numWarps * threadsPerWarp, restLanes = threadsPerWarp,
           restWarps = numWarps;
  unsigned usedLanes = 1, usedWarps = 1;
  for (unsigned axis : order.drop_back()) {
    auto blocks = static_cast<unsigned>(std::max<int64_t>(1, shape[axis] / sizePerThread[axis]));
    unsigned threads = std::clamp(restThreads, 1u, blocks);
    lanes[axis] = std::clamp(threads, 1u, restLanes);
    warps[axis] = std::clamp(threads / lanes[axis], 1u, restWarps);
    restWarps /= warps[axis];
    restLanes /= lanes[axis];
    restThreads /= threads;
    usedLanes *= lanes[axis];
    usedWarps *= warps[axis];
  }
  lanes[order.back()] = threadsPerWarp / usedLanes;
  warps[order.back()] = numWarps / usedWarps;
  return BlockedEncodingAttr::get(cga.getContext(), sizePerThread, lanes, warps, order, cga);
}

BlockedEncodingAttr getDefaultBlockedEncoding(MLIRContext* context, ArrayRef<int64_t> shape,
                                              unsigned numWarps, unsigned threadsPerWarp,
                                              unsigned numCTAs) {
  auto rank = static_cast<unsigned>(shape.size());
  // CTAs go to the slowest dimension first; those left over replicate along the last.
  SmallVector<unsigned> parts(rank);
  unsigned ctas = numCTAs;
  for (unsigned i = 0; i < rank; ++i) {
    parts[i] = static_cast<unsigned>(std::min<int64_t>(std::max<int64_t>(shape[i], 1), ctas));
    ctas /= parts[i];
  }
  // Their bases are written from the fastest dimension on.
  layout::Bases cga;
  for (unsigned d = rank; d-- > 0;) {
    for (unsigned basis = 1; basis < parts[d]; basis *= 2)
      cga.emplace_back(rank, 0)[d] = static_cast<int32_t>(basis);
    for (unsigned copies = d == rank - 1 ? ctas : 1; copies > 1; copies /= 2)
      cga.emplace_back(rank, 0);
  }
  auto perCTA = getShapePerCTA(parts, shape);
  SmallVector<unsigned> order(llvm::reverse(llvm::seq(rank)));
  return spreadThreads(perCTA, SmallVector<unsigned>(rank, 1), order, numWarps, threadsPerWarp,
                       makeCGA(context, cga, rank));
}

// ---------------------------------------------------------------- checks

static LogicalResult verifyOrder(EmitError emitError, ArrayRef<unsigned> order) {
  SmallVector<unsigned> sorted(order);
  llvm::sort(sorted);
  if (llvm::equal(sorted, llvm::seq<unsigned>(0, static_cast<unsigned>(order.size()))))
    return success();
  return emitError() << "order must be a permutation of 0..(rank-1), but was [" << order << "]";
}

static LogicalResult verifyDims(EmitError emitError, const LinearLayout& linear,
                                ArrayRef<Dim> expectedIns) {
  auto ins = linear.inDims(), outs = linear.outDims();
  for (auto [i, dim, expected] : llvm::enumerate(ins, expectedIns))
    if (dim != expected)
      return emitError() << "Expected input dimension " << i << " to be '" << layout::name(expected)
                         << "'. Got " << layout::name(dim);
  for (auto [i, dim] : llvm::enumerate(outs))
    if (dim != layout::tensorDim(static_cast<unsigned>(i)))
      return emitError() << "Expected output dimensions to be ['dim0', 'dim1', ...]. Got "
                         << layout::name(dim) << " at position " << i;
  return success();
}

LogicalResult CGAEncodingAttr::verify(EmitError emitError, LinearLayout linear) {
  if (linear.ins().size() != 1 || linear.ins()[0].dim != Dim::Block)
    return emitError() << "CGA encoding must have exactly one input dimension named 'block'.";
  if (!llvm::equal(linear.outDims(),
                   layout::tensorDims(static_cast<unsigned>(linear.outs().size()))))
    return emitError() << "CGA encoding output dims must be [dim0, dim1, ...]";
  if (!linear.isPermutation())
    return emitError()
           << "After removing broadcast bases the CGA encoding must be a permutation matrix";
  return success();
}

LogicalResult BlockedEncodingAttr::verify(EmitError emitError, ArrayRef<unsigned> sizePerThread,
                                          ArrayRef<unsigned> threadsPerWarp,
                                          ArrayRef<unsigned> warpsPerCTA, ArrayRef<unsigned> order,
                                          CGAEncodingAttr cga) {
  if (!llvm::all_equal(
          {sizePerThread.size(), threadsPerWarp.size(), warpsPerCTA.size(), order.size()}))
    return emitError()
           << "sizePerThread, threadsPerWarp, warpsPerCTA, and order must all have the same rank.";
  const std::pair<const char*, ArrayRef<unsigned>> fields[] = {{"sizePerThread", sizePerThread},
                                                               {"threadsPerWarp", threadsPerWarp},
                                                               {"warpsPerCTA", warpsPerCTA}};
  for (auto [name, values] : fields)
    if (!llvm::all_of(values, llvm::isPowerOf2_32))
      return emitError() << "Every element in " << name << " must be a power of two.";
  if (order.size() != cga.getRank())
    return emitError() << "BlockedEncodingAttr and CGALayout's fields must have the same rank.";
  return verifyOrder(emitError, order);
}

LogicalResult SliceEncodingAttr::verify(EmitError emitError, unsigned dim,
                                        DistributedEncodingTrait parent) {
  unsigned rank = cast<LayoutEncodingTrait>(Attribute(parent)).getRank();
  if (rank <= 1) return emitError() << "parent layout must have at least rank >= 2";
  if (dim >= rank)
    return emitError() << "slice dim=" << dim << " must be less than the parent rank=" << rank;
  return success();
}

static constexpr Dim distributedDims[] = {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block};

LogicalResult LinearEncodingAttr::verify(EmitError emitError, LinearLayout linear) {
  if (failed(verifyDims(emitError, linear, distributedDims))) return failure();
  if (!linear.isPermutation())
    return emitError() << "LinearEncodingAttr requires a permutation matrix layout after removing "
                          "broadcast bases";
  return success();
}

static bool movesInOneDimension(ArrayRef<int32_t> basis) {
  return llvm::count_if(basis, [](int32_t value) { return value != 0; }) <= 1;
}

LogicalResult GenericLinearEncodingAttr::verify(EmitError emitError, LinearLayout linear) {
  if (failed(verifyDims(emitError, linear, distributedDims))) return failure();
  for (Dim dim : {Dim::Register, Dim::Lane, Dim::Block})
    if (!llvm::all_of(linear.bases(dim), movesInOneDimension))
      return emitError() << "In a generic linear layout, register, lane, and block bases must move "
                            "in at most one "
                            "dimension. Swizzled bases found in '"
                         << layout::name(dim) << "'.";
  if (!linear.isSurjective())
    return emitError() << "Generic linear layout must be surjective, i.e. all output values must "
                          "be covered by some "
                          "input.";
  return success();
}

LogicalResult NvidiaMmaEncodingAttr::verify(EmitError emitError, unsigned versionMajor, unsigned,
                                            ArrayRef<unsigned>, CGAEncodingAttr,
                                            ArrayRef<unsigned>) {
  if (versionMajor == 1)
    return emitError() << "Volta (versionMajor = 1) is deprecated and no longer supported";
  if (versionMajor != 2 && versionMajor != 3)
    return emitError() << "versionMajor must be 2 (Ampere) or 3 (Hopper), got " << versionMajor;
  return success();
}

LogicalResult AMDMfmaEncodingAttr::verify(EmitError emitError, unsigned version, ArrayRef<unsigned>,
                                          ArrayRef<unsigned> instrShape, bool, CGAEncodingAttr,
                                          ArrayRef<unsigned>, unsigned elementBitWidth) {
  if (version > 4) return emitError() << "version must be in the [0, 4] range";
  std::array<unsigned, 2> tile = {instrShape.empty() ? 0 : instrShape[0],
                                  instrShape.size() > 1 ? instrShape[1] : 0};
  if (!llvm::is_contained(chips::mfmaTiles(), tile))
    return emitError() << "invalid (mDim, nDim) combination: (" << tile[0] << ", " << tile[1]
                       << ")";
  if (elementBitWidth != 32 && elementBitWidth != 64)
    return emitError() << "elementBitWidth must be 32 or 64";
  return success();
}

LogicalResult AMDWmmaEncodingAttr::verify(EmitError emitError, unsigned version, LinearLayout, bool,
                                          CGAEncodingAttr, ArrayRef<unsigned> instrShape) {
  if (version < 1 || version > 3) return emitError() << "WMMA version must be in the [1, 3] range";
  if (instrShape.size() != 3 ||
      !chips::hasWmmaShape(version, {instrShape[0], instrShape[1], instrShape[2]}))
    return emitError() << "invalid WMMA v" << version << " instruction shape";
  return success();
}

LogicalResult DotOperandEncodingAttr::verify(EmitError emitError, unsigned opIdx, Attribute parent,
                                             unsigned kWidth) {
  if (opIdx > 1) return emitError() << "ttg.dot_op opIdx parameter can be 0 or 1, got: " << opIdx;
  if (!parent) return emitError() << "ttg.dot_op parent parameter cannot be null";
  if (auto mma = dyn_cast<NvidiaMmaEncodingAttr>(parent)) {
    bool known = mma.isAmpere() || mma.isHopper();
    if (kWidth != 0 && !known)
      return emitError()
             << "ttg.dot_op kWidth parameter can only be non-zero for Ampere or Hopper MMA parent";
    if (kWidth == 0 && known)
      return emitError()
             << "ttg.dot_op kWidth parameter is mandatory for Ampere or Hopper MMA parent";
    if (opIdx != 0 && mma.isHopper())
      return emitError() << "ttg.dot_op opIdx parameter must be 0 for Hopper MMA parent, since "
                            "Hopper WGMMA only allows "
                            "first operand to be in registers";
    return success();
  }
  if (auto wmma = dyn_cast<AMDWmmaEncodingAttr>(parent)) {
    if (chips::hasWmmaKWidth(wmma.getVersion(), kWidth)) return success();
    if (wmma.getVersion() == 1)
      return emitError()
             << "ttg.dot_op kWidth parameter must be 8/16 for WMMA v1 (including packed cases for "
                "`scaled_dot`)";
    if (wmma.getVersion() == 2)
      return emitError() << "ttg.dot_op kWidth parameter must be 4/8/16 for WMMA v2 (including "
                            "packed cases for "
                            "`scaled_dot`)";
    return emitError() << "ttg.dot_op kWidth parameter is mandatory for WMMA v3 ";
  }
  if (isa<AMDMfmaEncodingAttr>(parent)) {
    if (kWidth == 0)
      return emitError() << "ttg.dot_op kWidth parameter is mandatory for MFMA parent";
    return success();
  }
  if (isa<BlockedEncodingAttr>(parent)) {
    if (kWidth != 0)
      return emitError()
             << "ttg.dot_op kWidth parameter is not supported when the parent is a blocked layout";
    return success();
  }
  return emitError() << "ttg.dot_op unexpected parent layout: " << parent;
}

LogicalResult SwizzledSharedEncodingAttr::verify(EmitError emitError, unsigned, unsigned, unsigned,
                                                 ArrayRef<unsigned> order, CGAEncodingAttr cga) {
  if (order.size() != cga.getRank())
    return emitError() << "order size (" << order.size() << ") must match CGALayout rank ("
                       << cga.getRank() << ")";
  return verifyOrder(emitError, order);
}

LogicalResult AMDRotatingSharedEncodingAttr::verify(EmitError emitError, unsigned vec,
                                                    unsigned perPhase, unsigned maxPhase,
                                                    ArrayRef<unsigned> order, CGAEncodingAttr cga) {
  return SwizzledSharedEncodingAttr::verify(emitError, vec, perPhase, maxPhase, order, cga);
}

LogicalResult PaddedSharedEncodingAttr::verify(EmitError emitError, ArrayRef<unsigned> intervals,
                                               ArrayRef<unsigned> paddings, LinearLayout linear) {
  if (intervals.size() != paddings.size())
    return emitError() << "intervals size (" << intervals.size() << ") must match paddings size ("
                       << paddings.size() << ")";
  if (intervals.empty()) return emitError() << "must have at least one interval-padding pair";
  if (!llvm::all_of(intervals, llvm::isPowerOf2_32))
    return emitError() << "interval values must all be power of two";
  if (!llvm::all_of(paddings, llvm::isPowerOf2_32))
    return emitError() << "padding values must all be power of two";
  if (llvm::SmallSet<unsigned, 4>(intervals.begin(), intervals.end()).size() != intervals.size())
    return emitError() << "interval values cannot have duplicates";
  if (linear.ins().empty()) return emitError() << "linearComponent cannot be empty";
  if (!llvm::equal(linear.inDims(), ArrayRef<Dim>({Dim::Offset, Dim::Block})))
    return emitError() << "linearComponent must have [offset, block] as input dims";
  if (!llvm::equal(linear.outDims(),
                   layout::tensorDims(static_cast<unsigned>(linear.outs().size()))))
    return emitError() << "Expected output dimensions to be ['dim0', 'dim1', ...].";
  if (!linear.sublayout(Dim::Offset, linear.outDims()).isInjective())
    return emitError() << "Broadcasting in offset dimension is not supported.";
  for (Dim dim : {Dim::Offset, Dim::Block}) {
    auto bases = linear.bases(dim);
    if (!llvm::all_of(bases, movesInOneDimension))
      return emitError() << "Each offset basis must move in at most one dimension.";
    if (!llvm::all_of(bases, [](ArrayRef<int32_t> basis) {
          return llvm::all_of(basis, [](int32_t value) {
            return value == 0 || llvm::isPowerOf2_32(static_cast<uint32_t>(value));
          });
        }))
      return emitError() << "Each offset basis must be 0 or a power of two.";
  }
  return success();
}

LogicalResult SharedLinearEncodingAttr::verify(EmitError emitError, LinearLayout linear,
                                               unsigned alignment) {
  if (!llvm::isPowerOf2_32(alignment))
    return emitError() << "alignment must be a positive power of two";
  if (failed(verifyDims(emitError, linear, {Dim::Offset, Dim::Block}))) return failure();
  if (linear.outs().empty())
    return emitError() << "SharedLinearEncodingAttr requires at least one output dimension.";
  if (!linear.isSurjective()) return emitError() << "The layout must be surjective";
  if (!linear.removeZeroBases(Dim::Offset).removeZeroBases(Dim::Block).isInvertible())
    return emitError() << "After removing the zero bases the layout must be bijective";
  return success();
}

LogicalResult NVMMASharedEncodingAttr::verify(EmitError emitError, unsigned swizzlingByteWidth,
                                              bool, unsigned elementBitWidth, bool,
                                              CGAEncodingAttr) {
  if (elementBitWidth == 0) return emitError() << "elementBitWidth must be non-zero";
  if (swizzlingByteWidth != 0 && !llvm::is_contained(chips::swizzleWidths, swizzlingByteWidth))
    return emitError() << "swizzlingByteWidth must be 0, 32, 64, or 128";
  return success();
}

LogicalResult PartitionedSharedEncodingAttr::verify(EmitError emitError, unsigned numPartitions,
                                                    unsigned numGroups, unsigned partitionDim,
                                                    SharedEncodingTrait partitionLayout) {
  if (numPartitions < 2 || !llvm::isPowerOf2_32(numPartitions))
    return emitError() << "numPartitions must be a power of 2 and at least 2";
  if (!llvm::isPowerOf2_32(numGroups))
    return emitError() << "numGroups must be a power of 2 and greater than 0";
  unsigned rank = cast<LayoutEncodingTrait>(Attribute(partitionLayout)).getRank();
  if (partitionDim >= rank)
    return emitError() << "partitionDim (" << partitionDim
                       << ") must be less than the layout rank (" << rank << ")";
  return success();
}

} // namespace gluond::ttg
