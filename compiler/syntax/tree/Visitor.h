// Walking the tree.
//
//   forEachChild(node, [&](const Node* child) { ... });   direct children, in source order
//   walk(node, [&](const Node* node) { return true; });   the node and all below it, except below
//                                                         nodes for which it returns false
//
// Children.h has the same for callers outside hot paths, and the search by place (pathTo).
//
// Recursion is bounded: trees are at most a few hundred nodes deep (AstBuilder::maxDepth).
#pragma once

#include "syntax/tree/Ast.h"

namespace gluond::syntax {

namespace detail {
template <typename Visit> void each(Exprs exprs, Visit& visit) {
  for (const Expr* expr : exprs)
    visit(expr);
}
template <typename Visit> void each(Stmts stmts, Visit& visit) {
  for (const Stmt* stmt : stmts)
    visit(stmt);
}
template <typename Visit> void each(llvm::ArrayRef<Keyword> keywords, Visit& visit) {
  for (const Keyword& keyword : keywords)
    visit(keyword.value);
}
template <typename Visit> void each(llvm::ArrayRef<Parameter> parameters, Visit& visit) {
  for (const Parameter& parameter : parameters) {
    if (parameter.annotation) visit(parameter.annotation);
    if (parameter.defaultValue) visit(parameter.defaultValue);
  }
}
template <typename Visit> void maybe(const Node* node, Visit& visit) {
  if (node) visit(node);
}
} // namespace detail

template <typename Visit> void forEachChild(const Node* node, Visit&& visit) {
  using detail::each;
  using detail::maybe;
  switch (node->kind) {
  case NodeKind::NameExpr:
  case NodeKind::Constant:
  case NodeKind::ErrorExpr:
  case NodeKind::Import:
  case NodeKind::ImportFrom:
  case NodeKind::Global:
  case NodeKind::Pass:
  case NodeKind::Break:
  case NodeKind::Continue:
  case NodeKind::ErrorStmt:
    return;
  case NodeKind::JoinedStr:
    return each(llvm::cast<JoinedStr>(node)->parts, visit);
  case NodeKind::FormattedValue:
    visit(llvm::cast<FormattedValue>(node)->value);
    return maybe(llvm::cast<FormattedValue>(node)->formatSpec, visit);
  case NodeKind::Tuple:
    return each(llvm::cast<Tuple>(node)->elements, visit);
  case NodeKind::List:
    return each(llvm::cast<List>(node)->elements, visit);
  case NodeKind::Set:
    return each(llvm::cast<Set>(node)->elements, visit);
  case NodeKind::Dict:
    for (const DictItem& item : llvm::cast<Dict>(node)->items)
      maybe(item.key, visit), visit(item.value);
    return;
  case NodeKind::Comprehension: {
    auto* comprehension = llvm::cast<Comprehension>(node);
    visit(comprehension->element);
    maybe(comprehension->value, visit);
    for (const Generator& generator : comprehension->generators) {
      visit(generator.target);
      visit(generator.iter);
      each(generator.conditions, visit);
    }
    return;
  }
  case NodeKind::Attribute:
    return visit(llvm::cast<Attribute>(node)->value);
  case NodeKind::Subscript:
    visit(llvm::cast<Subscript>(node)->value);
    return visit(llvm::cast<Subscript>(node)->index);
  case NodeKind::Slice:
    maybe(llvm::cast<Slice>(node)->lower, visit);
    maybe(llvm::cast<Slice>(node)->upper, visit);
    return maybe(llvm::cast<Slice>(node)->step, visit);
  case NodeKind::Starred:
    return visit(llvm::cast<Starred>(node)->value);
  case NodeKind::Call:
    visit(llvm::cast<Call>(node)->func);
    each(llvm::cast<Call>(node)->args, visit);
    return each(llvm::cast<Call>(node)->keywords, visit);
  case NodeKind::BinOp:
    visit(llvm::cast<BinOp>(node)->left);
    return visit(llvm::cast<BinOp>(node)->right);
  case NodeKind::UnaryOp:
    return visit(llvm::cast<UnaryOp>(node)->operand);
  case NodeKind::BoolOp:
    return each(llvm::cast<BoolOp>(node)->values, visit);
  case NodeKind::Compare:
    visit(llvm::cast<Compare>(node)->left);
    return each(llvm::cast<Compare>(node)->comparators, visit);
  case NodeKind::IfExp:
    visit(llvm::cast<IfExp>(node)->body);
    visit(llvm::cast<IfExp>(node)->test);
    return visit(llvm::cast<IfExp>(node)->orelse);
  case NodeKind::Lambda:
    each(llvm::cast<Lambda>(node)->parameters, visit);
    return visit(llvm::cast<Lambda>(node)->body);
  case NodeKind::NamedExpr:
    visit(llvm::cast<NamedExpr>(node)->target);
    return visit(llvm::cast<NamedExpr>(node)->value);
  case NodeKind::Await:
    return visit(llvm::cast<Await>(node)->value);
  case NodeKind::Yield:
    return maybe(llvm::cast<Yield>(node)->value, visit);
  case NodeKind::FunctionDef: {
    auto* def = llvm::cast<FunctionDef>(node);
    each(def->decorators, visit);
    each(def->parameters, visit);
    maybe(def->returns, visit);
    return each(def->body, visit);
  }
  case NodeKind::ClassDef: {
    auto* cls = llvm::cast<ClassDef>(node);
    each(cls->decorators, visit);
    each(cls->bases, visit);
    each(cls->keywords, visit);
    return each(cls->body, visit);
  }
  case NodeKind::Return:
    return maybe(llvm::cast<Return>(node)->value, visit);
  case NodeKind::Delete:
    return each(llvm::cast<Delete>(node)->targets, visit);
  case NodeKind::Assign:
    each(llvm::cast<Assign>(node)->targets, visit);
    return visit(llvm::cast<Assign>(node)->value);
  case NodeKind::AugAssign:
    visit(llvm::cast<AugAssign>(node)->target);
    return visit(llvm::cast<AugAssign>(node)->value);
  case NodeKind::AnnAssign:
    visit(llvm::cast<AnnAssign>(node)->target);
    visit(llvm::cast<AnnAssign>(node)->annotation);
    return maybe(llvm::cast<AnnAssign>(node)->value, visit);
  case NodeKind::For:
    visit(llvm::cast<For>(node)->target);
    visit(llvm::cast<For>(node)->iter);
    each(llvm::cast<For>(node)->body, visit);
    return each(llvm::cast<For>(node)->orelse, visit);
  case NodeKind::While:
    visit(llvm::cast<While>(node)->test);
    each(llvm::cast<While>(node)->body, visit);
    return each(llvm::cast<While>(node)->orelse, visit);
  case NodeKind::If:
    visit(llvm::cast<If>(node)->test);
    each(llvm::cast<If>(node)->body, visit);
    return each(llvm::cast<If>(node)->orelse, visit);
  case NodeKind::With:
    for (const WithItem& item : llvm::cast<With>(node)->items)
      visit(item.context), maybe(item.target, visit);
    return each(llvm::cast<With>(node)->body, visit);
  case NodeKind::Raise:
    maybe(llvm::cast<Raise>(node)->exception, visit);
    return maybe(llvm::cast<Raise>(node)->cause, visit);
  case NodeKind::Try: {
    auto* attempt = llvm::cast<Try>(node);
    each(attempt->body, visit);
    for (const ExceptHandler& handler : attempt->handlers) {
      maybe(handler.type, visit);
      each(handler.body, visit);
    }
    each(attempt->orelse, visit);
    return each(attempt->finalbody, visit);
  }
  case NodeKind::Assert:
    visit(llvm::cast<Assert>(node)->test);
    return maybe(llvm::cast<Assert>(node)->message, visit);
  case NodeKind::ExprStmt:
    return visit(llvm::cast<ExprStmt>(node)->value);
  case NodeKind::Match:
    visit(llvm::cast<Match>(node)->subject);
    for (const MatchCase& each : llvm::cast<Match>(node)->cases) {
      visit(each.pattern);
      maybe(each.guard, visit);
      detail::each(each.body, visit);
    }
    return;
  case NodeKind::TypeAlias:
    visit(llvm::cast<TypeAlias>(node)->name);
    return visit(llvm::cast<TypeAlias>(node)->value);
  }
}

template <typename Visit> void walk(const Node* node, Visit&& visit) {
  if (!visit(node)) return;
  forEachChild(node, [&](const Node* child) { walk(child, visit); });
}

} // namespace gluond::syntax
