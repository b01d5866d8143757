// Where Python wants parentheses, or takes none: assignment expressions, stars, conditions.
#include "syntax/parser/AstBuilder.h"

namespace gluond::syntax {

using diagnostics::Id;

// Python takes `name := value` without parentheses as a condition, a subject, a decorator, an
// element, an argument or an index; statements report it themselves.
bool AstBuilder::mayLackParentheses(TSNode named) {
  TSNode parent = ts_node_parent(named);
  if (ts_node_is_null(parent)) return true;
  switch (symOf(parent)) {
  case Sym::ParenthesizedExpression:
  case Sym::ExpressionStatement:
  case Sym::IfStatement:
  case Sym::ElifClause:
  case Sym::WhileStatement:
  case Sym::MatchStatement:
  case Sym::Decorator:
  case Sym::ListSym:
  case Sym::SetSym:
  case Sym::TupleSym:
  case Sym::ListComprehension:
  case Sym::SetComprehension:
  case Sym::GeneratorExpression:
  case Sym::ArgumentList:
  case Sym::SubscriptSym:
  case Sym::Error:
    return true;
  case Sym::IfClause: // a guard, or a condition of a comprehension
    parent = ts_node_parent(parent);
    return ts_node_is_null(parent) || symOf(parent) == Sym::CaseClause;
  case Sym::WithItem: // an element of a tuple
    parent = ts_node_parent(parent);
    return ts_node_is_null(parent) || symOf(ts_node_child(parent, 0)) == Sym::LParen;
  case Sym::TypeSym: // an index in an annotation
    parent = ts_node_parent(parent);
    return ts_node_is_null(parent) || symOf(parent) == Sym::TypeParameter;
  default:
    return false;
  }
}

// The value of an expression in parentheses, in which Python takes no star.
const Expr* AstBuilder::withoutStar(const Expr* inside) {
  auto* star = llvm::dyn_cast<Starred>(inside);
  if (!star) return inside;
  emit_(Id::StarredHere, star->range);
  return star->value;
}

const Expr* AstBuilder::condition(const Child& child) {
  if (child.sym == Sym::ConditionalExpression || child.sym == Sym::LambdaSym)
    emit_(Id::InvalidSyntax, rangeOf(child.node));
  return expr(child.node, child.sym);
}

} // namespace gluond::syntax
