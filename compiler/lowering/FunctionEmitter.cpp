#include "lowering/FunctionEmitter.h"

#include "ir/ttg/Ops.h"
#include "lowering/WarpSpecialize.h"
#include "support/Allowance.h"

#include <llvm/IR/InlineAsm.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/IR/TypeUtilities.h>

namespace gluond::lowering {

FunctionEmitter::FunctionEmitter(ModuleState& state, mlir::Operation* function)
    : b(state.context), state_(state), source_(function),
      function_(state.functions[function].get()) {}

void FunctionEmitter::set(mlir::Value value, Registers registers) {
  values_[value] = llvm::ArrayRef(registers).copy(arena_);
}

bool FunctionEmitter::function(llvm::Function* function) {
  llvm_ = function;
  auto source = mlir::cast<tt::FuncOp>(source_);
  llvm::BasicBlock* entry = newBlock("entry");
  b.SetInsertPoint(entry);
  locate(source.getLoc());
  group_.warps = ttg::lookupNumWarps(source_).value_or(4);
  if (auto own = source_->getAttrOfType<mlir::IntegerAttr>(ttg::numWarpsAttr))
    group_.warps = static_cast<unsigned>(own.getInt());
  RegisterList arguments;
  for (llvm::Argument& argument : function->args())
    arguments.push_back(&argument);
  // A kernel ends with the scratch that the launcher gives it, another function begins its shared
  // memory where its caller says.
  if (isKernel()) {
    globalScratch_ = arguments[arguments.size() - 2];
    sharedBase_ = state_.shared;
  } else {
    sharedBase_ = arguments.back();
    globalScratch_ = arguments[arguments.size() - 2];
  }
  bind(source.getArguments(), Registers(arguments).drop_back(2));
  if (isKernel()) {
    group_.isWholeCta = !function_->warpSpecializationOffset;
    if (!beginWarps(*this)) return false;
  }
  beginPlace();
  if (isKernel() && !target().beginKernel(*this)) return false;
  return blocks(source.getBody());
}

bool FunctionEmitter::region(mlir::Block& block) {
  for (mlir::Operation& inner : block)
    if (!op(&inner)) return false;
  return true;
}

// LLVM has no floats of 8 bits: they are bytes here, which tt.fp_to_fp alone converts. An
// instruction that is made of them nevertheless is invalid, and some handlers never end. The
// absolute value is that of the bytes without their sign.
static bool computesOnByteFloats(mlir::Operation* op) {
  llvm::StringRef dialect = op->getName().getDialectNamespace();
  if ((dialect != "arith" && dialect != "math") ||
      mlir::isa<mlir::arith::ConstantOp, mlir::arith::SelectOp, mlir::arith::BitcastOp,
                mlir::math::AbsFOp>(op))
    return false;
  auto isByteFloat = [](mlir::Type type) {
    auto element = mlir::dyn_cast<mlir::FloatType>(mlir::getElementTypeOrSelf(type));
    return element && element.getWidth() <= 8;
  };
  return llvm::any_of(op->getOperandTypes(), isByteFloat) ||
         llvm::any_of(op->getResultTypes(), isByteFloat);
}

bool FunctionEmitter::op(mlir::Operation* op) {
  if (mustStop(state_.cancellation)) {
    state_.failure = passes::PassFailure{
        passes::FailureKind::Cancelled, op->getLoc(), "cancelled", {}, {}, {}, "lowering"};
    return false;
  }
  locate(op->getLoc());
  const passes::Synchronization& meets = function_->synchronization;
  if (!meets.fenceBefore.empty() && meets.fenceBefore.contains(op))
    target().fenceAsyncShared(*this, /*ofCluster=*/false);
  if (!meets.tensorStoresDoneBefore.empty() && meets.tensorStoresDoneBefore.contains(op))
    target().finishTensorStores(*this);
  if (!meets.initializationsMetBefore.empty() && meets.initializationsMetBefore.contains(op)) {
    target().fenceInitializations(*this);
    clusterBarrier(/*relaxed=*/true);
  }
  if (meets.barrierBefore.contains(op)) barrier();
  auto handler = state_.handlers.find(op->getName().getStringRef());
  if (handler == state_.handlers.end())
    return fail(op,
                "gluond cannot compile `" + op->getName().getStringRef() + "` for this target yet");
  if (computesOnByteFloats(op))
    return reject(op, "`" + op->getName().getStringRef() +
                          "` has no instruction for 8-bit floats: only tensors can be converted to "
                          "and from them, and nothing can be computed with them");
  if (!handler->second.handler(*this, op)) return false;
  if (meets.barrierAfter.contains(op)) barrier();
  return true;
}

bool FunctionEmitter::fail(mlir::Operation* op, llvm::Twine message) {
  if (!state_.failure)
    state_.failure = passes::PassFailure{
        passes::FailureKind::Unsupported, op->getLoc(), message.str(), {}, {}, {}, "lowering"};
  return false;
}

bool FunctionEmitter::reject(mlir::Operation* op, llvm::Twine message) {
  if (!state_.failure)
    state_.failure = passes::PassFailure{
        passes::FailureKind::Invalid, op->getLoc(), message.str(), {}, {}, {}, "lowering"};
  return false;
}

bool FunctionEmitter::needs(mlir::Operation* op, Feature feature, llvm::Twine what) {
  std::string lacking = target().lacks(feature);
  return lacking.empty() || fail(op, what + " " + lacking);
}

llvm::CallInst* FunctionEmitter::intrinsic(unsigned id, llvm::ArrayRef<llvm::Type*> overloads,
                                           Registers operands) {
  return b.CreateIntrinsic(static_cast<llvm::Intrinsic::ID>(id), overloads, operands);
}

llvm::Value* FunctionEmitter::assembly(llvm::Type* result, llvm::StringRef text,
                                       llvm::StringRef constraints, Registers operands,
                                       bool sideEffects) {
  llvm::SmallVector<llvm::Type*> types;
  for (llvm::Value* operand : operands)
    types.push_back(operand->getType());
  auto* type = llvm::FunctionType::get(result, types, false);
  std::string all = constraints.str();
  if (sideEffects) all += all.empty() ? "~{memory}" : ",~{memory}";
  auto* code = llvm::InlineAsm::get(type, text, all, sideEffects);
  llvm::CallInst* call = b.CreateCall(code, operands);
  call->addFnAttr(llvm::Attribute::NoUnwind);
  if (sideEffects)
    call->addFnAttr(llvm::Attribute::Convergent);
  else
    call->setDoesNotAccessMemory();
  return call;
}

bool makesNoCode(FunctionEmitter&, mlir::Operation*) {
  return true;
}

bool isNoinline(mlir::Operation* function) {
  auto attribute = function->getAttrOfType<mlir::BoolAttr>("noinline");
  return attribute && attribute.getValue();
}

} // namespace gluond::lowering
