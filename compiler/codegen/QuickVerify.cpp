#include "codegen/QuickVerify.h"

#include "ir/Layouts.h"
#include "ir/tt/Ops.h"
#include "ir/tt/Traits.h"
#include "ir/ttg/Ops.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/DenseSet.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/UB/IR/UBOps.h>

namespace gluond::codegen {

namespace {

mlir::RankedTensorType tensorOf(mlir::Type type) { return llvm::dyn_cast<mlir::RankedTensorType>(type); }

// Of a tensor the type of its elements, of a scalar itself.
mlir::Type elementOf(mlir::Type type) {
  auto tensor = tensorOf(type);
  return tensor ? tensor.getElementType() : type;
}

bool isScalar(mlir::Type type) { return llvm::isa<mlir::IntegerType, mlir::FloatType, tt::PointerType>(type); }

// Both scalars, or tensors of one shape and one encoding.
bool sameForm(mlir::Type a, mlir::Type b) {
  auto x = tensorOf(a), y = tensorOf(b);
  if (!x || !y) return !x && !y;
  return x.getShape() == y.getShape() && x.getEncoding() == y.getEncoding();
}

class Checker {
public:
  explicit Checker(mlir::MLIRContext* context)
      : arith_(context->getLoadedDialect<mlir::arith::ArithDialect>()),
        math_(context->getLoadedDialect<mlir::math::MathDialect>()),
        ub_(context->getLoadedDialect<mlir::ub::UBDialect>()), tt_(context->getLoadedDialect<tt::TTDialect>()) {}

  bool check(mlir::Operation& op) {
    mlir::OperationName name = op.getName();
    mlir::Dialect* dialect = name.getDialect();
    if (dialect == arith_ || dialect == math_ || dialect == ub_) return checkPlain(op) || verifies(name, op);
    if (!(dialect == tt_ && checkTriton(op)) && !verifies(name, op)) return false;
    if (op.getNumRegions() == 0) return true;
    // Functions and partitions have a number of warps of their own.
    bool hasWarps = llvm::isa<tt::FuncOp, ttg::WarpSpecializePartitionsOp>(op);
    for (mlir::Region& region : op.getRegions()) {
      if (hasWarps) fitting_.clear();
      for (mlir::Block& block : region)
        if (!check(block, op)) return false;
    }
    if (hasWarps) fitting_.clear();
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

  // ------------------------------------------------------------- arith, math, ub

  // Operands and result of one type, a constant of its type, a comparison of one type, a cast.
  static bool checkPlain(mlir::Operation& op) {
    if (op.getNumResults() != 1) return false;
    mlir::Type result = op.getResult(0).getType();
    if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) return constant.getValue().getType() == result;
    unsigned operands = op.getNumOperands();
    if (operands == 0) return llvm::isa<mlir::ub::PoisonOp>(op);
    mlir::Type type = op.getOperand(0).getType();
    if (operands == 1 && type != result) return checkCast(op, type, result);
    if (operands == 2 && op.getOperand(1).getType() != type) return false;
    if (operands > 2) return false;
    if (op.hasTrait<mlir::OpTrait::SameOperandsAndResultType>()) return type == result;
    if (!llvm::isa<mlir::arith::CmpIOp, mlir::arith::CmpFOp>(op)) return false;
    return sameForm(type, result) && elementOf(result).isInteger(1);
  }

  static bool checkCast(mlir::Operation& op, mlir::Type from, mlir::Type to) {
    if (!sameForm(from, to)) return false;
    from = elementOf(from);
    to = elementOf(to);
    bool integers = llvm::isa<mlir::IntegerType>(from) && llvm::isa<mlir::IntegerType>(to);
    bool floats = llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to);
    bool wider = (integers || floats) && from.getIntOrFloatBitWidth() < to.getIntOrFloatBitWidth();
    bool narrower = (integers || floats) && from.getIntOrFloatBitWidth() > to.getIntOrFloatBitWidth();
    if (llvm::isa<mlir::arith::ExtSIOp, mlir::arith::ExtUIOp>(op)) return integers && wider;
    if (llvm::isa<mlir::arith::TruncIOp>(op)) return integers && narrower;
    if (llvm::isa<mlir::arith::ExtFOp>(op)) return floats && wider;
    if (llvm::isa<mlir::arith::TruncFOp>(op)) return floats && narrower;
    if (llvm::isa<mlir::arith::SIToFPOp, mlir::arith::UIToFPOp>(op))
      return llvm::isa<mlir::IntegerType>(from) && llvm::isa<mlir::FloatType>(to);
    if (llvm::isa<mlir::arith::FPToSIOp, mlir::arith::FPToUIOp>(op))
      return llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::IntegerType>(to);
    return false;
  }

  // ------------------------------------------------------------- tt

  bool checkTriton(mlir::Operation& op) {
    if (auto splat = llvm::dyn_cast<tt::SplatOp>(op))
      return fits(splat.getType(), op) && elementOf(splat.getType()) == splat.getSrc().getType();
    if (auto add = llvm::dyn_cast<tt::AddPtrOp>(op)) {
      mlir::Type type = add.getPtr().getType(), offset = add.getOffset().getType();
      return add.getType() == type && llvm::isa<tt::PointerType>(elementOf(type)) &&
             llvm::isa<mlir::IntegerType>(elementOf(offset)) && sameForm(type, offset) && fits(type, op) &&
             fits(offset, op);
    }
    if (auto range = llvm::dyn_cast<tt::MakeRangeOp>(op))
      return fits(range.getType(), op) && mlir::succeeded(range.verify());
    if (auto load = llvm::dyn_cast<tt::LoadOp>(op)) {
      mlir::Type pointer = load.getPtr().getType(), type = load.getType();
      return isPointee(pointer, type) && isMask(load.getMask(), type) &&
             (!load.getOther() || load.getOther().getType() == type) && fits(pointer, op) && fits(type, op) &&
             mlir::succeeded(load.verify());
    }
    if (auto store = llvm::dyn_cast<tt::StoreOp>(op)) {
      mlir::Type pointer = store.getPtr().getType(), type = store.getValue().getType();
      return isPointee(pointer, type) && isMask(store.getMask(), type) && fits(pointer, op) && fits(type, op) &&
             mlir::succeeded(store.verify());
    }
    if (auto broadcast = llvm::dyn_cast<tt::BroadcastOp>(op)) return checkBroadcast(broadcast);
    if (auto expand = llvm::dyn_cast<tt::ExpandDimsOp>(op)) return checkExpandDims(expand);
    if (auto leave = llvm::dyn_cast<tt::ReturnOp>(op))
      return leave->getNumOperands() == 0 && llvm::isa<tt::FuncOp>(op.getParentOp()) && mlir::succeeded(leave.verify());
    return llvm::isa<tt::GetProgramIdOp, tt::GetNumProgramsOp>(op) && op.getResult(0).getType().isInteger(32);
  }

  static bool isPointee(mlir::Type pointer, mlir::Type type) {
    auto element = llvm::dyn_cast<tt::PointerType>(elementOf(pointer));
    return element && element.getPointeeType() == elementOf(type) && sameForm(pointer, type);
  }
  bool isMask(mlir::Value mask, mlir::Type type) {
    return !mask || (elementOf(mask.getType()).isInteger(1) && sameForm(mask.getType(), type));
  }

  // A blocked layout repeats what does not fill it, so that repeating in the tensor moves nothing.
  bool checkBroadcast(tt::BroadcastOp op) {
    mlir::RankedTensorType from = op.getSrc().getType(), to = op.getType();
    if (from.getRank() != to.getRank() || from.getElementType() != to.getElementType() ||
        from.getEncoding() != to.getEncoding() || !llvm::isa_and_present<ttg::BlockedEncodingAttr>(to.getEncoding()))
      return false;
    for (auto [a, b] : llvm::zip(from.getShape(), to.getShape()))
      if (a != 1 && a != b) return false;
    return fits(from, *op) && fits(to, *op);
  }

  bool checkExpandDims(tt::ExpandDimsOp op) {
    mlir::RankedTensorType from = op.getSrc().getType(), to = op.getType();
    auto slice = llvm::dyn_cast_if_present<ttg::SliceEncodingAttr>(from.getEncoding());
    unsigned axis = op.getAxis();
    if (!slice || slice.getDim() != axis || to.getEncoding() != mlir::Attribute(slice.getParent()) ||
        from.getElementType() != to.getElementType() || axis >= to.getShape().size() || to.getShape()[axis] != 1)
      return false;
    return to.getShape().take_front(axis) == from.getShape().take_front(axis) &&
           to.getShape().drop_front(axis + 1) == from.getShape().drop_front(axis) && fits(from, *op) && fits(to, *op);
  }

  // Whether the type may stand here: of a size there is, its layout made for as many warps, lanes and CTAs as the
  // code around has. Every type is looked at once in a function.
  bool fits(mlir::Type type, mlir::Operation& op) {
    auto tensor = tensorOf(type);
    if (!tensor) return isScalar(type);
    if (fitting_.contains(type)) return true;
    mlir::Attribute layout = tensor.getEncoding();
    // What generic layouts are good for depends on the op.
    if (!layout || ir::isGenericLinear(layout) || !isScalar(tensor.getElementType())) return false;
    int64_t elements = 1;
    for (int64_t size : tensor.getShape()) {
      if (size < 1 || size > tt::maxTensorElements) return false;
      elements *= size;
      if (elements > tt::maxTensorElements) return false;
    }
    if ((elements & (elements - 1)) != 0) return false;
    auto* interface = layout.getDialect().getRegisteredInterface<tt::VerifyLayoutInterface>();
    bool fits = interface && mlir::succeeded(interface->verifyTensor(layout, tensor, &op, [&] { return op.emitError(); }));
    if (fits) fitting_.insert(type);
    return fits;
  }

  mlir::Dialect *arith_, *math_, *ub_, *tt_;
  llvm::SmallDenseSet<mlir::Type, 16> fitting_; // in the function or partition being checked
};

} // namespace

bool isSurelyValid(mlir::ModuleOp module) {
  Checker checker(module.getContext());
  for (mlir::Operation& op : *module.getBody())
    if (!checker.check(op)) return false;
  return true;
}

} // namespace gluond::codegen
