#include "passes/memory/LateOperands.h"

#include "ir/layouts/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"

namespace gluond::passes {

namespace {

unsigned registersOf(mlir::Value tensor) {
  return ir::toLinearLayout(mlir::cast<mlir::RankedTensorType>(tensor.getType()))
      .inSize(layout::Dim::Register);
}

bool isCopiedOperand(ttg::ConvertLayoutOp op) {
  return mlir::isa<ttg::DotOperandEncodingAttr>(op.getType().getEncoding()) &&
         registersOf(op.getResult()) > registersOf(op.getSrc());
}

// The operation of the conversion's block that uses it first, itself or in a region.
mlir::Operation* firstUser(ttg::ConvertLayoutOp op) {
  mlir::Operation* first = nullptr;
  for (mlir::Operation* user : op->getUsers()) {
    mlir::Operation* here = op->getBlock()->findAncestorOpInBlock(*user);
    if (!first || here->isBeforeInBlock(first)) first = here;
  }
  return first;
}

// Where the conversion is better, or null.
mlir::Operation* laterPlace(ttg::ConvertLayoutOp op) {
  if (!isCopiedOperand(op)) return nullptr;
  mlir::Operation* user = firstUser(op);
  if (!user) return nullptr;
  bool passesProduct =
      llvm::any_of(llvm::make_range(op->getIterator(), user->getIterator()),
                   [](mlir::Operation& each) { return mlir::isa<tt::DotOp>(each); });
  return passesProduct ? user : nullptr;
}

} // namespace

mlir::OwningOpRef<mlir::ModuleOp> withLateOperands(mlir::ModuleOp module) {
  bool hasAny =
      module
          .walk([](ttg::ConvertLayoutOp op) {
            return laterPlace(op) ? mlir::WalkResult::interrupt() : mlir::WalkResult::advance();
          })
          .wasInterrupted();
  if (!hasAny) return nullptr;
  mlir::OwningOpRef<mlir::ModuleOp> copy(module.clone());
  llvm::SmallVector<ttg::ConvertLayoutOp> conversions;
  copy->walk([&](ttg::ConvertLayoutOp op) { conversions.push_back(op); });
  // From the last to the first: those that move to the same place keep their order.
  for (ttg::ConvertLayoutOp op : llvm::reverse(conversions))
    if (mlir::Operation* place = laterPlace(op)) op->moveBefore(place);
  return copy;
}

} // namespace gluond::passes
