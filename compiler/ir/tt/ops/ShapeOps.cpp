// Inference, folding, canonicalization and checks of the ops that make and reshape tensors.
#include "ir/tt/Ops.h"
#include "ir/tt/ReleaseInForce.h"
#include "ir/tt/Transposes.h"

#include <mlir/IR/Matchers.h>
#include <mlir/IR/PatternMatch.h>

using namespace mlir;

namespace gluond::tt {

OpFoldResult MakeRangeOp::fold(FoldAdaptor adaptor) {
  if (adaptor.getStart() + 1 != adaptor.getEnd()) return {};
  return SplatElementsAttr::get(cast<ShapedType>(getType()), adaptor.getStartAttr().getValue());
}

LogicalResult MakeRangeOp::verify() {
  int64_t start = getStartAttr().getInt(), end = getEndAttr().getInt();
  RankedTensorType type = getType();
  if (start >= end) return emitOpError() << "start must be less than end";
  if (type.getRank() != 1) return emitOpError() << "return type must be a 1D tensor";
  if (end - start != type.getShape()[0])
    return emitOpError() << "number of elements in returned tensor, " << type.getShape()[0]
                         << ", must match size of range [" << start << ", " << end
                         << "), which has " << end - start << " elements";
  if (!type.getElementType().isInteger(32))
    return emitOpError() << "returned tensor must have i32 elements";
  return success();
}

OpFoldResult SplatOp::fold(FoldAdaptor adaptor) {
  if (!isa_and_present<FloatAttr, IntegerAttr>(adaptor.getSrc())) return {};
  return SplatElementsAttr::get(cast<ShapedType>(getType()), ArrayRef<Attribute>(adaptor.getSrc()));
}

LogicalResult UnsplatOp::verify() {
  if (getSrc().getType().getNumElements() != 1)
    return emitError("source tensor must have exactly one element");
  return success();
}

LogicalResult UnsplatOp::inferReturnTypes(MLIRContext*, std::optional<Location>,
                                          ValueRange operands, DictionaryAttr, OpaqueProperties,
                                          RegionRange, SmallVectorImpl<Type>& types) {
  types.push_back(getElementTypeOrSelf(operands[0]));
  return success();
}

// Returns the interface for `encoding`, or reports that there is none.
static FailureOr<const InferLayoutInterface*> interfaceOf(Attribute encoding,
                                                          std::optional<Location> loc) {
  if (auto* interface = inferLayout(encoding)) return interface;
  return emitOptionalError(loc, "no layout is known to follow from ", encoding);
}

static FailureOr<RankedTensorType> expandDimsType(RankedTensorType source, unsigned axis,
                                                  std::optional<Location> loc) {
  if (axis > source.getRank())
    return emitOptionalError(loc, "failed to infer layout for ExpandDimsOp");
  SmallVector<int64_t> shape(source.getShape());
  shape.insert(shape.begin() + axis, 1);
  Attribute encoding;
  if (source.getEncoding()) {
    auto interface = interfaceOf(source.getEncoding(), loc);
    if (failed(interface)) return failure();
    auto inferred = (*interface)->expandDims(source.getEncoding(), axis, loc);
    if (failed(inferred)) return emitOptionalError(loc, "failed to infer layout for ExpandDimsOp");
    encoding = *inferred;
  }
  return RankedTensorType::get(shape, source.getElementType(), encoding);
}

LogicalResult ExpandDimsOp::inferReturnTypes(MLIRContext*, std::optional<Location> loc,
                                             ValueRange operands, DictionaryAttr,
                                             OpaqueProperties properties, RegionRange,
                                             SmallVectorImpl<Type>& types) {
  auto axis = static_cast<unsigned>(properties.as<Properties*>()->axis.getInt());
  auto type = expandDimsType(cast<RankedTensorType>(operands[0].getType()), axis, loc);
  if (failed(type)) return failure();
  types.push_back(*type);
  return success();
}

LogicalResult ExpandDimsOp::canonicalize(ExpandDimsOp op, PatternRewriter& rewriter) {
  Operation* source = op.getSrc().getDefiningOp();
  if (auto splat = dyn_cast_or_null<SplatOp>(source)) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  // expand_dims(broadcast(x)) -> broadcast(expand_dims(x)), so that broadcasts meet and merge.
  if (auto broadcast = dyn_cast_or_null<BroadcastOp>(source)) {
    auto type = expandDimsType(broadcast.getSrc().getType(), op.getAxis(), op.getLoc());
    if (failed(type)) return failure();
    Value expanded =
        ExpandDimsOp::create(rewriter, op.getLoc(), *type, broadcast.getSrc(), op.getAxis());
    Value result = BroadcastOp::create(rewriter, broadcast.getLoc(), op.getType(), expanded);
    rewriter.replaceOp(op, result);
    return success();
  }
  return failure();
}

// A constant under another shape.
static OpFoldResult foldShape(Type type, Attribute constant) {
  auto dense = dyn_cast_or_null<DenseElementsAttr>(constant);
  if (!dense) return {};
  auto shaped = cast<ShapedType>(type);
  return dense.isSplat() ? dense.resizeSplat(shaped) : dense.reshape(shaped);
}

OpFoldResult ExpandDimsOp::fold(FoldAdaptor adaptor) {
  return foldShape(getType(), adaptor.getSrc());
}

std::optional<unsigned> expandDimsAxis(ReshapeOp op) {
  auto from = op.getSrc().getType().getShape(), to = op.getType().getShape();
  if (from.size() + 1 != to.size()) return std::nullopt;
  for (unsigned axis = 0; axis < to.size(); ++axis)
    if (to[axis] == 1 && from.take_front(axis) == to.take_front(axis) &&
        from.drop_front(axis) == to.drop_front(axis + 1))
      return axis;
  return std::nullopt;
}

FailureOr<RankedTensorType> inferReshapeType(RankedTensorType source, ArrayRef<int64_t> shape,
                                             bool allowReorder, std::optional<Location> loc) {
  Attribute encoding;
  if (source.getEncoding()) {
    auto interface = interfaceOf(source.getEncoding(), loc);
    if (failed(interface)) return failure();
    auto inferred = (*interface)
                        ->reshape(source.getShape(), source.getEncoding(), shape, Attribute(),
                                  allowReorder, loc);
    if (failed(inferred)) return failure();
    encoding = *inferred;
  }
  return RankedTensorType::get(shape, source.getElementType(), encoding);
}

LogicalResult ReshapeOp::canonicalize(ReshapeOp op, PatternRewriter& rewriter) {
  if (op.getEfficientLayout() || follows(releases::Rule::ReshapesStay, op.getContext()))
    return failure();
  Operation* source = op.getSrc().getDefiningOp();
  if (auto expand = dyn_cast_or_null<ExpandDimsOp>(source);
      expand && !op.getAllowReorder() && op.getType() == expand.getSrc().getType()) {
    rewriter.replaceOp(op, expand.getSrc());
    return success();
  }
  if (auto inner = dyn_cast_or_null<ReshapeOp>(source)) {
    bool allowReorder = op.getAllowReorder() || inner.getAllowReorder();
    rewriter.replaceOpWithNewOp<ReshapeOp>(op, op.getType(), inner.getSrc(), allowReorder,
                                           op.getEfficientLayout());
    return success();
  }
  if (auto splat = dyn_cast_or_null<SplatOp>(source)) {
    rewriter.replaceOpWithNewOp<SplatOp>(op, op.getType(), splat.getSrc());
    return success();
  }
  return failure();
}

OpFoldResult ReshapeOp::fold(FoldAdaptor adaptor) {
  if (getType() == getSrc().getType() && !getAllowReorder()) return getSrc();
  return foldShape(getType(), adaptor.getSrc());
}

LogicalResult ReshapeOp::verify() {
  RankedTensorType to = getType(), from = getSrc().getType();
  if (to.getNumElements() != from.getNumElements())
    return emitError("number of src and dst elements of reshape must be the same");
  if (!to.getEncoding() != !from.getEncoding())
    return emitError(
        "Op requires that either (a) src and dst both have encodings, or (b) neither does.");
  if (!from.getEncoding()) return success();
  auto interface = interfaceOf(from.getEncoding(), getLoc());
  if (failed(interface)) return failure();
  auto inferred = (*interface)
                      ->reshape(from.getShape(), from.getEncoding(), to.getShape(),
                                to.getEncoding(), getAllowReorder(), getLoc());
  if (failed(inferred)) return failure();
  return (*interface)->verifyEqual(to.getShape(), *inferred, to.getEncoding(), getLoc());
}

namespace {

// broadcast(splat(x)) -> splat(x), broadcast(broadcast(x)) -> broadcast(x)
template <class Source> struct BroadcastOf : OpRewritePattern<BroadcastOp> {
  using OpRewritePattern<BroadcastOp>::OpRewritePattern;
  LogicalResult matchAndRewrite(BroadcastOp op, PatternRewriter& rewriter) const final {
    auto source = op.getSrc().getDefiningOp<Source>();
    if (!source) return failure();
    rewriter.replaceOpWithNewOp<Source>(op, op.getType(), source.getSrc());
    return success();
  }
};

} // namespace

void BroadcastOp::getCanonicalizationPatterns(RewritePatternSet& patterns, MLIRContext* context) {
  patterns.add<BroadcastOf<SplatOp>, BroadcastOf<BroadcastOp>>(context);
}

OpFoldResult BroadcastOp::fold(FoldAdaptor adaptor) {
  if (getType() == getSrc().getType()) return getSrc();
  if (auto splat = dyn_cast_or_null<SplatElementsAttr>(adaptor.getSrc()))
    return splat.resizeSplat(cast<ShapedType>(getType()));
  return {};
}

LogicalResult BroadcastOp::verify() {
  RankedTensorType from = getSrc().getType(), to = getType();
  if (from.getRank() != to.getRank())
    return emitError("rank of source must be same as rank of result");
  for (size_t i = 0; i < from.getShape().size(); ++i)
    if (from.getShape()[i] != 1 && from.getShape()[i] != to.getShape()[i])
      return emitError("Different dimensions at index ")
             << i << " between source and result.  "
             << "Broadcast requires the source dimension to be 1.";
  if (!from.getEncoding() || !to.getEncoding()) return success();
  auto interface = interfaceOf(from.getEncoding(), getLoc());
  if (failed(interface)) return failure();
  if (!(*interface)->isBroadcast(from, to))
    return emitOpError("requires matching source and result layouts up to broadcasting");
  return success();
}

LogicalResult CatOp::verify() {
  RankedTensorType from = getLhs().getType(), to = getType();
  int64_t expected = 2 * from.getNumElements();
  if (to.getNumElements() != expected)
    return emitOpError(
               "result element count must equal the sum of the operand element counts, expected ")
           << expected << " but got " << to.getNumElements();
  if (!from.getEncoding() != !to.getEncoding())
    return emitOpError(
        "requires that either (a) operands and result all have encodings, or (b) none do.");
  if (!from.getEncoding()) return success();
  auto interface = interfaceOf(from.getEncoding(), getLoc());
  return failed(interface) ? failure() : (*interface)->verifyCat(*this);
}

FailureOr<RankedTensorType> inferJoinType(RankedTensorType operand, std::optional<Location> loc) {
  SmallVector<int64_t> shape(operand.getShape());
  shape.push_back(2);
  Attribute encoding;
  if (operand.getEncoding()) {
    auto interface = interfaceOf(operand.getEncoding(), loc);
    if (failed(interface)) return failure();
    auto inferred = (*interface)->join(operand.getEncoding(), operand.getShape(), loc);
    if (failed(inferred)) return failure();
    encoding = *inferred;
  }
  return RankedTensorType::get(shape, operand.getElementType(), encoding);
}

OpFoldResult JoinOp::fold(FoldAdaptor) {
  // join(split(x)) -> x
  auto split = getLhs().getDefiningOp<SplitOp>();
  if (!split || getLhs() != split.getOutLHS() || getRhs() != split.getOutRHS()) return {};
  if (split.getSrc().getType() != getType() ||
      follows(releases::Rule::JoinsAndSplitsStay, getContext()))
    return {};
  return split.getSrc();
}

LogicalResult JoinOp::verify() {
  RankedTensorType from = getLhs().getType(), to = getType();
  SmallVector<int64_t> shape(from.getShape());
  shape.push_back(2);
  if (to.getShape() != ArrayRef(shape))
    return emitOpError("result shape must be (") << shape << "), but got " << to.getShape();
  if (to.getElementType() != from.getElementType())
    return emitOpError("result element type must match the input element type");
  if (!to.getEncoding()) {
    if (from.getEncoding()) return emitOpError("result encoding must be specified");
    return success();
  }
  // Several results fit one operand layout, but, up to replication, only one operand layout fits a
  // result.
  auto interface = interfaceOf(to.getEncoding(), getLoc());
  if (failed(interface)) return failure();
  auto source = (*interface)->split(to.getEncoding(), shape, getLoc());
  if (failed(source)) return failure();
  auto sourceInterface = interfaceOf(*source, getLoc());
  if (failed(sourceInterface)) return failure();
  if (failed((*sourceInterface)
                 ->verifyEqual(from.getShape(), *source, from.getEncoding(), std::nullopt,
                               /*ignoreRegisterBroadcast=*/true)))
    return emitOpError("incompatible join layout");
  return success();
}

LogicalResult SplitOp::fold(FoldAdaptor, SmallVectorImpl<OpFoldResult>& results) {
  // split(join(a, b)) -> a, b
  auto join = getSrc().getDefiningOp<JoinOp>();
  if (!join || join.getLhs().getType() != getOutLHS().getType() ||
      follows(releases::Rule::JoinsAndSplitsStay, getContext()))
    return failure();
  results.push_back(join.getLhs());
  results.push_back(join.getRhs());
  return success();
}

bool SplitOp::isCompatibleReturnTypes(TypeRange inferred, TypeRange actual) {
  if (inferred.size() != actual.size()) return false;
  for (auto [a, b] : llvm::zip_equal(inferred, actual)) {
    auto x = cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
    if (!y || x.getShape() != y.getShape() || x.getElementType() != y.getElementType())
      return false;
    if (!x.getEncoding() != !y.getEncoding()) return false;
    if (!x.getEncoding()) continue;
    auto* interface = inferLayout(x.getEncoding());
    if (!interface ||
        failed(interface->verifyEqual(x.getShape(), x.getEncoding(), y.getEncoding(), std::nullopt,
                                      /*ignoreRegisterBroadcast=*/true)))
      return false;
  }
  return true;
}

LogicalResult SplitOp::inferReturnTypes(MLIRContext*, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type>& types) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  if (source.getShape().empty() || source.getShape().back() != 2)
    return emitOptionalError(loc, "last dimension of input tensor must be 2");
  Attribute encoding;
  if (source.getEncoding()) {
    auto interface = interfaceOf(source.getEncoding(), loc);
    if (failed(interface)) return failure();
    auto inferred = (*interface)->split(source.getEncoding(), source.getShape(), loc);
    if (failed(inferred)) return failure();
    encoding = *inferred;
  }
  types.assign(
      2, RankedTensorType::get(source.getShape().drop_back(), source.getElementType(), encoding));
  return success();
}

static SmallVector<int64_t> permuted(ArrayRef<int64_t> shape, ArrayRef<int32_t> order) {
  SmallVector<int64_t> result;
  for (int32_t i : order)
    result.push_back(shape[i]);
  return result;
}

static bool isPermutation(ArrayRef<int32_t> order, size_t rank) {
  SmallVector<int32_t> sorted(order);
  llvm::sort(sorted);
  return sorted.size() == rank &&
         llvm::equal(sorted, llvm::seq<int32_t>(0, static_cast<int32_t>(rank)));
}

OpFoldResult TransOp::fold(FoldAdaptor adaptor) {
  // A transpose that changes nothing may still rename the layout; ttg turns that one into a
  // convert_layout.
  if (isIdentity(getOrder()) && getSrc().getType() == getType()) return getSrc();
  if (Value merged = mergeTransposes(*this)) return merged;
  if (auto splat = dyn_cast_if_present<SplatElementsAttr>(adaptor.getSrc()))
    return splat.reshape(getType());
  return {};
}

LogicalResult TransOp::verify() {
  auto from = getSrc().getType().getShape();
  if (getOrder().size() != from.size())
    return emitError("order must have the same size as the source tensor");
  if (!isPermutation(getOrder(), from.size()))
    return emitError("order must be a permutation of 0..n-1");
  if (ArrayRef(permuted(from, getOrder())) != getType().getShape())
    return emitError("result shape must match the permutation of the source shape");
  return success();
}

LogicalResult TransOp::inferReturnTypes(MLIRContext*, std::optional<Location> loc, Adaptor adaptor,
                                        SmallVectorImpl<Type>& types) {
  auto source = cast<RankedTensorType>(adaptor.getSrc().getType());
  ArrayRef<int32_t> order = adaptor.getOrder();
  if (!isPermutation(order, source.getShape().size()))
    return emitOptionalError(loc, "order must be a permutation of 0..n-1");
  Attribute encoding;
  if (source.getEncoding()) {
    auto interface = interfaceOf(source.getEncoding(), loc);
    if (failed(interface)) return failure();
    auto inferred = (*interface)->trans(source.getEncoding(), source.getShape(), order, loc);
    if (failed(inferred)) return failure();
    encoding = *inferred;
  }
  types.push_back(
      RankedTensorType::get(permuted(source.getShape(), order), source.getElementType(), encoding));
  return success();
}

LogicalResult GatherOp::verify() {
  RankedTensorType indices = getIndices().getType(), source = getSrc().getType(),
                   result = getType();
  if (indices.getShape() != result.getShape())
    return emitOpError("indices and output shapes must match");
  if (indices.getEncoding() != result.getEncoding())
    return emitOpError("indices and output encodings must match");
  if (source.getElementType() != result.getElementType())
    return emitOpError("input and output element types must match");
  if (source.getRank() != indices.getRank())
    return emitOpError("input and indices ranks must match");
  if (getAxis() >= static_cast<uint64_t>(source.getRank()))
    return emitOpError("gather dimension must be less than the input rank");
  for (uint32_t dim = 0; dim < indices.getRank(); ++dim)
    if (dim != getAxis() && indices.getShape()[dim] != source.getShape()[dim])
      return emitOpError("indices dimension ")
             << dim << " must match the corresponding input dimension";
  return success();
}

LogicalResult GatherOp::inferReturnTypes(MLIRContext*, std::optional<Location>, ValueRange operands,
                                         DictionaryAttr, OpaqueProperties, RegionRange,
                                         SmallVectorImpl<Type>& types) {
  auto indices = cast<RankedTensorType>(operands[1].getType());
  types.push_back(indices.clone(getElementTypeOrSelf(operands[0])));
  return success();
}

} // namespace gluond::tt
