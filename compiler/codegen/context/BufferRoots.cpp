#include "codegen/context/BufferRoots.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Dialect.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::codegen {

static bool isBuffer(mlir::Value value) {
  return llvm::isa<ttg::MemDescType>(value.getType());
}

// Returns the buffer that the one of this operation is a view of, or null.
static mlir::Value viewed(mlir::Operation& op) {
  if (op.getNumResults() != 1) return {};
  mlir::Value found;
  for (mlir::Value operand : op.getOperands())
    if (isBuffer(operand)) {
      if (found) return {};
      found = operand;
    }
  return found;
}

static mlir::Value passedTo(mlir::BlockArgument argument, CallOfFunction callOf) {
  mlir::Operation* owner = argument.getOwner()->getParentOp();
  if (auto loop = llvm::dyn_cast_if_present<mlir::LoopLikeOpInterface>(owner)) {
    mlir::OpOperand* init = loop.getTiedLoopInit(argument);
    return init ? init->get() : mlir::Value();
  }
  if (!llvm::isa_and_present<tt::FuncOp>(owner) || !argument.getOwner()->isEntryBlock()) return {};
  mlir::Operation* call = callOf(owner);
  return call && argument.getArgNumber() < call->getNumOperands()
             ? call->getOperand(argument.getArgNumber())
             : mlir::Value();
}

mlir::Value rootOfBuffer(mlir::Value buffer, CallOfFunction callOf) {
  constexpr unsigned mostSteps = 64;
  for (unsigned step = 0; step < mostSteps; ++step) {
    mlir::Operation* made = buffer.getDefiningOp();
    mlir::Value next =
        made ? viewed(*made) : passedTo(llvm::cast<mlir::BlockArgument>(buffer), callOf);
    if (!next || !isBuffer(next)) break;
    buffer = next;
  }
  return buffer;
}

} // namespace gluond::codegen
