// Triton's own products and tensor descriptors: names that a Gluon kernel finds in triton.language,
// but that know no layouts.
#include "codegen/rules/common/Args.h"
#include "codegen/suggestions/OtherNames.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>
#include <mlir/Interfaces/LoopLikeInterface.h>

#include <optional>

namespace gluond::codegen {

using language::isA;

namespace rules {

static Value noneInGluon(IrBuilder& emit, const Arguments& args, llvm::StringRef name) {
  return emit.error(Id::NoSuchOperation, args.call, "Gluon", "tl." + name.str(),
                    adviceFor(name, emit.target()));
}

// The nodes of a function that contain a call, outermost first; none if it is not in the function.
static llvm::SmallVector<const syntax::Node*, 16> pathToCall(const syntax::FunctionDef& function,
                                                             const syntax::Node* call) {
  llvm::SmallVector<const syntax::Node*, 16> path;
  if (call) path = syntax::pathTo(function.body, call->range.begin);
  if (!llvm::is_contained(path, call)) path.clear();
  return path;
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
  return llvm::any_of(pathToCall(*emit.definition(), args.call), [&](const syntax::Node* node) {
    auto* assign = llvm::dyn_cast<syntax::Assign>(node);
    if (!assign || assign->value != args.call || assign->targets.size() != 1) return false;
    auto* target = llvm::dyn_cast<syntax::NameExpr>(assign->targets.front());
    return target && target->name == variable->name;
  });
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
    if (!function) return false;
    // Down to the statement whose parts are expressions.
    llvm::SmallVector<syntax::Stmts, 2> bodies = {function->body};
    for (const syntax::Node* node : pathToCall(*function, &product_)) {
      auto* statement = llvm::dyn_cast<syntax::Stmt>(node);
      auto next = statement ? after(*statement, bodies) : std::nullopt;
      if (!next) return false; // in the condition of a loop, for example
      if (auto* loop = llvm::dyn_cast<syntax::For>(statement))
        bodies = {loop->body};
      else if (auto* loop = llvm::dyn_cast<syntax::While>(statement))
        bodies = {loop->body};
      else if (auto* branch = llvm::dyn_cast<syntax::If>(statement))
        bodies = {branch->body, branch->orelse};
      else
        return refuses(*statement, *next);
    }
    return false;
  }

private:
  // The statements that follow one in its list; nullopt if it is in none of these lists. They are a
  // few: each product looks at its own.
  static std::optional<syntax::Stmts> after(const syntax::Stmt& statement,
                                            llvm::ArrayRef<syntax::Stmts> bodies) {
    constexpr size_t most = 200;
    for (syntax::Stmts body : bodies) {
      const auto* place = llvm::partition_point(
          body, [&](const syntax::Stmt* each) { return each->range.end < statement.range.end; });
      if (place != body.end() && *place == &statement)
        return body.drop_front(place - body.begin() + 1).take_front(most);
    }
    return std::nullopt;
  }

  // Whether the statement with the product, or one of the next, refuses it.
  bool refuses(const syntax::Stmt& statement, syntax::Stmts next) {
    if (refusesIn(statement)) return true;
    auto* assign = llvm::dyn_cast<syntax::Assign>(&statement);
    auto* target = assign && assign->value == &product_ && assign->targets.size() == 1
                       ? llvm::dyn_cast<syntax::NameExpr>(assign->targets.front())
                       : nullptr;
    if (!target) return false;
    name_ = target->name;
    for (const syntax::Stmt* each : next) {
      if (llvm::isa<syntax::For, syntax::While, syntax::If, syntax::With, syntax::Try>(each))
        return false;
      if (refusesIn(*each)) return true;
      if (binds(*each)) return false;
    }
    return false;
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
