// Inference and checks of contractions, reductions and scans.
#include "ir/tt/Ops.h"

using namespace mlir;

namespace gluond::tt {

LogicalResult DotOp::inferReturnTypes(MLIRContext*, std::optional<Location> loc,
                                      ValueRange operands, DictionaryAttr, OpaqueProperties,
                                      RegionRange, SmallVectorImpl<Type>& types) {
  auto encoding = [&](unsigned i) {
    return cast<RankedTensorType>(operands[i].getType()).getEncoding();
  };
  types.push_back(operands[2].getType());
  Attribute a = encoding(0), b = encoding(1), result = encoding(2);
  if (!a || !b || !result) return success(); // the verifier has more to say about these
  auto* interface = inferLayout(result);
  if (!interface) return emitOptionalError(loc, "no operand layout is known to fit ", result);
  if (failed(interface->verifyDotOperand(a, 0, result, loc))) return failure();
  return interface->verifyDotOperand(b, 1, result, loc);
}

LogicalResult DotOp::verify() {
  RankedTensorType a = getA().getType(), b = getB().getType(), c = getC().getType();
  if (bitWidth(a.getElementType()) != bitWidth(b.getElementType()))
    return emitError("element types of operands A and B must have same bit width");
  if (!a.getEncoding() && !b.getEncoding()) return success();
  if (!a.getEncoding() || !b.getEncoding())
    return emitError("mismatching encoding between A and B operands");
  if (!c.getEncoding()) return emitError("miss encoding of C operand");
  auto* interface = inferLayout(c.getEncoding());
  if (!interface) return emitError("no operand layout is known to fit ") << c.getEncoding();
  return interface->verifyDotOperands(*this, a.getEncoding(), b.getEncoding());
}

// Logical values per stored element along the packed dimension.
static int64_t packing(ScaleDotElemType type, bool packed) {
  return type == ScaleDotElemType::E2M1 && packed ? 2 : 1;
}

bool DotScaledOp::verifyDims() {
  auto a = getA().getType().getShape(), b = getB().getType().getShape();
  return a.back() * packing(getAElemType(), getLhsKPack()) ==
         b.drop_back().back() * packing(getBElemType(), getRhsKPack());
}

bool DotScaledOp::verifyOutputDims() {
  auto a = getA().getType().getShape(), b = getB().getType().getShape(),
       c = getC().getType().getShape();
  return c.drop_back().back() == a.drop_back().back() * packing(getAElemType(), !getLhsKPack()) &&
         c.back() == b.back() * packing(getBElemType(), !getRhsKPack());
}

// 0 if the scale does not decide, failure with the reason if it fits no factor.
static FailureOr<int32_t> scaleFactor(int64_t kDim, std::optional<ArrayRef<int64_t>> scale,
                                      std::string& error) {
  if (!scale || scale->empty() || ShapedType::getNumElements(*scale) == 1) return 0;
  auto factor = scale->back() == 0 ? 0 : static_cast<int32_t>(kDim / scale->back());
  if (factor == 16 || factor == 32) return factor;
  error = "scale factor must be 16 or 32. Got " + std::to_string(factor);
  return failure();
}

FailureOr<int32_t> deduceScaleFactor(ArrayRef<int64_t> a, std::optional<ArrayRef<int64_t>> aScale,
                                     ScaleDotElemType aType, bool aKPack, ArrayRef<int64_t> b,
                                     std::optional<ArrayRef<int64_t>> bScale,
                                     ScaleDotElemType bType, bool bKPack, std::string& error) {
  auto left = scaleFactor(a.back() * packing(aType, aKPack), aScale, error);
  if (failed(left)) return failure();
  auto right = scaleFactor(b.drop_back().back() * packing(bType, bKPack), bScale, error);
  if (failed(right)) return failure();
  if (*left && *right && *left != *right) {
    error = "Operands must have the same scale factor; (lhs: " + std::to_string(*left) +
            " vs rhs: " + std::to_string(*right) + ")";
    return failure();
  }
  if (*left) return left;
  return *right ? *right : 32;
}

LogicalResult DotScaledOp::verify() {
  auto shapeOf = [](Value value) -> std::optional<ArrayRef<int64_t>> {
    if (!value) return std::nullopt;
    return cast<RankedTensorType>(value.getType()).getShape();
  };
  auto a = getA().getType().getShape(), c = getC().getType().getShape();
  if (a.size() < 2) return emitError("operands must be at least 2D");
  std::string error;
  auto factor = deduceScaleFactor(a, shapeOf(getAScale()), getAElemType(), getLhsKPack(),
                                  getB().getType().getShape(), shapeOf(getBScale()), getBElemType(),
                                  getRhsKPack(), error);
  if (failed(factor)) return emitError(error);
  int64_t scalesInK = a.back() * packing(getAElemType(), getLhsKPack()) / *factor;

  struct Operand {
    Value scale;
    int64_t size;
    const char* dimension;
  };
  for (auto [scale, size, dimension] :
       {Operand{getAScale(), c.drop_back().back(), "M"}, Operand{getBScale(), c.back(), "N"}}) {
    if (!scale) continue;
    auto shape = cast<RankedTensorType>(scale.getType()).getShape();
    if (shape.size() != a.size() || shape[a.size() - 2] != size)
      return emitError(Twine("scales ") + dimension + " dimension must match the operand " +
                       dimension + " dimension");
    if (shape.back() != scalesInK)
      return emitError("scales K dimension must match the operand K divided by the scale factor");
  }

  Attribute result = getC().getType().getEncoding(), aEncoding = getA().getType().getEncoding(),
            bEncoding = getB().getType().getEncoding();
  if (!result || !aEncoding || !bEncoding) return success();
  auto encodingOf = [](Value value) {
    return value ? cast<RankedTensorType>(value.getType()).getEncoding() : Attribute();
  };
  if (auto* interface = inferLayout(result))
    return interface->verifyDotScaledOperands(*this, aEncoding, bEncoding, encodingOf(getAScale()),
                                              encodingOf(getBScale()));
  return success();
}

LogicalResult ReduceOp::inferReturnTypes(MLIRContext*, std::optional<Location> loc,
                                         ValueRange operands, DictionaryAttr,
                                         OpaqueProperties properties, RegionRange,
                                         SmallVectorImpl<Type>& types) {
  auto axis = static_cast<unsigned>(properties.as<Properties*>()->axis.getInt());
  for (Value operand : operands) {
    auto type = cast<RankedTensorType>(operand.getType());
    if (axis >= type.getRank())
      return emitOptionalError(loc, "axis out of bounds for operand rank ", type.getRank());
    SmallVector<int64_t> shape(type.getShape());
    shape.erase(shape.begin() + axis);
    if (shape.empty()) {
      types.push_back(type.getElementType());
      continue;
    }
    Attribute encoding;
    if (type.getEncoding()) {
      auto* interface = inferLayout(type.getEncoding());
      if (!interface)
        return emitOptionalError(loc, "no layout is known to follow from ", type.getEncoding());
      auto inferred = interface->reduce(type.getEncoding(), axis, loc);
      if (failed(inferred)) return failure();
      encoding = *inferred;
    }
    types.push_back(RankedTensorType::get(shape, type.getElementType(), encoding));
  }
  return success();
}

LogicalResult ScanOp::inferReturnTypes(MLIRContext*, std::optional<Location>, ValueRange operands,
                                       DictionaryAttr, OpaqueProperties, RegionRange,
                                       SmallVectorImpl<Type>& types) {
  llvm::append_range(types, operands.getTypes());
  return success();
}

template <class Op> static LogicalResult verifyOperands(Op op) {
  if (op.getOperands().empty()) return op.emitOpError() << "must have at least 1 operand";
  if (op->getNumOperands() != op->getNumResults())
    return op.emitOpError() << "must have the same number of inputs as outputs";
  int64_t firstRank = 0;
  for (Type type : op->getOperandTypes()) {
    int64_t rank = cast<RankedTensorType>(type).getRank();
    auto axis = static_cast<int32_t>(op.getAxis());
    if (axis < 0 || axis >= rank)
      return op.emitOpError() << "axis out of bounds for operand rank " << rank;
    if (firstRank == 0) firstRank = rank;
    if (rank != firstRank)
      return op.emitOpError() << "all operands must have the same rank, but got ranks " << firstRank
                              << " and " << rank;
  }
  for (auto [operand, result] : llvm::zip(op->getOperandTypes(), op->getResultTypes()))
    if (getElementTypeOrSelf(operand) != getElementTypeOrSelf(result))
      return op.emitOpError() << "operand types and result types must agree";
  return success();
}

template <class ReturnOp, class Op> static LogicalResult verifyCombiner(Op op) {
  SmallVector<Type> elements;
  for (Type type : op->getOperandTypes())
    elements.push_back(getElementTypeOrSelf(type));
  size_t count = elements.size();
  Block& block = op.getCombineOp().front();
  if (block.getNumArguments() != 2 * count)
    return op.emitOpError() << "nested block must take " << 2 * count
                            << " arguments, but given block with " << block.getNumArguments()
                            << " arguments";
  for (unsigned i = 0; i < 2 * count; ++i)
    if (block.getArgument(i).getType() != elements[i % count])
      return op.emitOpError() << "type mismatch on combine operation. Expected argument " << i
                              << " to have type " << elements[i % count] << " but got "
                              << block.getArgument(i).getType();
  auto terminator = block.empty() ? ReturnOp() : dyn_cast<ReturnOp>(&block.back());
  if (!terminator)
    return op.emitOpError() << "combine operation must be terminated with a ReduceReturnOp but got "
                            << (block.empty() ? op : &block.back());
  if (terminator->getNumOperands() != count)
    return op.emitOpError() << "expected combine operation to return " << count
                            << " values but got " << terminator->getNumOperands();
  for (unsigned i = 0; i < count; ++i)
    if (terminator->getOperand(i).getType() != elements[i])
      return op.emitOpError() << "type mismatch on combine operation. Expected argument " << i
                              << " to have type " << elements[i] << " but got "
                              << terminator->getOperand(i).getType();
  return success();
}

LogicalResult ReduceOp::verify() {
  return verifyOperands(*this);
}
LogicalResult ReduceOp::verifyRegions() {
  return verifyCombiner<ReduceReturnOp>(*this);
}
LogicalResult ScanOp::verify() {
  return verifyOperands(*this);
}
LogicalResult ScanOp::verifyRegions() {
  return verifyCombiner<ScanReturnOp>(*this);
}

Operation* singleCombiner(ReduceOp op) {
  if (op->getNumOperands() != 1 || op->getNumResults() != 1) return nullptr;
  Block& block = op.getCombineOp().front();
  Operation* combiner = block.getTerminator()->getOperand(0).getDefiningOp();
  if (!combiner || combiner->getNumOperands() != 2 || combiner->getNumResults() != 1)
    return nullptr;
  Value x = block.getArgument(0), y = block.getArgument(1);
  Value left = combiner->getOperand(0), right = combiner->getOperand(1);
  if (left == x && right == y) return combiner;
  return left == y && right == x && combiner->hasTrait<OpTrait::IsCommutative>() ? combiner
                                                                                 : nullptr;
}

} // namespace gluond::tt
