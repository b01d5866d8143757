#include "ir/tt/Dialect.h"

#include "ir/tt/Ops.h"

#include <llvm/ADT/TypeSwitch.h>
#include <mlir/Dialect/Arith/IR/Arith.h>
#include <mlir/Dialect/ControlFlow/IR/ControlFlowOps.h>
#include <mlir/Dialect/Math/IR/Math.h>
#include <mlir/Dialect/SCF/IR/SCF.h>
#include <mlir/Dialect/UB/IR/UBOps.h>
#include <mlir/IR/DialectImplementation.h>
#include <mlir/Transforms/InliningUtils.h>

#include "ir/tt/Dialect.cpp.inc"
#include "ir/tt/OpInterfaces.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "ir/tt/Attributes.cpp.inc"

using namespace mlir;

namespace gluond::tt {

namespace {

// Everything may be inlined except functions marked noinline.
struct Inliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;
  bool isLegalToInline(Operation*, Operation* callable, bool) const final {
    auto noinline = callable->getAttrOfType<BoolAttr>("noinline");
    return !noinline || !noinline.getValue();
  }
  bool isLegalToInline(Region*, Region*, bool, IRMapping&) const final { return true; }
  bool isLegalToInline(Operation*, Region*, bool, IRMapping&) const final { return true; }

  void handleTerminator(Operation* op, Block* next) const final {
    auto ret = dyn_cast<ReturnOp>(op);
    if (!ret) return;
    OpBuilder builder(op);
    cf::BranchOp::create(builder, op->getLoc(), next, ret.getSrcs());
    op->erase();
  }
  void handleTerminator(Operation* op, ValueRange results) const final {
    for (auto [result, value] : llvm::zip_equal(results, op->getOperands()))
      result.replaceAllUsesWith(value);
  }
  // Hints on a call pass on to what its result becomes.
  Value handleResult(OpBuilder&, Operation* call, Operation*, Value result,
                     DictionaryAttr) const final {
    if (Operation* def = result.getDefiningOp())
      for (StringRef hint : {"tt.divisibility", "tt.contiguity", "tt.constancy"})
        if (Attribute value = call->getDiscardableAttr(hint)) def->setDiscardableAttr(hint, value);
    return result;
  }
};

struct CachePolicies : CachePolicyInterface {
  using CachePolicyInterface::CachePolicyInterface;
  LogicalResult verifyCachePolicy(Attribute policy, CachePolicyUse use,
                                  function_ref<InFlightDiagnostic()> emitError) const final {
    auto ours = dyn_cast<CachePolicyAttr>(policy);
    if (!ours) return emitError() << "unsupported Triton cache policy attribute " << policy;
    return verifyCacheModifier(ours.getCacheModifier(), use, emitError);
  }
};

} // namespace

void TTDialect::initialize() {
  registerTypes();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "ir/tt/Attributes.cpp.inc"
      >();
  registerTTDialectOperations(this);
  addInterfaces<Inliner, CachePolicies>();
}

Operation* TTDialect::materializeConstant(OpBuilder& builder, Attribute value, Type type,
                                          Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

const InferLayoutInterface* inferLayout(Attribute encoding) {
  return encoding.getDialect().getRegisteredInterface<InferLayoutInterface>();
}

LogicalResult verifyCacheModifier(CacheModifier modifier, CachePolicyUse use,
                                  function_ref<InFlightDiagnostic()> emitError) {
  using enum CacheModifier;
  static constexpr CacheModifier forLoads[] = {NONE, CA, CG, CS, CV},
                                 forStores[] = {NONE, CG, WB, CS, WT};
  bool isLoad = use == CachePolicyUse::Load;
  if (isLoad ? llvm::is_contained(forLoads, modifier) : llvm::is_contained(forStores, modifier))
    return success();
  return emitError() << "cache modifier '" << stringifyCacheModifier(modifier)
                     << "' is not supported for " << (isLoad ? "loads" : "stores");
}

LogicalResult verifyCachePolicy(Operation* op, Attribute policy, CachePolicyUse use) {
  if (!policy) return success();
  auto* interface = policy.getDialect().getRegisteredInterface<CachePolicyInterface>();
  if (!interface) return op->emitOpError("unsupported cache policy attribute ") << policy;
  return interface->verifyCachePolicy(policy, use,
                                      [&] { return op->emitOpError("invalid cache policy: "); });
}

LogicalResult verifyInlineAsmOperands(Operation* op, bool pure) {
  for (OpOperand& operand : op->getOpOperands())
    if (auto* interface =
            operand.get().getType().getDialect().getRegisteredInterface<InlineAsmInterface>())
      if (failed(interface->verifyOperand(operand, pure))) return failure();
  return success();
}

void inlineAsmEffects(Operation* op, bool pure, InlineAsmInterface::Effects& effects) {
  if (pure) return;
  effects.emplace_back(MemoryEffects::Write::get());
  effects.emplace_back(MemoryEffects::Read::get());
  for (OpOperand& operand : op->getOpOperands())
    if (auto* interface =
            operand.get().getType().getDialect().getRegisteredInterface<InlineAsmInterface>())
      interface->operandEffects(operand, effects);
}

} // namespace gluond::tt
