#include "ir/tt/Traits.h"

#include "ir/tt/Dialect.h"
#include "ir/tt/Ops.h"

#include <mlir/IR/TypeUtilities.h>

using namespace mlir;

namespace gluond::tt {

static Attribute encodingOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getEncoding() : Attribute();
}

// A missing encoding agrees with every other.
static bool encodingsAgree(Type a, Type b) {
  Attribute x = encodingOf(a), y = encodingOf(b);
  return !x || !y || x == y;
}

bool areEquivalentTensorTypes(Type a, Type b) {
  if (a == b) return true;
  auto x = dyn_cast<RankedTensorType>(a), y = dyn_cast<RankedTensorType>(b);
  if (!x || !y || x.getShape() != y.getShape() || x.getElementType() != y.getElementType())
    return false;
  if (!x.getEncoding() || !y.getEncoding()) return false;
  auto* interface = inferLayout(x.getEncoding());
  return interface && succeeded(interface->verifyEqual(x.getShape(), x.getEncoding(),
                                                       y.getEncoding(), std::nullopt));
}

bool areEquivalentTensorTypes(TypeRange inferred, TypeRange actual) {
  return inferred.size() == actual.size() &&
         llvm::all_of(llvm::zip(inferred, actual), [](auto pair) {
           return areEquivalentTensorTypes(std::get<0>(pair), std::get<1>(pair));
         });
}

LogicalResult verifySameOperandsEncoding(Operation* op) {
  if (op->getNumOperands() < 1) return op->emitOpError() << "expected 1 or more operands";
  Type first = op->getOperand(0).getType();
  if (!llvm::all_of(op->getOperandTypes(), [&](Type type) { return encodingsAgree(type, first); }))
    return op->emitOpError() << "requires the same encoding for all operands";
  return success();
}

LogicalResult verifySameResultsType(Operation* op) {
  if (op->getNumResults() < 1) return op->emitOpError() << "expected 1 or more results";
  if (!llvm::all_equal(op->getResultTypes()))
    return op->emitOpError() << "requires the same type for all results";
  return success();
}

LogicalResult verifySameOperandsAndResultEncoding(Operation* op) {
  if (op->getNumOperands() == 0) return success();
  if (op->getNumResults() < 1) return op->emitOpError() << "expected 1 or more results";
  Type first = op->getOperand(0).getType();
  if (!llvm::all_of(op->getResultTypes(), [&](Type type) { return encodingsAgree(type, first); }))
    return op->emitOpError() << "requires the same encoding for all operands and results";
  return verifySameOperandsEncoding(op);
}

static LogicalResult verifyTensorSize(Operation* op, TypeRange types) {
  for (Type type : types) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    if (!tensor) continue;
    // Wraps around on purpose for absurd shapes: they are either too large or no power of two.
    uint64_t elements = 1;
    for (int64_t size : tensor.getShape())
      elements *= static_cast<uint64_t>(size);
    auto count = static_cast<int64_t>(elements);
    if (count > maxTensorElements)
      return op->emitError("Maximum allowed number of elements is ")
             << maxTensorElements << ", but " << *op << " has more than that";
    if ((elements & (elements - 1)) != 0)
      return op->emitError("Number of elements must be power-of-two, but ")
             << *op << " doesn't follow the rule (" << count << ")" << " elements";
  }
  return success();
}

LogicalResult verifyTensorSize(Operation* op) {
  if (failed(verifyTensorSize(op, op->getOperandTypes()))) return failure();
  return verifyTensorSize(op, op->getResultTypes());
}

// Printing an op as a whole numbers all values of its function: too much for an error at every op.
static void addValue(InFlightDiagnostic& error, Value value) {
  if (Operation* made = value.getDefiningOp())
    error << "result of '" << made->getName() << "' of type " << value.getType();
  else
    error << value;
}

LogicalResult verifyLayoutsOf(Operation* op, function_ref<LayoutCheck> check) {
  for (OpOperand& operand : op->getOpOperands())
    if (failed(check(operand.get().getType(), [&] {
          InFlightDiagnostic error = op->emitError("Operand ");
          error << operand.getOperandNumber() << " (";
          addValue(error, operand.get());
          error << ") has an invalid layout: ";
          return error;
        })))
      return failure();
  for (OpResult result : op->getResults())
    if (failed(check(result.getType(), [&] {
          if (op->getNumResults() == 1) return op->emitError("Result has an invalid layout: ");
          return op->emitError("Result ") << result.getResultNumber() << " has an invalid layout: ";
        })))
      return failure();
  return success();
}

LogicalResult verifyTensorLayouts(Operation* op) {
  return verifyLayoutsOf(op, [op](Type type, auto emitError) -> LogicalResult {
    Attribute layout = encodingOf(type);
    if (!layout) return success();
    auto* interface = layout.getDialect().getRegisteredInterface<VerifyLayoutInterface>();
    return interface ? interface->verifyTensor(layout, cast<RankedTensorType>(type), op, emitError)
                     : success();
  });
}

static ArrayRef<int64_t> shapeOf(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

LogicalResult verifySameLoadStoreOperandsShape(Operation* op) {
  if (op->getNumOperands() < 1) return op->emitOpError() << "expected 1 or more operands";
  auto first = shapeOf(op->getOperand(0).getType());
  for (Type type : llvm::drop_begin(op->getOperandTypes()))
    if (failed(verifyCompatibleShape(shapeOf(type), first)))
      return op->emitOpError() << "requires the same shape for all operands";
  return success();
}

LogicalResult verifySameLoadStoreOperandsAndResultShape(Operation* op) {
  if (op->getNumOperands() < 1) return op->emitOpError() << "expected 1 or more operands";
  if (op->getNumResults() < 1) return op->emitOpError() << "expected 1 or more results";
  auto first = shapeOf(op->getOperand(0).getType());
  for (Type type : op->getResultTypes())
    if (failed(verifyCompatibleShape(shapeOf(type), first)))
      return op->emitOpError() << "requires the same shape for all operands and results";
  return verifySameLoadStoreOperandsShape(op);
}

LogicalResult verifyTransposeOp(Operation* op) {
  auto transpose = cast<TransposeOpInterface>(op);
  SmallVector<int32_t> order(transpose.getOrder());
  auto rank = static_cast<size_t>(cast<ShapedType>(transpose.getSrc().getType()).getRank());
  if (order.size() != rank)
    return op->emitError("order must have the same size as the rank of the operand and result");
  llvm::sort(order);
  for (size_t i = 0; i < rank; ++i)
    if (order[i] != static_cast<int32_t>(i))
      return op->emitError("order must be a permutation of [0, ..., rank - 1]");
  return success();
}

static ArrayRef<int64_t> shapedShape(Value value) {
  return cast<ShapedType>(value.getType()).getShape();
}

bool dotContractionAgrees(Value a, Value b) {
  return shapedShape(a).back() == shapedShape(b).drop_back().back();
}

bool dotResultAgrees(Value a, Value b, Value c) {
  auto result = shapedShape(c);
  return result.drop_back().back() == shapedShape(a).drop_back().back() &&
         result.back() == shapedShape(b).back();
}

LogicalResult verifyDotOp(Operation* op) {
  auto dot = cast<DotOpInterface>(op);
  if (op->getNumOperands() < 3) return op->emitOpError("expected at least 3 operands");
  auto a = shapedShape(op->getOperand(0)), b = shapedShape(op->getOperand(1)),
       c = shapedShape(op->getOperand(2));
  if (a.size() != 2 && a.size() != 3) return op->emitOpError("expected operands to be 2d or 3d");
  if (a.size() != b.size() || a.size() != c.size())
    return op->emitOpError("expected all operands to have the same rank");
  if (!dot.verifyDims())
    return op->emitOpError(
        "expected the last dimension of the first operand to be equal to the second-to-last "
        "dimension of the second operand");
  if (a.size() == 3 && (a[0] != c[0] || b[0] != c[0]))
    return op->emitOpError(
        "expected the first dimension of the first operand to be equal to the first dimension of "
        "the result");
  if (!dot.verifyOutputDims())
    return op->emitOpError(
        "expected the output shape to be the concatenation of the last dimension of the first "
        "operand and the last dimension of the second ");
  return success();
}

} // namespace gluond::tt
