#include "codegen/QuickVerify.h"

#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/UB/IR/UBOps.h>

namespace gluond::codegen {

namespace {

class Checker {
public:
  explicit Checker(mlir::MLIRContext* context)
      : arith_(context->getLoadedDialect<mlir::arith::ArithDialect>()),
        math_(context->getLoadedDialect<mlir::math::MathDialect>()),
        ub_(context->getLoadedDialect<mlir::ub::UBDialect>()) {}

  bool check(mlir::Operation& op) {
    mlir::OperationName name = op.getName();
    mlir::Dialect* dialect = name.getDialect();
    if (dialect == arith_ || dialect == math_ || dialect == ub_) return checkPlain(op) || verifies(name, op);
    if (!verifies(name, op)) return false;
    if (op.getNumRegions() == 0) return true;
    for (mlir::Region& region : op.getRegions())
      for (mlir::Block& block : region)
        if (!check(block, op)) return false;
    return mlir::succeeded(name.verifyRegionInvariants(&op));
  }

private:
  static bool verifies(mlir::OperationName name, mlir::Operation& op) {
    return mlir::succeeded(name.verifyInvariants(&op));
  }

  bool check(mlir::Block& block, mlir::Operation& parent) {
    bool graph = parent.mightHaveTrait<mlir::OpTrait::NoTerminator>();
    if (block.empty()) return graph;
    mlir::Operation& last = block.back();
    if (!graph && !last.mightHaveTrait<mlir::OpTrait::IsTerminator>()) return false;
    for (mlir::Operation& op : block) {
      if (&op != &last && op.getNumSuccessors() != 0) return false;
      if (&op != &last && op.hasTrait<mlir::OpTrait::IsTerminator>()) return false;
      if (!check(op)) return false;
    }
    return true;
  }

  // Operands and result of one type, a constant of its type, a comparison of one type.
  static bool checkPlain(mlir::Operation& op) {
    if (op.getNumResults() != 1) return false;
    mlir::Type result = op.getResult(0).getType();
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) return constant.getValue().getType() == result;
    unsigned operands = op.getNumOperands();
    if (operands == 0) return llvm::isa<mlir::ub::PoisonOp>(op);
    mlir::Type type = op.getOperand(0).getType();
    if (operands == 2 && op.getOperand(1).getType() != type) return false;
    if (operands > 2) return false;
    if (op.hasTrait<mlir::OpTrait::SameOperandsAndResultType>()) return type == result;
    if (!llvm::isa<mlir::arith::CmpIOp, mlir::arith::CmpFOp>(op)) return false;
    auto from = llvm::dyn_cast<mlir::RankedTensorType>(type), to = llvm::dyn_cast<mlir::RankedTensorType>(result);
    if (!from || !to) return !from && !to && result.isInteger(1);
    return to.getElementType().isInteger(1) && from.getShape() == to.getShape() && from.getEncoding() == to.getEncoding();
  }

  mlir::Dialect *arith_, *math_, *ub_;
};

} // namespace

bool isSurelyValid(mlir::ModuleOp module) {
  Checker checker(module.getContext());
  for (mlir::Operation& op : *module.getBody())
    if (!checker.check(op)) return false;
  return true;
}

} // namespace gluond::codegen
