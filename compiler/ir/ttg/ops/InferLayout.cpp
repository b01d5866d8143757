// Encodings of results, chosen such that the op moves nothing: each thread keeps its elements under
// new coordinates.
#include "chips/MatrixInstructions.h"
#include "chips/Occupancy.h"
#include "ir/layouts/Layouts.h"
#include "ir/tt/ElementTypes.h"
#include "ir/tt/ReleaseInForce.h"
#include "ir/ttg/Ops.h"
#include "ir/ttg/ops/BlockedReshape.h"
#include "ir/ttg/ops/Interfaces.h"
#include "layout/named/Properties.h"

using namespace mlir;

namespace gluond::ttg {

using layout::Dim;
using layout::LinearLayout;

namespace {

template <class T> SmallVector<T> permuted(ArrayRef<T> values, ArrayRef<int32_t> order) {
  SmallVector<T> result;
  for (int32_t i : order)
    result.push_back(values[i]);
  return result;
}

CGAEncodingAttr permuted(CGAEncodingAttr cga, ArrayRef<int32_t> order) {
  SmallVector<unsigned> dims(order.begin(), order.end());
  return CGAEncodingAttr::get(cga.getContext(),
                              layout::transposeTensor(cga.getLinearLayout(), dims));
}

// The result dimension that source dimension i becomes.
SmallVector<unsigned> inverse(ArrayRef<int32_t> order) {
  SmallVector<unsigned> result(order.size());
  for (auto [i, dim] : llvm::enumerate(order))
    result[dim] = static_cast<unsigned>(i);
  return result;
}

bool isPermutation(ArrayRef<int32_t> order) {
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  return llvm::equal(sorted, llvm::seq<int32_t>(0, static_cast<int32_t>(order.size())));
}

// Removes the basis that steps by one along `axis`, which must be a register's: the two halves are
// then in the same threads. Nothing where it is not.
std::optional<LinearLayout> halve(const LinearLayout& linear, unsigned axis) {
  SmallVector<LinearLayout::InBases, 4> inputs;
  SmallVector<layout::Bases, 4> kept;
  bool found = false;
  for (layout::DimBits in : linear.ins()) {
    layout::Bases& bases = kept.emplace_back();
    for (layout::Coordinates basis : linear.bases(in.dim)) {
      if (basis[axis] == 1 && in.dim == Dim::Register) {
        found = true;
        continue;
      }
      basis[axis] /= 2;
      bases.push_back(basis);
    }
  }
  if (!found) return std::nullopt;
  for (auto [in, bases] : llvm::zip(linear.ins(), kept))
    inputs.push_back({in.dim, bases});
  auto made = LinearLayout::fromBases(inputs, linear.outDims());
  return made ? std::optional(std::move(*made)) : std::nullopt;
}

struct InferLayout : tt::InferLayoutInterface {
  using InferLayoutInterface::InferLayoutInterface;

  Encoding linearOrFail(const LinearLayout& linear, Attribute source, Loc loc) const {
    if (Attribute result = ir::linearEncoding(getContext(), linear, source)) return result;
    return emitOptionalError(loc, "no linear layout follows from ", source);
  }

  // A tensor's own dimensions are a closed set (layout/linear/Dim.h).
  LogicalResult verifyRank(size_t rank, Loc loc) const {
    if (rank <= layout::maxRank) return success();
    return emitOptionalError(loc, "a tensor with a layout has at most ", layout::maxRank,
                             " dimensions; the result would have ", rank);
  }

  Encoding reduce(Attribute operand, unsigned axis, Loc loc) const final {
    auto parent = dyn_cast<DistributedEncodingTrait>(operand);
    if (!parent)
      return emitOptionalError(loc, "reduction of a tensor without a distributed layout");
    auto slice = SliceEncodingAttr::getChecked(
        [&] { return emitError(loc.value_or(UnknownLoc::get(getContext()))); }, getContext(), axis,
        parent);
    if (!slice) return failure();
    return Attribute(slice);
  }

  Encoding expandDims(Attribute operand, unsigned axis, Loc loc) const final {
    auto slice = dyn_cast<SliceEncodingAttr>(operand);
    if (!slice)
      return emitOptionalError(loc, "ExpandDimsOp operand encoding must be SliceEncodingAttr");
    if (slice.getDim() != axis)
      return emitOptionalError(loc, "Incompatible slice dimension for ExpandDimsOp operand");
    return Attribute(slice.getParent());
  }

  Encoding trans(Attribute operand, Shape shape, ArrayRef<int32_t> order, Loc loc) const final {
    if (shape.size() != order.size())
      return emitOptionalError(loc, "shape and order rank do not match: ", shape.size(), " vs ",
                               order.size());
    if (!isPermutation(order))
      return emitOptionalError(loc, "order must be a permutation of 0..n-1");
    if (llvm::is_sorted(order)) return operand;
    auto layout = dyn_cast<LayoutEncodingTrait>(operand);
    if (!layout) return emitOptionalError(loc, "no layout is known to follow from ", operand);
    auto rankFits = [&](unsigned rank) -> LogicalResult {
      if (rank == order.size()) return success();
      return emitOptionalError(loc, "rank of encoding does not match order: ", rank, " vs ",
                               order.size());
    };
    MLIRContext* context = getContext();
    auto newPlace = inverse(order);
    auto renamed = [&](ArrayRef<unsigned> dims) {
      SmallVector<unsigned> result;
      for (unsigned dim : dims)
        result.push_back(newPlace[dim]);
      return result;
    };
    if (auto blocked = dyn_cast<BlockedEncodingAttr>(operand)) {
      if (failed(rankFits(layout.getRank()))) return failure();
      return BlockedEncodingAttr::get(
          context, permuted(blocked.getSizePerThread(), order),
          permuted(blocked.getThreadsPerWarp(), order), permuted(blocked.getWarpsPerCTA(), order),
          renamed(blocked.getOrder()), permuted(blocked.getCGALayout(), order));
    }
    if (auto swizzled = dyn_cast<SwizzledSharedEncodingAttr>(operand)) {
      if (failed(rankFits(layout.getRank()))) return failure();
      return SwizzledSharedEncodingAttr::get(context, swizzled.getVec(), swizzled.getPerPhase(),
                                             swizzled.getMaxPhase(), renamed(swizzled.getOrder()),
                                             permuted(swizzled.getCGALayout(), order));
    }
    if (auto nvmma = dyn_cast<NVMMASharedEncodingAttr>(operand);
        nvmma && order == ArrayRef<int32_t>({1, 0})) {
      if (failed(rankFits(layout.getRank()))) return failure();
      return NVMMASharedEncodingAttr::get(
          context, nvmma.getSwizzlingByteWidth(), !nvmma.getTransposed(),
          nvmma.getElementBitWidth(), nvmma.getFp4Padded(), permuted(nvmma.getCGALayout(), order));
    }
    if (auto partitioned = dyn_cast<PartitionedSharedEncodingAttr>(operand)) {
      SmallVector<int64_t> piece(shape);
      if (partitioned.getPartitionDim() < piece.size())
        piece[partitioned.getPartitionDim()] /= partitioned.getNumLogicalPieces();
      auto inner = trans(partitioned.getPartitionLayout(), piece, order, loc);
      if (failed(inner)) return failure();
      auto shared = dyn_cast<SharedEncodingTrait>(*inner);
      if (!shared || partitioned.getPartitionDim() >= order.size())
        return emitOptionalError(loc, "transposed partition layout is not a SharedEncodingTrait");
      return PartitionedSharedEncodingAttr::get(context, partitioned.getNumPartitions(),
                                                partitioned.getNumGroups(),
                                                newPlace[partitioned.getPartitionDim()], shared);
    }
    auto padded = dyn_cast<PaddedSharedEncodingAttr>(operand);
    const LinearLayout& linear =
        padded ? padded.getLinearComponent() : ir::toLinearLayout(shape, operand);
    if (!linear.valid())
      return emitOptionalError(loc, "layout ", operand, " does not fit the shape");
    if (failed(rankFits(static_cast<unsigned>(linear.outs().size())))) return failure();
    SmallVector<unsigned> dims(order.begin(), order.end());
    LinearLayout result = layout::transposeTensor(linear, dims);
    if (padded)
      return PaddedSharedEncodingAttr::get(context, padded.getIntervals(), padded.getPaddings(),
                                           result);
    if (auto shared = dyn_cast<SharedEncodingTrait>(operand)) {
      auto attr = SharedLinearEncodingAttr::getChecked(
          [&] { return emitError(loc.value_or(UnknownLoc::get(context))); }, context, result,
          static_cast<unsigned>(shared.getAlignment()));
      if (!attr) return failure();
      return Attribute(attr);
    }
    if (!isa<DistributedEncodingTrait>(operand))
      return emitOptionalError(loc, "no layout is known to follow from ", operand);
    return linearOrFail(result, operand, loc);
  }

  Encoding reshape(Shape from, Attribute encoding, Shape to, Attribute hint, bool allowReorder,
                   Loc loc) const final {
    if (failed(verifyRank(to.size(), loc))) return failure();
    if (ShapedType::getNumElements(from) != ShapedType::getNumElements(to))
      return emitOptionalError(loc, "numel of dst shape does not match numel of src shape");
    if (allowReorder && hint && !ir::isExpensiveView(from, encoding, to, hint)) return hint;
    auto distributed = dyn_cast<DistributedEncodingTrait>(encoding);
    if (distributed)
      if (Attribute result = reshapeByOne(from, distributed, to);
          result && !tt::follows(releases::Rule::ReshapesAreLinear, encoding.getContext()))
        return result;
    if (auto blocked = dyn_cast<BlockedEncodingAttr>(encoding))
      if (Attribute result = inferBlockedReshape(blocked, from, to)) return result;
    if (!distributed) return emitOptionalError(loc, "Failed MemDescReshapeOp encoding inference");
    return linearOrFail(layout::reshapeTensor(ir::toLinearLayout(from, encoding), to), encoding,
                        loc);
  }

  // A reshape that only drops a dimension of size one slices the layout, and one that only adds the
  // dimension of a slice gives the parent back, where the elements stay exactly where they are.
  // Linear layouts stay linear. Null for every other reshape.
  Attribute reshapeByOne(Shape from, DistributedEncodingTrait encoding, Shape to) const {
    auto isInsertion = [](Shape less, Shape more, size_t axis) {
      return less.size() + 1 == more.size() && axis < more.size() && more[axis] == 1 &&
             less.take_front(axis) == more.take_front(axis) &&
             less.drop_front(axis) == more.drop_front(axis + 1);
    };
    auto keepsElements = [&](Attribute candidate) {
      const LinearLayout &source = ir::toLinearLayout(from, encoding),
                         &result = ir::toLinearLayout(to, candidate);
      return source.valid() && result.valid() && layout::reshapeTensor(source, to) == result;
    };
    if (auto slice = dyn_cast<SliceEncodingAttr>(encoding);
        slice && isInsertion(from, to, slice.getDim()) && keepsElements(slice.getParent()))
      return slice.getParent();
    if (isa<LinearEncodingAttr>(encoding)) return {};
    for (unsigned axis = 0; axis < from.size(); ++axis)
      if (isInsertion(to, from, axis))
        if (auto slice = SliceEncodingAttr::get(getContext(), axis, encoding); keepsElements(slice))
          return slice;
    return {};
  }

  Encoding join(Attribute operand, Shape shape, Loc loc) const final {
    if (failed(verifyRank(shape.size() + 1, loc))) return failure();
    MLIRContext* context = getContext();
    SmallVector<int64_t> joined(shape);
    joined.push_back(2);
    if (auto slice = dyn_cast<SliceEncodingAttr>(operand);
        slice && slice.getDim() == shape.size()) {
      auto parts = split(slice.getParent(), joined, loc);
      if (succeeded(parts) && succeeded(verifyEqual(shape, *parts, operand, std::nullopt, true)))
        return Attribute(slice.getParent());
    } else if (auto blocked = dyn_cast<BlockedEncodingAttr>(operand)) {
      auto append = [](ArrayRef<unsigned> values, unsigned value) {
        SmallVector<unsigned> result(values);
        result.push_back(value);
        return result;
      };
      SmallVector<unsigned> order(blocked.getOrder());
      order.insert(order.begin(), static_cast<unsigned>(order.size()));
      LinearLayout cga = blocked.getCGALayout().getLinearLayout();
      cga = layout::insertTensorDim(cga, static_cast<unsigned>(cga.outs().size()));
      return BlockedEncodingAttr::get(
          context, append(blocked.getSizePerThread(), 2), append(blocked.getThreadsPerWarp(), 1),
          append(blocked.getWarpsPerCTA(), 1), order, CGAEncodingAttr::get(context, cga));
    }
    auto rank = static_cast<unsigned>(shape.size());
    LinearLayout linear = layout::insertTensorDim(ir::toLinearLayout(shape, operand), rank);
    return linearOrFail(
        LinearLayout::identity1D(2, Dim::Register, layout::tensorDim(rank)) * linear, operand, loc);
  }

  Encoding split(Attribute operand, Shape shape, Loc loc) const final {
    MLIRContext* context = getContext();
    if (auto blocked = dyn_cast<BlockedEncodingAttr>(operand);
        blocked && blocked.getRank() > 0 && blocked.getSizePerThread().back() == 2 &&
        blocked.getThreadsPerWarp().back() == 1 && blocked.getWarpsPerCTA().back() == 1 &&
        blocked.getCGALayout().getCTAsPerCGA().back() == 1) {
      unsigned last = blocked.getRank() - 1;
      SmallVector<unsigned> order(blocked.getOrder());
      llvm::erase(order, last);
      LinearLayout cga = layout::removeTensorDim(blocked.getCGALayout().getLinearLayout(), last);
      return BlockedEncodingAttr::get(
          context, blocked.getSizePerThread().drop_back(), blocked.getThreadsPerWarp().drop_back(),
          blocked.getWarpsPerCTA().drop_back(), order, CGAEncodingAttr::get(context, cga));
    }
    if (shape.empty() || shape.back() != 2)
      return emitOptionalError(loc, "SplitOp input shape should have 2 in the last dim");
    const LinearLayout& linear = ir::toLinearLayout(shape, operand);
    if (!linear.valid())
      return emitOptionalError(loc, "layout ", operand, " does not fit the shape");
    auto rank = static_cast<unsigned>(shape.size());
    auto half = halve(linear, rank - 1);
    if (!half)
      return emitOptionalError(
          loc, "Fp4ToFpOp/SplitOp requires at least 2 elements per thread in the axis/last "
               "dimension");
    return linearOrFail(layout::removeTensorDim(*half, rank - 1), operand, loc);
  }

  Encoding fp4ToFp(Shape shape, unsigned axis, Attribute encoding, bool forward,
                   Loc loc) const final {
    MLIRContext* context = getContext();
    const LinearLayout& linear = ir::toLinearLayout(shape, encoding);
    if (!linear.valid() || axis >= shape.size())
      return emitOptionalError(loc, "layout ", encoding, " does not fit the shape");
    // Named layouts stay named where the packed dimension has place 0 in the order.
    auto order = layout::orderOf(linear);
    if (order[axis] == 0) {
      auto tooFew = [&] {
        return emitOptionalError(
            loc, "Fp4ToFpOp requires at least 2 elements per thread in the axis dimension");
      };
      if (auto operand = dyn_cast<DotOperandEncodingAttr>(encoding)) {
        unsigned kWidth = operand.getKWidth();
        if (!forward && kWidth <= 1) return tooFew();
        return DotOperandEncodingAttr::get(context, operand.getOpIdx(), operand.getParent(),
                                           forward ? kWidth * 2 : kWidth / 2);
      }
      if (auto blocked = dyn_cast<BlockedEncodingAttr>(encoding)) {
        SmallVector<unsigned> sizePerThread(blocked.getSizePerThread());
        if (!forward && sizePerThread[axis] <= 1) return tooFew();
        sizePerThread[axis] = forward ? sizePerThread[axis] * 2 : sizePerThread[axis] / 2;
        return BlockedEncodingAttr::get(context, sizePerThread, blocked.getThreadsPerWarp(),
                                        blocked.getWarpsPerCTA(), blocked.getOrder(),
                                        blocked.getCGALayout());
      }
    }
    LinearLayout pair = LinearLayout::identity1D(2, Dim::Register, layout::tensorDim(axis));
    if (forward) return linearOrFail(pair * linear, encoding, loc);
    auto half = linear.divideLeft(pair);
    if (!half) return emitOptionalError(loc, "invalid result layout for Fp4ToFpOp");
    return linearOrFail(*half, encoding, loc);
  }

  LogicalResult verifyDotOperand(Attribute operand, unsigned index, Attribute result,
                                 Loc loc) const final;
  LogicalResult verifyDotOperands(Operation* op, Attribute a, Attribute b) const final;
  LogicalResult verifyDotScaledOperands(Operation* op, Attribute a, Attribute b, Attribute aScale,
                                        Attribute bScale) const final;

  LogicalResult verifyCat(Operation* op) const final {
    auto unique = [](Type type) {
      const LinearLayout& linear = ir::toLinearLayout(cast<RankedTensorType>(type));
      return linear.valid() ? linear.removeZeroBases(Dim::Register).inSize(Dim::Register) : 0;
    };
    int64_t given = 2 * unique(op->getOperand(0).getType()),
            needed = unique(op->getResult(0).getType());
    if (given == needed) return success();
    return op->emitError("tt.cat result encoding requires ")
           << needed << " non-broadcast register values, but operands provide " << given;
  }

  LogicalResult verifyEqual(Shape shape, Attribute expected, Attribute got, Loc loc,
                            bool ignoreRegisterBroadcast) const final {
    if (expected == got) return success();
    if (!isa_and_nonnull<LayoutEncodingTrait>(expected) ||
        !isa_and_nonnull<LayoutEncodingTrait>(got))
      return failure();
    LinearLayout a = ir::toLinearLayout(shape, expected), b = ir::toLinearLayout(shape, got);
    if (ignoreRegisterBroadcast && a.valid() && b.valid()) {
      if (a.hasIn(Dim::Register)) a = a.removeZeroBases(Dim::Register);
      if (b.hasIn(Dim::Register)) b = b.removeZeroBases(Dim::Register);
    }
    if (a.valid() && a == b) return success();
    return emitOptionalError(loc, "Expected result encoding ", expected, " but was ", got);
  }

  bool isBroadcast(RankedTensorType from, RankedTensorType to) const final {
    if (!isa<DistributedEncodingTrait>(to.getEncoding())) return false;
    const LinearLayout &a = ir::toLinearLayout(from), &b = ir::toLinearLayout(to);
    if (!a.valid() || !b.valid()) return false;
    LinearLayout projected = b;
    for (layout::DimBits out : a.outs())
      projected = projected.resizeOut(out.dim, out.size());
    return a.removeZeroBases(Dim::Register) == projected.removeZeroBases(Dim::Register);
  }
};

// ---------------------------------------------------------------- matrix units

LogicalResult InferLayout::verifyDotOperand(Attribute operand, unsigned index, Attribute result,
                                            Loc loc) const {
  auto dotOperand = dyn_cast<DotOperandEncodingAttr>(operand);
  if (auto mma = dyn_cast<NvidiaMmaEncodingAttr>(result); mma && mma.isHopper()) {
    bool inRegisters = index == 0 && dotOperand && dotOperand.getOpIdx() == 0 &&
                       isa<NvidiaMmaEncodingAttr>(dotOperand.getParent());
    if (inRegisters || isa<NVMMASharedEncodingAttr, SharedLinearEncodingAttr>(operand))
      return success();
    return emitOptionalError(loc, "unexpected operand layout for NvidiaMmaEncodingAttr v3");
  }
  if (!dotOperand)
    return emitOptionalError(loc, "Dot's a/b's encoding should be of DotOperandEncodingAttr");
  if (index != dotOperand.getOpIdx()) return emitOptionalError(loc, "Wrong opIdx");
  if (dotOperand.getParent() == result) return success();
  // With several CTAs, operands of WMMA have CTA layouts of their own.
  auto wmma = dyn_cast<AMDWmmaEncodingAttr>(result),
       parent = dyn_cast<AMDWmmaEncodingAttr>(dotOperand.getParent());
  if (wmma && parent && wmma.isEqualIgnoringCGALayout(parent)) return success();
  return emitOptionalError(loc, "Incompatible parent encoding");
}

// Whether mma.sync (2) or wgmma (3) can do this dot.
bool supportsMma(tt::DotOpInterface dot, unsigned version) {
  Type a = getElementTypeOrSelf(dot.getA()), b = getElementTypeOrSelf(dot.getB());
  if (auto op = dyn_cast<tt::DotOp>(dot.getOperation())) {
    bool bothF32 = a.isF32() && b.isF32();
    if (bothF32 && op.getInputPrecision() != tt::InputPrecision::TF32) return false;
    if (version == 3) {
      const chips::GroupProduct& wgmma = chips::groupProduct(chips::Feature::WarpGroupMma);
      if (op.getA().getType().getShape().back() < wgmma.kBytes * 8 / tt::bitWidth(a)) return false;
      auto perCTA = getShapePerCTA(op.getType().getEncoding(), op.getType().getShape());
      if (perCTA.size() != 2) return false;
      auto warps = lookupNumWarps(op);
      bool fp8 = tt::isNvidiaFloat8(a);
      if (!warps || *warps % chips::warpsOfGroup != 0 || perCTA[0] % wgmma.leastM != 0 ||
          perCTA[1] % wgmma.stepN != 0 ||
          !(fp8 || a.isInteger(8) || a.isF16() || a.isBF16() || a.isF32()))
        return false;
      if (op.getMaxNumImpreciseAcc() < 32 && fp8 && op.getType().getElementType().isF32())
        return false;
    }
    if (bothF32) return true;
  }
  return tt::isMmaElement(a) && tt::isMmaElement(b);
}

// The CTA layout of an operand: the accumulator's without the dimension that the operand does not
// have.
LinearLayout operandCGA(const LinearLayout& accumulator, unsigned index) {
  auto rank = static_cast<unsigned>(accumulator.outs().size());
  return accumulator.resizeOut(layout::tensorDim(index == 0 ? rank - 1 : rank - 2), 1);
}

LogicalResult verifyWmmaCGAs(Operation* op, DotOperandEncodingAttr a, DotOperandEncodingAttr b,
                             Attribute result, Attribute aScale, Attribute bScale) {
  auto wmma = dyn_cast<AMDWmmaEncodingAttr>(result);
  if (!wmma || !isa<AMDWmmaEncodingAttr>(a.getParent()) || !isa<AMDWmmaEncodingAttr>(b.getParent()))
    return success();
  const LinearLayout& accumulator = wmma.getCGALayout().getLinearLayout();
  if (!accumulator.isInvertible())
    return op->emitError("Accumulator CGA layout should not broadcast or have repeated rows");
  const std::pair<DotOperandEncodingAttr, Attribute> operands[] = {{a, aScale}, {b, bScale}};
  for (auto [i, operand] : llvm::enumerate(operands)) {
    auto index = static_cast<unsigned>(i);
    LinearLayout expected = operandCGA(accumulator, index);
    if (operand.first.getCGALayout().getLinearLayout() != expected)
      return op->emitError("Incompatible CGA layout for operand ") << index;
    if (!operand.second || !isa<LayoutEncodingTrait>(operand.second)) continue;
    // Scales of B are stored transposed.
    if (auto rank = static_cast<unsigned>(expected.outs().size()); index == 1 && rank >= 2) {
      SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, rank));
      std::swap(order[rank - 1], order[rank - 2]);
      expected = layout::transposeTensor(expected, order);
    }
    if (getCGALayout(operand.second).getLinearLayout() != expected)
      return op->emitError("Incompatible CGA layout for the scale of operand ") << index;
  }
  return success();
}

LogicalResult InferLayout::verifyDotOperands(Operation* op, Attribute aAttr,
                                             Attribute bAttr) const {
  auto a = dyn_cast<DotOperandEncodingAttr>(aAttr), b = dyn_cast<DotOperandEncodingAttr>(bAttr);
  if (!a && !b) return success();
  if (!a || !b) return op->emitError("mismatching encoding between A and B operands");
  if (a.getKWidth() != b.getKWidth())
    return op->emitError("mismatching kWidth between A and B operands");
  auto dot = cast<tt::DotOpInterface>(op);
  Attribute result = cast<RankedTensorType>(dot.getD().getType()).getEncoding();
  auto aMma = dyn_cast<NvidiaMmaEncodingAttr>(a.getParent()),
       bMma = dyn_cast<NvidiaMmaEncodingAttr>(b.getParent()),
       mma = dyn_cast_or_null<NvidiaMmaEncodingAttr>(result);
  if (aMma || bMma || mma) {
    if (!aMma || !bMma || !mma) return op->emitError("mismatching MMA encoding");
    if (aMma.getVersionMajor() != bMma.getVersionMajor() ||
        aMma.getVersionMajor() != mma.getVersionMajor())
      return op->emitError("mismatched MMA version.");
    if (!supportsMma(dot, mma.getVersionMajor())) return op->emitError("unsupported MMA version");
    auto aType = cast<RankedTensorType>(dot.getA().getType());
    if (getShapePerCTA(aAttr, aType.getShape()).back() < 4 * int64_t(a.getKWidth()))
      return op->emitError("MMA operand layout requires K >= 4 * kWidth");
  }
  return verifyWmmaCGAs(op, a, b, result, Attribute(), Attribute());
}

LogicalResult InferLayout::verifyDotScaledOperands(Operation* op, Attribute aAttr, Attribute bAttr,
                                                   Attribute aScale, Attribute bScale) const {
  auto a = dyn_cast<DotOperandEncodingAttr>(aAttr), b = dyn_cast<DotOperandEncodingAttr>(bAttr);
  if (!a || !b) return success();
  Attribute result =
      cast<RankedTensorType>(cast<tt::DotOpInterface>(op).getD().getType()).getEncoding();
  return verifyWmmaCGAs(op, a, b, result, aScale, bScale);
}

} // namespace

void addInferLayoutInterface(TTGDialect& dialect) {
  dialect.addInterfaces<InferLayout>();
}

} // namespace gluond::ttg
