// Triton's own products and tensor descriptors: names that a Gluon kernel finds in triton.language,
// but that know no layouts.
#include "codegen/rules/common/Args.h"
#include "codegen/suggestions/OtherNames.h"
#include "syntax/tree/Children.h"

#include <mlir/Interfaces/LoopLikeInterface.h>

namespace gluond::codegen {

using language::isA;

namespace rules {

static Value noneInGluon(IrBuilder& emit, const Arguments& args, llvm::StringRef name) {
  return emit.error(Id::NoSuchOperation, args.call, "Gluon", "tl." + name.str(),
                    adviceFor(name, emit.target()));
}

// Whether a variable becomes the product in a loop or branch, `acc = tl.dot(a, b, acc)`, and is a
// tensor with a layout where it begins: its type must not change.
static bool isCarried(IrBuilder& emit, const Arguments& args, Tensor acc,
                      const syntax::Node* written) {
  mlir::Block* here = emit.opBuilder().getBlock();
  auto argument = llvm::dyn_cast<mlir::BlockArgument>(acc.handle);
  bool isOfLoop =
      argument && llvm::isa<mlir::LoopLikeOpInterface>(argument.getOwner()->getParentOp());
  bool isOfRegionAround = acc.handle.getParentRegion() != here->getParent();
  // A visit that finds out what a loop carries makes the body in a block that nothing leads to.
  bool isBeforeLoop =
      acc.handle.getParentBlock() != here && !here->isEntryBlock() && here->hasNoPredecessors();
  if (!isOfLoop && !isOfRegionAround && !isBeforeLoop) return false;
  auto* variable = llvm::dyn_cast_if_present<syntax::NameExpr>(written);
  if (!variable || !emit.definition()) return false;
  bool isAssigned = false;
  auto visit = [&](auto&& self, const syntax::Node& node) -> void {
    auto* assign = llvm::dyn_cast<syntax::Assign>(&node);
    if (assign && assign->value == args.call && assign->targets.size() == 1) {
      auto* target = llvm::dyn_cast<syntax::NameExpr>(assign->targets.front());
      isAssigned |= target && target->name == variable->name;
    }
    if (!llvm::isa<syntax::Expr>(node))
      syntax::forEachChild(node, [&](const syntax::Node& child) { self(self, child); });
  };
  visit(visit, *emit.definition());
  return isAssigned;
}

// The product has a type without a layout, which nearly every operation refuses.
static Value productWithoutLayout(IrBuilder& emit, const Arguments& args, llvm::StringRef name) {
  return emit.unsupported(args.call, "the result of tl." + name + ", which has no layout (" +
                                         adviceFor(name, emit.target()) + ")");
}

// Triton verifies the operands' layouts as for gl.dot_fma, and needs the accumulator's.
Value tritonDot(IrBuilder& emit, const Arguments& args) {
  Tensor a = blockArgument(emit, args, 0, "input");
  Tensor b = a ? blockArgument(emit, args, 1, "other") : Tensor();
  if (!b) return Value::unknown();
  bool isAuto =
      language::isUnresolved(a.type->layout()) || language::isUnresolved(b.type->layout());
  if (isNone(args, 2)) return noneInGluon(emit, args, "dot");
  Tensor acc = blockArgument(emit, args, 2, "acc");
  if (!acc) return Value::unknown();
  if (isAuto || language::isUnresolved(acc.type->layout()))
    return productWithoutLayout(emit, args, "dot");
  if (!isA(a.type->layout(), LayoutKind::DotOperandLayout) ||
      !isA(b.type->layout(), LayoutKind::DotOperandLayout))
    return noneInGluon(emit, args, "dot");
  if (!checkDotOperands(emit, args, a, b, acc)) return Value::unknown();
  if (isCarried(emit, args, acc, args.node(2))) return noneInGluon(emit, args, "dot");
  return productWithoutLayout(emit, args, "dot");
}

Value tritonDotScaled(IrBuilder& emit, const Arguments& args) {
  if (!blockArgument(emit, args, 0, "lhs") || !blockArgument(emit, args, 3, "rhs"))
    return Value::unknown();
  constexpr unsigned accumulator = 6;
  if (!isNone(args, accumulator))
    if (Tensor acc = asTensor(args[accumulator]);
        acc && isCarried(emit, args, acc, args.node(accumulator)))
      return noneInGluon(emit, args, "dot_scaled");
  return productWithoutLayout(emit, args, "dot_scaled");
}

Value tritonMakeDescriptor(IrBuilder& emit, const Arguments& args) {
  return noneInGluon(emit, args, "make_tensor_descriptor");
}
Value tritonLoadDescriptor(IrBuilder& emit, const Arguments& args) {
  return noneInGluon(emit, args, "load_tensor_descriptor");
}
Value tritonStoreDescriptor(IrBuilder& emit, const Arguments& args) {
  return noneInGluon(emit, args, "store_tensor_descriptor");
}

} // namespace rules

} // namespace gluond::codegen
