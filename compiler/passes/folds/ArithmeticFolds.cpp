#include "passes/folds/ArithmeticFolds.h"

#include <llvm/ADT/DenseMap.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/IR/Matchers.h>
#include <mlir/Interfaces/FoldInterfaces.h>

namespace gluond::passes {
using namespace mlir;
namespace {

using Operands = ArrayRef<Attribute>;
using Fold = OpFoldResult (*)(Operation*, Operands);

bool isZero(Attribute constant) {
  return constant && matchPattern(constant, m_Zero());
}

bool isAllOnes(Attribute constant) {
  APInt value;
  return constant && matchPattern(constant, m_ConstantInt(&value)) && value.isAllOnes();
}

OpFoldResult zeroOf(Operation* op) {
  return Builder(op->getContext()).getZeroAttr(op->getResult(0).getType());
}
OpFoldResult oneOf(Operation* op) {
  return Builder(op->getContext()).getOneAttr(op->getResult(0).getType());
}
bool sameOperands(Operation* op) {
  return op->getOperand(0) == op->getOperand(1);
}

// Zero divided by anything is that zero. Whether the operand itself or a new constant is returned
// decides where the constant ends up in the block, so each fold does the same as Triton's.
OpFoldResult zeroOperand(Operation* op, Operands constants) {
  return isZero(constants[0]) ? OpFoldResult(op->getOperand(0)) : OpFoldResult();
}
// 0 % x = 0, x % x = 0 (x = 0 is undefined either way).
OpFoldResult remainder(Operation* op, Operands constants) {
  return isZero(constants[0]) || sameOperands(op) ? zeroOf(op) : OpFoldResult();
}
// 0 / x = 0, x / x = 1.
OpFoldResult quotient(Operation* op, Operands constants) {
  if (OpFoldResult zero = zeroOperand(op, constants)) return zero;
  return sameOperands(op) ? oneOf(op) : OpFoldResult();
}
// x - (x - y) = y.
OpFoldResult difference(Operation* op, Operands) {
  auto inner = op->getOperand(1).getDefiningOp<arith::SubIOp>();
  return inner && inner.getLhs() == op->getOperand(0) ? OpFoldResult(inner.getRhs())
                                                      : OpFoldResult();
}
// 0 shifted right is 0; x >> x is 0, or poison.
OpFoldResult shiftRight(Operation* op, Operands constants) {
  if (OpFoldResult zero = zeroOperand(op, constants)) return zero;
  return sameOperands(op) ? zeroOf(op) : OpFoldResult();
}
// The same, and all ones keep their sign.
OpFoldResult arithmeticShiftRight(Operation* op, Operands constants) {
  if (OpFoldResult zero = shiftRight(op, constants)) return zero;
  return isAllOnes(constants[0]) ? OpFoldResult(op->getOperand(0)) : OpFoldResult();
}

struct ArithmeticFolds : DialectFoldInterface {
  explicit ArithmeticFolds(Dialect* dialect) : DialectFoldInterface(dialect) {
    auto* context = dialect->getContext();
    auto add = [&](StringRef name, Fold fold) { table[OperationName(name, context)] = fold; };
    for (StringRef name : {"arith.remsi", "arith.remui"})
      add(name, remainder);
    for (StringRef name :
         {"arith.divsi", "arith.divui", "arith.floordivsi", "arith.ceildivsi", "arith.ceildivui"})
      add(name, quotient);
    add("arith.subi", difference);
    add("arith.shrui", shiftRight);
    add("arith.shrsi", arithmeticShiftRight);
    add("arith.shli", zeroOperand);
  }
  LogicalResult fold(Operation* op, Operands constants,
                     SmallVectorImpl<OpFoldResult>& results) const override {
    auto found = table.find(op->getName());
    if (found == table.end()) return failure();
    OpFoldResult result = found->second(op, constants);
    if (!result) return failure();
    results.push_back(result);
    return success();
  }
  llvm::DenseMap<OperationName, Fold> table;
};

// For two constants: 0 divided or shifted, and -1 shifted right, fold to the left operand before
// other folds.
OpFoldResult givesBackLeft(Operation* op, Operands constants) {
  if (isa<arith::ShRSIOp>(op) && isAllOnes(constants[0]) && !sameOperands(op))
    return op->getOperand(0);
  if (!isa<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp, arith::CeilDivSIOp,
           arith::CeilDivUIOp, arith::ShLIOp, arith::ShRSIOp, arith::ShRUIOp>(op))
    return {};
  return zeroOperand(op, constants);
}

} // namespace

LogicalResult foldOperation(Operation* op, SmallVectorImpl<OpFoldResult>& results) {
  SmallVector<Attribute, 4> constants(op->getNumOperands());
  for (auto [operand, constant] : llvm::zip(op->getOperands(), constants))
    matchPattern(operand, m_Constant(&constant));
  if (op->getNumOperands() == 2 && constants[0] && constants[1])
    if (OpFoldResult left = givesBackLeft(op, constants)) {
      results.push_back(left);
      return success();
    }
  return op->fold(constants, results);
}

void installArithmeticFolds(MLIRContext& context) {
  auto* arith = context.getOrLoadDialect<arith::ArithDialect>();
  if (!arith->getRegisteredInterface<DialectFoldInterface>())
    arith->addInterfaces<ArithmeticFolds>();
}

} // namespace gluond::passes
