#include "ir/amdg/Ops.h"
#include "ir/layouts/Layouts.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/MathExtras.h>
#include <mlir/IR/PatternMatch.h>

using namespace mlir;

namespace gluond::amdg {

using layout::Dim;
using layout::LinearLayout;

namespace {

// Whether the same thread has the element of `from` at `coordinates` in one of its registers.
bool threadHolds(const LinearLayout& inverseOfFrom, ArrayRef<int32_t> coordinates) {
  SmallVector<LinearLayout::Place> place;
  for (auto [dim, coordinate] : llvm::zip(inverseOfFrom.inDims(), coordinates))
    place.push_back({dim, static_cast<uint64_t>(coordinate)});
  auto owner = inverseOfFrom.apply(place);
  for (auto [dim, where] : llvm::zip(inverseOfFrom.outDims(), owner))
    if (dim != Dim::Register && where != 0) return false;
  return true;
}

// Slicing and concatenation move nothing between threads: for the elements of the first thread's
// registers of `pieces`, which `locate` finds in the whole, the same thread must own them there;
// and all other threads are arranged alike.
LogicalResult
verifyStaysInThread(Operation* op, const LinearLayout& target, const LinearLayout& source,
                    llvm::function_ref<SmallVector<int32_t>(ArrayRef<int32_t>)> locate) {
  auto inverse = source.pseudoInvert();
  if (!target.valid() || !inverse) return op->emitError("has a layout that does not fit its shape");
  for (int64_t reg = 0; reg < target.inSize(Dim::Register); ++reg) {
    SmallVector<int32_t> place =
        locate(target.apply({{Dim::Register, static_cast<uint64_t>(reg)}}));
    if (threadHolds(*inverse, place)) continue;
    auto error = op->emitError("No source register holds the element for destination index [");
    llvm::interleaveComma(place, error);
    return error << "]";
  }
  for (Dim dim : {Dim::Lane, Dim::Warp})
    if (source.bases(dim) != target.bases(dim))
      return op->emitError(
          "Lane and warp dim basis must match between source and destination layout.");
  return success();
}

} // namespace

LogicalResult ExtractSliceOp::verify() {
  auto source = cast<RankedTensorType>(getSource().getType()),
       result = cast<RankedTensorType>(getResult().getType());
  if (source.getElementType() != result.getElementType())
    return emitError("result element type must match source element type");
  if (source.getRank() != result.getRank())
    return emitError("result rank must be equal to source rank");
  ArrayRef<int64_t> offsets = getStaticOffsets();
  for (int64_t i = 0; i < source.getRank(); ++i) {
    StringRef problem =
        static_cast<size_t>(i) >= offsets.size() || offsets[i] < 0 ? "offset must be non-negative"
        : result.getDimSize(i) > source.getDimSize(i) ? "result shape cannot exceed source shape"
        : offsets[i] + result.getDimSize(i) > source.getDimSize(i) ? "invalid offset"
                                                                   : "";
    if (!problem.empty()) return emitError(problem) << " at dimension " << i;
  }
  return verifyStaysInThread(*this, ir::toLinearLayout(result), ir::toLinearLayout(source),
                             [&](ArrayRef<int32_t> at) {
                               SmallVector<int32_t> moved(at);
                               for (auto [coordinate, offset] : llvm::zip(moved, offsets))
                                 coordinate += static_cast<int32_t>(offset);
                               return moved;
                             });
}

// A slice that is exactly one of the tiles of a concatenation is that tile.
LogicalResult ExtractSliceOp::canonicalize(ExtractSliceOp op, PatternRewriter& rewriter) {
  auto concat = op.getSource().getDefiningOp<ConcatOp>();
  if (!concat) return failure();
  auto tile = cast<RankedTensorType>(concat.getSources().front().getType());
  auto whole = cast<RankedTensorType>(concat.getResult().getType());
  if (op.getResult().getType() != tile) return failure();
  int64_t index = 0;
  for (int64_t i = 0; i < tile.getRank(); ++i) {
    int64_t offset = op.getStaticOffsets()[i];
    if (offset % tile.getDimSize(i) != 0) return failure();
    index = index * (whole.getDimSize(i) / tile.getDimSize(i)) + offset / tile.getDimSize(i);
  }
  rewriter.replaceOp(op, concat.getSources()[index]);
  return success();
}

LogicalResult ConcatOp::verify() {
  if (getSources().empty())
    return emitError("Number of source tiles (0) doesn't match required count.");
  auto tile = cast<RankedTensorType>(getSources().front().getType()),
       whole = cast<RankedTensorType>(getResult().getType());
  if (tile.getRank() != whole.getRank())
    return emitError("Source and destination tensors must have the same rank.");
  int64_t tiles = 1;
  for (int64_t i = 0; i < tile.getRank(); ++i) {
    if (whole.getDimSize(i) % tile.getDimSize(i) != 0)
      return emitError("Source and destination tensor shapes don't match.");
    tiles *= whole.getDimSize(i) / tile.getDimSize(i);
  }
  if (tiles != static_cast<int64_t>(getSources().size()))
    return emitError("Number of source tiles (")
           << getSources().size() << ") doesn't match required count (" << tiles << ").";
  if (!llvm::all_equal(getSources().getTypes()))
    return emitError("All sources must have identical tensor types.");
  if (tile.getElementType() != whole.getElementType())
    return emitError("Element types of sources and destination must match.");
  return verifyStaysInThread(*this, ir::toLinearLayout(whole), ir::toLinearLayout(tile),
                             [&](ArrayRef<int32_t> at) {
                               SmallVector<int32_t> within(at);
                               for (auto [coordinate, size] : llvm::zip(within, tile.getShape()))
                                 coordinate %= static_cast<int32_t>(size);
                               return within;
                             });
}

// One tile is the whole.
LogicalResult ConcatOp::canonicalize(ConcatOp op, PatternRewriter& rewriter) {
  if (op.getSources().size() != 1) return failure();
  rewriter.replaceOp(op, op.getSources().front());
  return success();
}

std::optional<LinearLayout> scaleLayout(const LinearLayout& values, unsigned axis,
                                        int64_t perScale) {
  if (perScale == 1) return values;
  Dim dim = layout::tensorDim(axis);
  if (perScale <= 0 || !llvm::isPowerOf2_64(perScale) || !values.hasOut(dim) ||
      values.outSize(dim) % perScale != 0)
    return std::nullopt;
  LinearLayout divide;
  for (const layout::DimBits& out : values.outs()) {
    if (out.dim == dim)
      divide *= LinearLayout::zeros1D(perScale, dim, dim) *
                LinearLayout::identity1D(out.size() / perScale, dim, dim);
    else
      divide *= LinearLayout::identity1D(out.size(), out.dim, out.dim);
  }
  return values.compose(divide);
}

namespace {

// `values` are those that the scales belong to: the unpacked side of a conversion.
LogicalResult verifyScaleShape(Operation* op, RankedTensorType values, RankedTensorType scale,
                               int64_t axis) {
  if (values.getRank() != scale.getRank())
    return op->emitError("scale and output must have the same rank");
  if (axis < 0 || axis >= values.getRank())
    return op->emitError("axis out of range: ") << axis << " for rank " << values.getRank();
  for (int64_t i = 0; i < values.getRank(); ++i)
    if (i != axis && values.getDimSize(i) != scale.getDimSize(i))
      return op->emitError("scale and output must match on non-axis dimensions");
  int64_t size = values.getDimSize(axis), scales = scale.getDimSize(axis);
  if (scales <= 0 || size % scales != 0)
    return op->emitError(
               "expected output.shape[axis] to be divisible by scale.shape[axis], but got output[")
           << axis << "]=" << size << ", scale[" << axis << "]=" << scales;
  return success();
}

// Scales must be in the same places as their values. The instructions convert eight values in
// consecutive registers with one scale.
LogicalResult verifyScaleEncoding(Operation* op, RankedTensorType values, RankedTensorType scale,
                                  int64_t axis) {
  if (!scale.getEncoding() != !values.getEncoding())
    return op->emitError("scale and output must both have an encoding, or neither");
  if (!scale.getEncoding()) return success();
  int64_t perScale = values.getDimSize(axis) / scale.getDimSize(axis);
  const LinearLayout& ofValues = ir::toLinearLayout(values);
  const LinearLayout& ofScales = ir::toLinearLayout(scale);
  // Layouts still to be inferred are checked once they are.
  if (!ofValues.valid() || !ofScales.valid()) return success();
  auto expected = scaleLayout(ofValues, axis, perScale);
  if (!expected) return op->emitError("could not infer expected scale encoding");
  if (perScale != 1) {
    bool shared = expected->inBits(Dim::Register) >= 3;
    for (unsigned bit = 0; shared && bit < 3; ++bit)
      shared = expected->columns(Dim::Register)[bit] == 0;
    if (!shared)
      return op->emitError("the 8 elements of a v_cvt_scale_pk8 group would not share a single "
                           "scale; the scaled axis must "
                           "place 8 register-consecutive elements within one scale block");
  }
  if (ofScales.removeZeroBases(Dim::Register) != expected->removeZeroBases(Dim::Register))
    return op->emitError("scale encoding is not compatible with the inferred scale layout");
  return success();
}

// Packing halves the axis; the packed tensor's layout follows from the unpacked one's.
LogicalResult verifyPacking(Operation* op, RankedTensorType packed, RankedTensorType unpacked,
                            int64_t axis) {
  if (packed.getRank() != unpacked.getRank())
    return op->emitError("source rank ")
           << packed.getRank() << " != result rank " << unpacked.getRank();
  for (int64_t i = 0; i < packed.getRank(); ++i)
    if (unpacked.getDimSize(i) != packed.getDimSize(i) * (i == axis ? 2 : 1))
      return op->emitError(i == axis ? "axis " : "dimension ")
             << i << ": expected " << packed.getDimSize(i) * (i == axis ? 2 : 1) << " but got "
             << unpacked.getDimSize(i);
  if (!packed.getEncoding() != !unpacked.getEncoding())
    return op->emitError("source and result must both have an encoding, or neither");
  if (!packed.getEncoding()) return success();
  const auto* interface = tt::inferLayout(packed.getEncoding());
  if (!interface) return success();
  auto inferred = interface->fp4ToFp(packed.getShape(), axis, packed.getEncoding(),
                                     /*forward=*/true, op->getLoc());
  if (failed(inferred)) return failure();
  return interface->verifyEqual(unpacked.getShape(), *inferred, unpacked.getEncoding(),
                                op->getLoc());
}

} // namespace

LogicalResult ScaledUpcastFp4Op::verify() {
  auto input = getInput().getType(), output = getOutput().getType(), scale = getScale().getType();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyScaleShape(*this, output, scale, axis)) ||
      failed(verifyScaleEncoding(*this, output, scale, axis)))
    return failure();
  return verifyPacking(*this, input, output, axis);
}

LogicalResult ScaledDowncastFp8Op::verify() {
  auto input = getInput().getType(), output = getOutput().getType(), scale = getScale().getType();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (input.getShape() != output.getShape() || input.getEncoding() != output.getEncoding())
    return emitError("input and output must have the same shape and encoding");
  if (failed(verifyScaleShape(*this, input, scale, axis))) return failure();
  return verifyScaleEncoding(*this, input, scale, axis);
}

LogicalResult ScaledDowncastFp4Op::verify() {
  auto input = getInput().getType(), output = getOutput().getType(), scale = getScale().getType();
  int64_t axis = static_cast<int32_t>(getAxis());
  if (failed(verifyScaleShape(*this, input, scale, axis)) ||
      failed(verifyScaleEncoding(*this, input, scale, axis)))
    return failure();
  return verifyPacking(*this, output, input, axis);
}

// The packed dimension moves from one to the other: halved here, doubled there.
LogicalResult LocalLoadPackedTransposedOp::verify() {
  auto source = getSrc().getType();
  auto result = getResult().getType();
  auto operand = dyn_cast_or_null<ttg::DotOperandEncodingAttr>(result.getEncoding());
  if (!operand) return emitOpError("only works with DotOperandEncodingAttr dst encoding");
  size_t rank = source.getShape().size();
  if (rank != static_cast<size_t>(result.getRank()) || rank < 2)
    return emitOpError("Input and output dimensions don't match after packing changes");
  bool isA = operand.getOpIdx() == 0;
  // The fastest dimension in memory is the rows for A, the columns for B.
  LinearLayout linear = ir::toLinearLayout(source);
  if (linear.valid() && linear.hasIn(Dim::Offset)) {
    size_t fastest = isA ? rank - 2 : rank - 1;
    for (const auto& basis : linear.bases(Dim::Offset)) {
      if (llvm::all_of(basis, [](int32_t c) { return c == 0; })) continue;
      if (basis[fastest] == 0) return emitOpError("Order of dimensions don't match expected");
      break;
    }
  }
  SmallVector<int64_t> expected(result.getShape());
  int64_t& halved = expected[isA ? rank - 2 : rank - 1];
  int64_t& doubled = expected[isA ? rank - 1 : rank - 2];
  halved /= 2;
  doubled *= 2;
  if (!source.getShape().equals(expected))
    return emitOpError("Input and output dimensions don't match after packing changes");
  return success();
}

} // namespace gluond::amdg
