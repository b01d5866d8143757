#include "syntax/parser/AssignmentTargets.h"

namespace gluond::syntax {
namespace {

using diagnostics::Id;

// CPython's names for expressions in "cannot assign to ...".
llvm::StringRef describe(const Expr* expr) {
  switch (expr->kind) {
  case NodeKind::Constant:
    switch (llvm::cast<Constant>(expr)->constant) {
    case ConstantKind::None:
      return "None";
    case ConstantKind::True:
      return "True";
    case ConstantKind::False:
      return "False";
    case ConstantKind::Ellipsis:
      return "ellipsis";
    default:
      return "literal";
    }
  case NodeKind::JoinedStr:
    return "f-string expression";
  case NodeKind::Tuple:
    return "tuple";
  case NodeKind::List:
    return "list";
  case NodeKind::Set:
    return "set display";
  case NodeKind::Dict:
    return "dict literal";
  case NodeKind::Comprehension:
    return "comprehension";
  case NodeKind::Call:
    return "function call";
  case NodeKind::Compare:
    return "comparison";
  case NodeKind::IfExp:
    return "conditional expression";
  case NodeKind::Lambda:
    return "lambda";
  case NodeKind::NamedExpr:
    return "named expression";
  case NodeKind::Await:
    return "await expression";
  case NodeKind::Yield:
    return "yield expression";
  case NodeKind::Starred:
    return "starred";
  default:
    return "expression";
  }
}

void report(const Expr* target, TargetUse use, diagnostics::Reporter& emit) {
  switch (use) {
  case TargetUse::Assign:
    emit(Id::InvalidTarget, target->range, "assign to", describe(target));
    break;
  case TargetUse::Augment:
    emit(Id::InvalidTarget, target->range, "use augmented assignment on", describe(target));
    break;
  case TargetUse::Annotate:
    emit(Id::InvalidTarget, target->range, "annotate", describe(target));
    break;
  case TargetUse::Delete:
    emit(Id::InvalidTarget, target->range, "delete", describe(target));
    break;
  }
}

void checkElements(Exprs elements, TargetUse use, diagnostics::Reporter& emit) {
  unsigned stars = 0;
  for (const Expr* element : elements) {
    const auto* star = llvm::dyn_cast<Starred>(element);
    if (star && use == TargetUse::Assign) {
      if (++stars == 2)
        emit(Id::InvalidTarget, element->range, "use multiple starred expressions in",
             "assignment");
      checkTarget(star->value, use, emit);
    } else {
      checkTarget(element, use, emit);
    }
  }
}

} // namespace

void checkTarget(const Expr* target, TargetUse use, diagnostics::Reporter& emit) {
  switch (target->kind) {
  case NodeKind::NameExpr:
  case NodeKind::Attribute:
  case NodeKind::Subscript:
  case NodeKind::ErrorExpr:
    return;
  case NodeKind::Tuple:
  case NodeKind::List:
    if (use == TargetUse::Augment || use == TargetUse::Annotate) return report(target, use, emit);
    return checkElements(target->kind == NodeKind::Tuple ? llvm::cast<Tuple>(target)->elements
                                                         : llvm::cast<List>(target)->elements,
                         use, emit);
  case NodeKind::Starred:
    if (use == TargetUse::Assign) {
      emit(Id::StarredHere, target->range);
      return;
    }
    [[fallthrough]];
  default:
    report(target, use, emit);
  }
}

} // namespace gluond::syntax
