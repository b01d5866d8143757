// Layout::make(): defaults and well-formedness, one function for each kind.
#include "chips/Chip.h"
#include "chips/MatrixInstructions.h"
#include "chips/MemorySizes.h"
#include "layout/named/FieldNames.h"
#include "layout/named/Layout.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/SmallSet.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/MathExtras.h>
#include <llvm/Support/raw_ostream.h>

namespace gluond::layout {

namespace {
namespace names = fieldsInIr;
using Problem = std::optional<LayoutError>;

template <typename... Ts> LayoutError error(llvm::StringRef field, const Ts&... parts) {
  LayoutError result{field.str(), {}};
  llvm::raw_string_ostream os(result.message);
  (os << ... << parts);
  return result;
}

bool powerOfTwo(int64_t v) {
  return v > 0 && llvm::isPowerOf2_64(static_cast<uint64_t>(v));
}

Problem checkRank(llvm::StringRef field, size_t rank) {
  if (rank == 0) return error(field, "must have at least one dimension");
  if (rank > maxRank)
    return error(field, "has ", rank, " dimensions; at most ", maxRank, " are supported");
  return std::nullopt;
}

Problem checkPowers(llvm::StringRef field, llvm::ArrayRef<int32_t> values) {
  for (int32_t v : values)
    if (!powerOfTwo(v)) return error(field, "must be powers of two, but ", v, " is not");
  return std::nullopt;
}

// Numbers that must be positive for every instruction; whether the rest fits a tensor is checked
// during conversion.
Problem checkPositive(llvm::StringRef field, llvm::ArrayRef<int32_t> values) {
  for (int32_t v : values)
    if (v < 1) return error(field, "must be positive, but ", v, " is not");
  return std::nullopt;
}

Problem checkOrder(llvm::ArrayRef<unsigned> order) {
  uint64_t seen = 0;
  for (unsigned dim : order) {
    if (dim >= order.size() || (seen >> dim & 1))
      return error(names::order, "must be a permutation of 0..", order.size() - 1);
    seen |= uint64_t(1) << dim;
  }
  return std::nullopt;
}

// A CGALayout without dimensions is one CTA.
Problem completeCga(LinearLayout& cga, size_t rank) {
  if (cga.valid() && cga.ins().empty() && cga.outs().empty())
    cga = oneCta(static_cast<unsigned>(rank));
  if (!cga.valid() || cga.inDims() != Dims{Dim::Block})
    return error(names::CGALayout, "must map block, and nothing else");
  if (cga.outDims() != tensorDims(static_cast<unsigned>(rank)))
    return error(names::CGALayout, "must have rank ", rank, ", but it has ", cga.outs().size());
  if (!cga.isPermutation())
    return error(names::CGALayout,
                 "must give each CTA its own tile: apart from zeros, the bases must "
                 "be different powers of two that "
                 "leave no gap");
  return std::nullopt;
}

Problem checkTensorOuts(llvm::StringRef field, const LinearLayout& linear) {
  if (!linear.valid()) return error(field, "is too large");
  if (Problem p = checkRank(field, linear.outs().size())) return p;
  if (linear.outDims() != tensorDims(static_cast<unsigned>(linear.outs().size())))
    return error(field, "must map to dim0, dim1, ...");
  return std::nullopt;
}

Problem checkIns(llvm::StringRef field, const LinearLayout& linear, const Dims& expected) {
  if (linear.inDims() == expected) return std::nullopt;
  LayoutError e = error(field, "must map ");
  llvm::raw_string_ostream os(e.message);
  llvm::interleaveComma(expected, os, [&](Dim d) { os << name(d); });
  os << ", in this order";
  return e;
}

// How many coordinates of a basis are not zero.
unsigned movesAlong(const Coordinates& basis) {
  return static_cast<unsigned>(llvm::count_if(basis, [](int32_t v) { return v != 0; }));
}
} // namespace

// ---------------------------------------------------------------- the CTA part

LinearLayout oneCta(unsigned rank) {
  LinearLayout result;
  for (unsigned i = 0; i < rank; ++i)
    result.timesIdentity(1, Dim::Block, tensorDim(i));
  return result;
}

OrError<LinearLayout> makeCga(const Bases& bases, unsigned rank) {
  if (Problem p = checkRank(names::CGALayout, rank)) return tl::make_unexpected(*p);
  LinearLayout::InBases in{Dim::Block, bases};
  auto cga = LinearLayout::fromBases(in, llvm::ArrayRef(tensorDims(rank)));
  if (!cga) return tl::make_unexpected(error(names::CGALayout, cga.error()));
  LinearLayout result = std::move(*cga);
  if (Problem p = completeCga(result, rank)) return tl::make_unexpected(*p);
  return result;
}

// ---------------------------------------------------------------- distributed

Problem complete(Blocked& f) {
  size_t rank = f.order.size();
  if (Problem p = checkRank(names::order, rank)) return p;
  for (auto [field, values] : {std::pair(names::sizePerThread, &f.sizePerThread),
                               std::pair(names::threadsPerWarp, &f.threadsPerWarp),
                               std::pair(names::warpsPerCTA, &f.warpsPerCTA)}) {
    if (values->size() != rank)
      return error(field, "has ", values->size(), " entries, but order has ", rank);
    if (Problem p = checkPowers(field, *values)) return p;
  }
  if (Problem p = checkOrder(f.order)) return p;
  return completeCga(f.CGALayout, rank);
}

Problem complete(Slice& f) {
  if (!f.parent.isDistributed()) return error(names::parent, "must be a distributed layout");
  unsigned rank = f.parent.rank();
  if (rank < 2) return error(names::parent, "must have at least two dimensions");
  if (f.dim >= rank) return error(names::dim, "must be less than the parent's rank, ", rank);
  return std::nullopt;
}

Problem complete(Linear& f) {
  if (Problem p = checkTensorOuts("linearLayout", f.linearLayout)) return p;
  if (Problem p = checkIns("linearLayout", f.linearLayout,
                           {Dim::Register, Dim::Lane, Dim::Warp, Dim::Block}))
    return p;
  if (!f.generic) {
    if (!f.linearLayout.isPermutation())
      return error("linearLayout",
                   "must be a permutation of the tensor's index bits, apart from zero bases");
    return std::nullopt;
  }
  for (Dim in : {Dim::Register, Dim::Lane, Dim::Block})
    for (const Coordinates& basis : f.linearLayout.bases(in))
      if (movesAlong(basis) > 1)
        return error("linearLayout", name(in), " bases must move along one dimension");
  if (!f.linearLayout.isSurjective())
    return error("linearLayout", "does not cover the whole tensor");
  return std::nullopt;
}

Problem complete(DotOperand& f) {
  if (f.opIdx > 1) return error(names::opIdx, "must be 0 or 1");
  if (f.parent && f.parent.rank() < 2)
    return error(names::parent, "must have at least two dimensions");
  if (f.kWidth != 0 && !powerOfTwo(f.kWidth))
    return error(names::kWidth, "must be a power of two, but ", f.kWidth, " is not");
  if (const auto* mma = f.parent.as<NvidiaMma>()) {
    if (f.kWidth == 0) return error(names::kWidth, "must be given for an NVIDIA MMA parent");
    if (f.opIdx == 1 && mma->versionMajor == 3)
      return error(names::opIdx, "must be 0: wgmma takes only its first operand from registers");
    return std::nullopt;
  }
  if (const auto* wmma = f.parent.as<AmdWmma>()) {
    if (chips::hasWmmaKWidth(wmma->version, f.kWidth)) return std::nullopt;
    if (wmma->version == 1) return error(names::kWidth, "must be 8 or 16 for WMMA v1");
    if (wmma->version == 2) return error(names::kWidth, "must be 4, 8 or 16 for WMMA v2");
    return error(names::kWidth, "must be given for a WMMA parent");
  }
  if (f.parent.is(LayoutKind::AmdMfma)) {
    if (f.kWidth == 0) return error(names::kWidth, "must be given for an MFMA parent");
    return std::nullopt;
  }
  if (f.parent.is(LayoutKind::Blocked)) {
    if (f.kWidth != 0) return error(names::kWidth, "must be 0 for a blocked parent");
    return std::nullopt;
  }
  return error(names::parent, "must be a matrix-unit layout or a blocked layout");
}

Problem complete(NvidiaMma& f) {
  if (f.versionMajor != 2 && f.versionMajor != 3)
    return error(names::versionMajor, "must be 2 or 3");
  if (Problem p = checkRank(names::warpsPerCTA, f.warpsPerCTA.size())) return p;
  if (Problem p = checkPositive(names::warpsPerCTA, f.warpsPerCTA)) return p;
  if (Problem p = checkPositive(names::instrShape, f.instrShape)) return p;
  return completeCga(f.CGALayout, f.warpsPerCTA.size());
}

Problem complete(AmdMfma& f) {
  if (f.version > 4) return error(names::version, "must be in 0..4");
  if (Problem p = checkRank(names::warpsPerCTA, f.warpsPerCTA.size())) return p;
  if (Problem p = checkPositive(names::warpsPerCTA, f.warpsPerCTA)) return p;
  if (Problem p = checkPositive(names::instrShape, f.instrShape)) return p;
  if (f.instrShape.size() < 2) return error(names::instrShape, "must be M, N, K");
  std::array<unsigned, 2> tile = {static_cast<unsigned>(f.instrShape[0]),
                                  static_cast<unsigned>(f.instrShape[1])};
  if (!llvm::is_contained(chips::mfmaTiles(), tile))
    return error(names::instrShape, "must begin with 32x32, 16x16, 64x4 or 4x64, not ", tile[0],
                 "x", tile[1]);
  if (f.elementBitWidth == 0) f.elementBitWidth = 32;
  if (f.elementBitWidth != 32 && f.elementBitWidth != 64)
    return error(names::elementBitWidth, "must be 32 or 64");
  if (f.tilesPerWarp.empty()) f.tilesPerWarp.assign(f.warpsPerCTA.size(), 1);
  if (f.tilesPerWarp.size() != f.warpsPerCTA.size())
    return error(names::tilesPerWarp, "must be as long as warps_per_cta");
  if (Problem p = checkPositive(names::tilesPerWarp, f.tilesPerWarp)) return p;
  return completeCga(f.CGALayout, f.warpsPerCTA.size());
}

Problem complete(AmdWmma& f) {
  if (f.version < 1 || f.version > 3) return error(names::version, "must be in 1..3");
  if (Problem p = checkTensorOuts("ctaLayout", f.ctaLayout)) return p;
  if (Problem p = checkIns("ctaLayout", f.ctaLayout, {Dim::Register, Dim::Warp})) return p;
  if (!f.ctaLayout.isSurjective()) return error("ctaLayout", "leaves some tiles to no warp");
  if (f.instrShape.empty()) f.instrShape = {16, 16, 16};
  chips::Mnk shape = {};
  if (f.instrShape.size() == shape.size()) llvm::copy(f.instrShape, shape.begin());
  if (!chips::hasWmmaShape(f.version, shape))
    return error(names::instrShape, "is not a WMMA instruction of version ", f.version);
  return completeCga(f.CGALayout, f.ctaLayout.outs().size());
}

// ---------------------------------------------------------------- shared memory

namespace {
template <typename T> Problem completeSwizzle(T& f) {
  if (Problem p = checkRank(names::order, f.order.size())) return p;
  if (Problem p = checkOrder(f.order)) return p;
  for (auto [field, v] : {std::pair(names::vec, f.vec), std::pair(names::perPhase, f.perPhase),
                          std::pair(names::maxPhase, f.maxPhase)})
    if (v == 0) return error(field, "must be at least 1");
  return completeCga(f.CGALayout, f.order.size());
}
} // namespace

Problem complete(SwizzledShared& f) {
  return completeSwizzle(f);
}
Problem complete(AmdRotatingShared& f) {
  return completeSwizzle(f);
}

Problem complete(PaddedShared& f) {
  if (f.intervals.empty())
    return error("intervals", "must have at least one pair of interval and padding");
  if (f.intervals.size() != f.paddings.size())
    return error("paddings", "must be as many as the intervals");
  if (Problem p = checkPowers("intervals", f.intervals)) return p;
  if (Problem p = checkPowers("paddings", f.paddings)) return p;
  llvm::SmallSet<int32_t, 4> seen;
  for (int32_t interval : f.intervals)
    if (!seen.insert(interval).second) return error("intervals", "has ", interval, " twice");
  if (Problem p = checkTensorOuts("linearComponent", f.linearComponent)) return p;
  if (Problem p = checkIns("linearComponent", f.linearComponent, {Dim::Offset, Dim::Block}))
    return p;
  if (f2::rank(f.linearComponent.columns(Dim::Offset)) != f.linearComponent.inBits(Dim::Offset))
    return error("linearComponent", "must not store an element at two offsets");
  for (Dim in : {Dim::Offset, Dim::Block})
    for (const Coordinates& basis : f.linearComponent.bases(in)) {
      if (movesAlong(basis) > 1)
        return error("linearComponent", name(in), " bases must move along one dimension");
      if (llvm::any_of(basis, [](int32_t v) { return v != 0 && !powerOfTwo(v); }))
        return error("linearComponent", name(in), " bases must be powers of two");
    }
  return std::nullopt;
}

Problem complete(SharedLinear& f) {
  if (!powerOfTwo(f.layoutAlignment)) return error("layoutAlignment", "must be a power of two");
  if (Problem p = checkTensorOuts("linearLayout", f.linearLayout)) return p;
  if (Problem p = checkIns("linearLayout", f.linearLayout, {Dim::Offset, Dim::Block})) return p;
  if (!f.linearLayout.isSurjective())
    return error("linearLayout", "does not cover the whole tensor");
  if (!f.linearLayout.removeZeroBases(Dim::Offset).removeZeroBases(Dim::Block).isInvertible())
    return error("linearLayout", "must store every element once, apart from zero bases");
  return std::nullopt;
}

Problem complete(NvmmaShared& f) {
  if (!powerOfTwo(f.elementBitWidth) || f.elementBitWidth > 128)
    return error(names::elementBitWidth, "must be a power of two up to 128");
  if (f.swizzlingByteWidth != 0 && !llvm::is_contained(chips::swizzleWidths, f.swizzlingByteWidth))
    return error(names::swizzlingByteWidth, "must be 0, 32, 64 or 128");
  if (f.CGALayout.outs().empty())
    return error(names::CGALayout, "must be given: it carries the rank");
  if (Problem p = checkRank(names::CGALayout, f.CGALayout.outs().size())) return p;
  return completeCga(f.CGALayout, f.CGALayout.outs().size());
}

Problem complete(PartitionedShared& f) {
  if (f.numPartitions < 2 || !powerOfTwo(f.numPartitions))
    return error(names::numPartitions, "must be a power of two and at least 2");
  if (!powerOfTwo(f.numGroups)) return error(names::numGroups, "must be a power of two");
  if (!f.partitionLayout.isShared() || f.partitionLayout.is(LayoutKind::PartitionedShared))
    return error(names::partitionLayout, "must be a shared layout");
  if (f.partitionDim >= f.partitionLayout.rank())
    return error(names::partitionDim, "must be less than the rank, ", f.partitionLayout.rank());
  return std::nullopt;
}

// ---------------------------------------------------------------- tensor memory

Problem complete(TensorMemory& f) {
  if (Problem p = completeCga(f.CGALayout, 2)) return p;
  if (f.twoCTAs && (f.CGALayout.inBits(Dim::Block) == 0 ||
                    f.CGALayout.basis(Dim::Block, 0) != Coordinates{1, 0}))
    return error(names::CGALayout, "must begin with [1, 0] when two CTAs work as a pair");
  if (f.blockM != chips::halfTensorMemoryRows && f.blockM != chips::tensorMemoryRows)
    return error(names::blockM, "must be ", chips::halfTensorMemoryRows, " or ",
                 chips::tensorMemoryRows, ", not ", f.blockM);
  if (!powerOfTwo(f.blockN) || f.blockN > chips::tensorMemoryColumns)
    return error(names::blockN, "must be a power of two up to ", chips::tensorMemoryColumns,
                 ", not ", f.blockN);
  if (f.colStride != 1 && f.colStride != 2 && f.colStride != 4)
    return error(names::colStride, "must be 1, 2 or 4, not ", f.colStride);
  if (f.fp4Padded && f.colStride != 1) return error(names::colStride, "must be 1 with fp4Padded");
  return std::nullopt;
}

Problem complete(TensorMemoryScales& f) {
  return completeCga(f.CGALayout, 2);
}

} // namespace gluond::layout
