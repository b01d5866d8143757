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

// Finds out what is done with a product in the statements after it. Triton gives it a type without
// a layout, which operators, stores, reductions and conversions refuse; storing it in shared memory
// and functions of one operand (gl.exp) are accepted.
class UsesOfProduct {
public:
  UsesOfProduct(IrBuilder& emit, const syntax::Call& product) : emit_(emit), product_(product) {}

  // Whether one of the statements that certainly run after the product refuses it.
  bool isRefused() {
    const syntax::FunctionDef* function = emit_.definition();
    return function && refuses(function->body);
  }

private:
  bool refuses(syntax::Stmts body) {
    for (size_t i = 0; i < body.size(); ++i) {
      if (auto* loop = llvm::dyn_cast<syntax::For>(body[i]); loop && contains(*loop))
        return refuses(loop->body);
      if (auto* loop = llvm::dyn_cast<syntax::While>(body[i]); loop && contains(*loop))
        return refuses(loop->body);
      if (auto* branch = llvm::dyn_cast<syntax::If>(body[i]); branch && contains(*branch))
        return refuses(branch->body) || refuses(branch->orelse);
      if (!contains(*body[i])) continue;
      if (refusesIn(*body[i])) return true;
      auto* assign = llvm::dyn_cast<syntax::Assign>(body[i]);
      auto* target = assign && assign->value == &product_ && assign->targets.size() == 1
                         ? llvm::dyn_cast<syntax::NameExpr>(assign->targets.front())
                         : nullptr;
      if (!target) return false;
      name_ = target->name;
      for (const syntax::Stmt* after : body.drop_front(i + 1)) {
        if (llvm::isa<syntax::For, syntax::While, syntax::If, syntax::With, syntax::Try>(after))
          return false;
        if (refusesIn(*after)) return true;
        if (binds(*after)) return false;
      }
      return false;
    }
    return false;
  }

  bool contains(const syntax::Node& node) {
    bool found = &node == &product_;
    syntax::forEachChild(node,
                         [&](const syntax::Node& child) { found = found || contains(child); });
    return found;
  }

  bool binds(const syntax::Stmt& statement) const {
    auto isName = [&](const syntax::Expr* target) {
      auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(target);
      return name && name->name == name_;
    };
    if (auto* assign = llvm::dyn_cast<syntax::Assign>(&statement))
      return llvm::any_of(assign->targets, isName);
    return !llvm::isa<syntax::ExprStmt, syntax::AugAssign>(statement);
  }

  bool isProduct(const syntax::Expr* expr) const {
    auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(expr);
    return expr && (expr == &product_ || (name && name_ && name->name == name_));
  }

  // Whether the node, or one in it, is an operation that refuses the product.
  bool refusesIn(const syntax::Node& node) {
    if (llvm::isa<syntax::Lambda, syntax::IfExp, syntax::BoolOp>(node)) return false;
    if (auto* op = llvm::dyn_cast<syntax::BinOp>(&node))
      if (isProduct(op->left) || isProduct(op->right)) return true;
    if (auto* op = llvm::dyn_cast<syntax::AugAssign>(&node))
      if (isProduct(op->value) || isProduct(op->target)) return true;
    if (auto* call = llvm::dyn_cast<syntax::Call>(&node))
      if (refusesArgument(*call)) return true;
    bool refuses = false;
    syntax::forEachChild(node,
                         [&](const syntax::Node& child) { refuses = refuses || refusesIn(child); });
    return refuses;
  }

  bool refusesArgument(const syntax::Call& call) const {
    auto* member = llvm::dyn_cast<syntax::Attribute>(call.func);
    if (!member) return false;
    llvm::StringRef name = emit_.names().text(member->attribute.name);
    auto isArgument = [&](size_t index) {
      return index < call.args.size() && isProduct(call.args[index]);
    };
    static constexpr llvm::StringLiteral ofFirst[] = {"convert_layout", "sum", "max", "min",
                                                      "reduce"};
    static constexpr llvm::StringLiteral ofSecond[] = {"store", "atomic_add", "atomic_max",
                                                       "atomic_min"};
    return (llvm::is_contained(ofFirst, name) && isArgument(0)) ||
           (llvm::is_contained(ofSecond, name) && isArgument(1));
  }

  IrBuilder& emit_;
  const syntax::Call& product_;
  Name name_{}; // of the variable that the product is assigned to
};

// The product has a type without a layout.
static Value productWithoutLayout(IrBuilder& emit, const Arguments& args, llvm::StringRef name) {
  auto* call = llvm::dyn_cast_if_present<syntax::Call>(args.call);
  if (call && UsesOfProduct(emit, *call).isRefused()) return noneInGluon(emit, args, name);
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
