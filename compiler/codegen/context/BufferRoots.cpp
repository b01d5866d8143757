#include "codegen/context/BufferRoots.h"

#include "ir/tt/Ops.h"
#include "ir/ttg/Ops.h"
#include "ir/ttng/Ops.h"

#include <mlir/IR/Matchers.h>
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

std::optional<BufferPart> partOfBuffer(mlir::Value view) {
  // A dimension of the result, as it is found in `view` while that goes back to the buffer.
  struct Dimension {
    size_t at;
    std::optional<int64_t> offset = 0;
  };
  llvm::SmallVector<Dimension, 4> dimensions;
  for (size_t i = 0; i < llvm::cast<ttg::MemDescType>(view.getType()).getShape().size(); ++i)
    dimensions.push_back({i});
  auto move = [&](size_t at, int64_t by) {
    for (Dimension& each : dimensions)
      if (each.at == at && each.offset) *each.offset += by;
  };
  bool isView = false;
  for (mlir::Operation* op; (op = view.getDefiningOp()); isView = true) {
    if (auto index = llvm::dyn_cast<ttg::MemDescIndexOp>(op)) {
      for (Dimension& each : dimensions)
        ++each.at;
      llvm::APInt slot;
      bool isKnown = mlir::matchPattern(index.getIndex(), mlir::m_ConstantInt(&slot));
      dimensions.insert(dimensions.begin(),
                        {0, isKnown ? std::optional(slot.getSExtValue()) : std::nullopt});
      view = index.getSrc();
    } else if (auto slice = llvm::dyn_cast<ttg::MemDescSubsliceOp>(op)) {
      for (auto [i, offset] : llvm::enumerate(slice.getOffsets()))
        move(i, offset);
      view = slice.getSrc();
    } else if (auto slice = llvm::dyn_cast<ttng::TMEMSubSliceOp>(op)) {
      move(slice.getDim(), slice.getOffset());
      view = slice.getSrc();
    } else if (auto transpose = llvm::dyn_cast<ttg::MemDescTransOp>(op)) {
      for (Dimension& each : dimensions)
        each.at = static_cast<size_t>(transpose.getOrder()[each.at]);
      view = transpose.getSrc();
    } else {
      break;
    }
  }
  llvm::ArrayRef<int64_t> shape = llvm::cast<ttg::MemDescType>(view.getType()).getShape();
  if (!isView) return std::nullopt;
  BufferPart part{view, {}, {}};
  for (const Dimension& each : dimensions) {
    part.sizes.push_back(shape[each.at]);
    part.offsets.push_back(each.offset);
  }
  return part;
}

} // namespace gluond::codegen
