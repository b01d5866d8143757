#include "support/Stack.h"
#include "syntax/parser/AssignmentTargets.h"
#include "syntax/parser/AstBuilder.h"
#include "syntax/parser/Keywords.h"

#include <llvm/ADT/DenseSet.h>

#include <array>
#include <utility>

namespace gluond::syntax {

using diagnostics::FixId;
using diagnostics::Id;
using text::Range;

AstBuilder::Children AstBuilder::childrenOf(TSNode node) {
  Children out;
  ts_tree_cursor_reset(&cursor_, node);
  if (!ts_tree_cursor_goto_first_child(&cursor_)) return out;
  do {
    TSNode child = ts_tree_cursor_current_node(&cursor_);
    Sym sym = symOf(child);
    if (sym != Sym::Comment && sym != Sym::LineContinuation) out.push_back({child, sym});
  } while (ts_tree_cursor_goto_next_sibling(&cursor_));
  return out;
}

Identifier AstBuilder::identifier(TSNode node) {
  llvm::StringRef text = textOf(node);
  Range range = rangeOf(node);
  if (!insertions_.empty() && isHole(node)) return {{}, range};
  if (isKeyword(text)) {
    emit_(Id::ReservedWord, range, text)
        .fix(FixId::RenameHere, {{range, (text + "_").str()}}, (text + "_").str());
    return {{}, range};
  }
  return {interner_.intern(text), range};
}

const Expr* AstBuilder::errorExpr(Range range) {
  return make<ErrorExpr>(range);
}

const Expr* AstBuilder::nameExpr(TSNode node) {
  Identifier id = identifier(node);
  if (!id.name) return errorExpr(id.range);
  auto* name = make<NameExpr>(id.range);
  name->name = id.name;
  return name;
}

bool AstBuilder::isTooDeep(TSNode node, size_t links) {
  if (depth_ + links < maxDepth && !isStackLow()) return false;
  emit_(Id::NestingTooDeep, rangeOf(node), maxDepth);
  return true;
}

const Expr* AstBuilder::expr(TSNode node, Sym sym) {
  if (isTooDeep(node)) return errorExpr(rangeOf(node));
  ++depth_;
  const Expr* result = exprOf(node, sym);
  --depth_;
  return result;
}

const Expr* AstBuilder::exprOf(TSNode node, Sym sym) {
  Range range = rangeOf(node);
  switch (sym) {
  case Sym::IdentifierSym:
    return ts_node_is_missing(node) ? errorExpr(range) : nameExpr(node);
  case Sym::Integer:
  case Sym::Float:
    return number(node, sym);
  case Sym::True:
  case Sym::False:
  case Sym::None:
  case Sym::Ellipsis: {
    auto* constant = make<Constant>(range);
    constant->constant = sym == Sym::True    ? ConstantKind::True
                         : sym == Sym::False ? ConstantKind::False
                         : sym == Sym::None  ? ConstantKind::None
                                             : ConstantKind::Ellipsis;
    return constant;
  }
  case Sym::String:
  case Sym::ConcatenatedString:
    return string(node, sym);
  case Sym::ParenthesizedExpression: {
    for (const Child& child : childrenOf(node))
      if (child.sym != Sym::LParen && child.sym != Sym::RParen)
        return withoutStar(expr(child.node, child.sym));
    return errorExpr(range);
  }
  case Sym::TupleSym:
  case Sym::TuplePattern:
  case Sym::ListSym:
  case Sym::ListPattern:
  case Sym::SetSym:
    return sequence(node, sym);
  case Sym::ExpressionList:
  case Sym::PatternList: {
    llvm::SmallVector<const Expr*, 8> elements;
    for (const Child& child : childrenOf(node))
      if (child.sym != Sym::Comma) elements.push_back(expr(child.node, child.sym));
    auto* tuple = make<Tuple>(range);
    tuple->elements = arena_.copy(elements);
    return tuple;
  }
  case Sym::Dictionary:
    return dictionary(node);
  case Sym::ListComprehension:
    return comprehension(node, ComprehensionKind::List);
  case Sym::SetComprehension:
    return comprehension(node, ComprehensionKind::Set);
  case Sym::DictionaryComprehension:
    return comprehension(node, ComprehensionKind::Dict);
  case Sym::GeneratorExpression:
    return comprehension(node, ComprehensionKind::Generator);
  case Sym::AttributeSym:
  case Sym::MemberType: {
    Children children = childrenOf(node);
    if (children.size() < 2) return errorExpr(range);
    const Expr* value = expr(children.front().node, children.front().sym);
    const auto* star = starredOperand(children.front(), value); // `*a.b`: the star belongs around
    auto* attribute = make<Attribute>({star ? star->value->range.begin : range.begin, range.end});
    attribute->value = star ? star->value : value;
    attribute->attribute = identifier(children.back().node);
    return star ? starred(range, attribute) : attribute;
  }
  case Sym::SubscriptSym:
  case Sym::GenericType:
    return subscript(node);
  case Sym::SliceSym:
    return slice(node);
  case Sym::CallSym:
    return call(node);
  case Sym::BinaryOperator:
  case Sym::UnionType:
    return binary(node);
  case Sym::BooleanOperator:
    return boolean(node);
  case Sym::ComparisonOperator:
    return comparison(node);
  case Sym::UnaryOperatorSym:
  case Sym::NotOperator:
    return unary(node, sym);
  case Sym::ConditionalExpression: {
    Children children = childrenOf(node); // body if test else orelse
    if (children.size() != 5) return errorExpr(range);
    // `name := a if b else c`: the grammar takes `name := a` as the first operand.
    Children named;
    if (children[0].sym == Sym::NamedExpression) named = childrenOf(children[0].node);
    const Expr* name = named.size() == 3 ? nameExpr(named[0].node) : nullptr;
    if (name) {
      if (!mayLackParentheses(node)) emit_(Id::InvalidSyntax, range);
      children[0] = named[2];
    }
    const Expr* body = expr(children[0].node, children[0].sym);
    const Expr* test = condition(children[2]);
    const Expr* orelse = expr(children[4].node, children[4].sym);
    const auto* star = starredOperand(children[0], body);
    text::Offset begin = star   ? star->value->range.begin
                         : name ? rangeOf(children[0].node).begin
                                : range.begin;
    auto* result = make<IfExp>({begin, range.end});
    result->body = star ? star->value : body;
    result->test = test;
    result->orelse = orelse;
    if (const auto* target = llvm::dyn_cast_if_present<NameExpr>(name)) {
      auto* assigned = make<NamedExpr>(range);
      assigned->target = target;
      assigned->value = result;
      return assigned;
    }
    return star ? starred(range, result) : result;
  }
  case Sym::LambdaSym:
    return lambda(node);
  case Sym::NamedExpression: {
    Children children = childrenOf(node); // name := value
    if (children.size() != 3) return errorExpr(range);
    if (!mayLackParentheses(node)) emit_(Id::InvalidSyntax, range);
    const Expr* target = nameExpr(children[0].node);
    const Expr* value = expr(children[2].node, children[2].sym);
    const auto* name = llvm::dyn_cast<NameExpr>(target);
    if (!name) return errorExpr(range);
    auto* result = make<NamedExpr>(range);
    result->target = name;
    result->value = value;
    return result;
  }
  case Sym::AwaitSym:
    return ts_node_is_named(node) ? await(node) : nameExpr(node);
  case Sym::YieldSym:
    return yield(node);
  case Sym::ListSplat:
  case Sym::ListSplatPattern:
  case Sym::SplatType: {
    Children children = childrenOf(node);
    if (children.size() != 2 || children[0].sym != Sym::Star) return errorExpr(range);
    return starred(range, expr(children[1].node, children[1].sym));
  }
  case Sym::TypeSym: {
    if (!ts_node_is_named(node)) return nameExpr(node); // `type` as a name
    Children children = childrenOf(node);
    return children.size() == 1 ? expr(children[0].node, children[0].sym) : errorExpr(range);
  }
  case Sym::AsPattern: { // only with and except take it
    if (node.id == alias_.node)
      if (Children parts = childrenOf(node); !parts.empty())
        return expr(parts[0].node, parts[0].sym);
    emit_(Id::InvalidSyntax, range);
    return errorExpr(range);
  }
  case Sym::Error:
    return errorExpr(range);
  default: {
    // `print`, `exec`, `match` and the like: keywords of the grammar that are names in Python.
    llvm::StringRef text = textOf(node);
    if (!text.empty() && isIdentifier(text)) return nameExpr(node);
    emit_(Id::InvalidSyntax, range);
    return errorExpr(range);
  }
  }
}

// The grammar attaches a star to a primary alone. Where that primary begins a larger expression,
// the star belongs around all of it (unless parentheses hold it, where Python refuses it).
const Starred* AstBuilder::starredOperand(const Child& child, const Expr* value) {
  return child.sym == Sym::ListSplat || child.sym == Sym::ListSplatPattern ||
                 child.sym == Sym::AttributeSym || child.sym == Sym::SubscriptSym ||
                 child.sym == Sym::CallSym || child.sym == Sym::BinaryOperator ||
                 child.sym == Sym::BooleanOperator || child.sym == Sym::ComparisonOperator ||
                 child.sym == Sym::GenericType || child.sym == Sym::SplatType
             ? llvm::dyn_cast<Starred>(value)
             : nullptr;
}

const Expr* AstBuilder::starred(Range range, const Expr* value) {
  auto* result = make<Starred>(range);
  result->value = value;
  return result;
}

const Expr* AstBuilder::sequence(TSNode node, Sym sym) {
  Range range = rangeOf(node);
  llvm::SmallVector<const Expr*, 8> elements;
  bool hasComma = false;
  for (const Child& child : childrenOf(node)) {
    switch (child.sym) {
    case Sym::LParen:
    case Sym::RParen:
    case Sym::LBracket:
    case Sym::RBracket:
    case Sym::LBrace:
    case Sym::RBrace:
      break;
    case Sym::Comma:
      hasComma = true;
      break;
    default:
      elements.push_back(expr(child.node, child.sym));
    }
  }
  if (sym == Sym::ListSym || sym == Sym::ListPattern) {
    auto* list = make<List>(range);
    list->elements = arena_.copy(elements);
    return list;
  }
  if (sym == Sym::SetSym) {
    auto* set = make<Set>(range);
    set->elements = arena_.copy(elements);
    return set;
  }
  // `(x) = 1`: the grammar's tuple pattern of one, without a comma, is x itself.
  if (elements.size() == 1 && !hasComma) return withoutStar(elements.front());
  auto* tuple = make<Tuple>(range);
  tuple->elements = arena_.copy(elements);
  tuple->parenthesized = true;
  return tuple;
}

const Expr* AstBuilder::commaList(llvm::ArrayRef<Child> children) {
  Range range{rangeOf(children.front().node).begin, rangeOf(children.back().node).end};
  llvm::SmallVector<const Expr*, 4> elements;
  bool hasComma = false;
  for (const Child& child : children) {
    if (child.sym == Sym::Comma)
      hasComma = true;
    else
      elements.push_back(expr(child.node, child.sym));
  }
  if (elements.empty()) return errorExpr(range);
  if (elements.size() == 1 && !hasComma) return elements.front();
  auto* tuple = make<Tuple>(range);
  tuple->elements = arena_.copy(elements);
  return tuple;
}

const Expr* AstBuilder::dictionary(TSNode node) {
  llvm::SmallVector<DictItem, 8> items;
  for (const Child& child : childrenOf(node)) {
    if (child.sym == Sym::Comma && items.empty())
      emit_(Id::InvalidSyntax, rangeOf(child.node)); // {,}
    if (child.sym == Sym::LBrace || child.sym == Sym::RBrace || child.sym == Sym::Comma) continue;
    Children parts = childrenOf(child.node);
    if (child.sym == Sym::Pair && parts.size() == 3) {
      const Expr* key = expr(parts[0].node, parts[0].sym);
      items.push_back({key, expr(parts[2].node, parts[2].sym)});
    } else if (child.sym == Sym::DictionarySplat && parts.size() == 2) {
      items.push_back({nullptr, expr(parts[1].node, parts[1].sym)});
    } else {
      items.push_back({errorExpr(rangeOf(child.node)), errorExpr(rangeOf(child.node))});
    }
  }
  auto* dict = make<Dict>(rangeOf(node));
  dict->items = arena_.copy(items);
  return dict;
}

const Expr* AstBuilder::comprehension(TSNode node, ComprehensionKind kind) {
  Range range = rangeOf(node);
  const Expr *element = nullptr, *value = nullptr;
  struct Clause {
    const Expr *target, *iter;
    bool isAsync;
    llvm::SmallVector<const Expr*, 2> conditions;
  };
  llvm::SmallVector<Clause, 2> clauses;
  for (const Child& child : childrenOf(node)) {
    switch (child.sym) {
    case Sym::LParen:
    case Sym::RParen:
    case Sym::LBracket:
    case Sym::RBracket:
    case Sym::LBrace:
    case Sym::RBrace:
      break;
    case Sym::ForInClause: {
      Clause clause{nullptr, nullptr, false, {}};
      llvm::SmallVector<Child, 4> iter;
      bool afterIn = false;
      for (const Child& part : childrenOf(child.node)) {
        if (part.sym == Sym::KwAsync)
          clause.isAsync = true;
        else if (!afterIn && part.sym == Sym::KwIn)
          afterIn = true;
        else if (afterIn)
          iter.push_back(part);
        else if (ts_node_is_named(part.node) && !clause.target)
          clause.target = expr(part.node, part.sym);
      }
      Range where = rangeOf(child.node);
      if (llvm::any_of(iter, [](const Child& part) { return part.sym == Sym::Comma; }))
        emit_(Id::InvalidArguments, where,
              kind == ComprehensionKind::Generator
                  ? "generator expression must be parenthesized"
                  : "the iterable of a comprehension must be parenthesized");
      if (iter.size() == 1)
        clause.iter = condition(iter.front());
      else if (!iter.empty())
        clause.iter = commaList(iter);
      if (!clause.iter) clause.iter = errorExpr(where);
      if (!clause.target) clause.target = errorExpr(where);
      checkTarget(clause.target, TargetUse::Assign, emit_);
      clauses.push_back(std::move(clause));
      break;
    }
    case Sym::IfClause: {
      Children parts = childrenOf(child.node);
      if (parts.size() == 2 && !clauses.empty())
        clauses.back().conditions.push_back(condition(parts[1]));
      break;
    }
    case Sym::Pair: {
      Children parts = childrenOf(child.node);
      if (parts.size() == 3) {
        element = expr(parts[0].node, parts[0].sym);
        value = expr(parts[2].node, parts[2].sym);
      }
      break;
    }
    default:
      if (!element) element = expr(child.node, child.sym);
    }
  }
  llvm::SmallVector<Generator, 2> generators;
  for (Clause& clause : clauses)
    generators.push_back(
        {clause.target, clause.iter, arena_.copy(clause.conditions), clause.isAsync});
  auto* result = make<Comprehension>(range);
  result->comprehension = kind;
  result->element = element ? element : errorExpr(range);
  result->value = kind == ComprehensionKind::Dict && !value ? errorExpr(range) : value;
  result->generators = arena_.copy(generators);
  return result;
}

const Expr* AstBuilder::subscript(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  // value [ items ], or (in annotations) value and a type_parameter that holds the brackets
  if (children.size() == 2 && children[1].sym == Sym::TypeParameter) {
    Children inner = childrenOf(children[1].node);
    children.pop_back();
    children.append(inner.begin(), inner.end());
  }
  if (children.size() < 3) return errorExpr(range);
  const Expr* value = expr(children[0].node, children[0].sym);
  llvm::ArrayRef<Child> items(children.begin() + 1, children.end());
  if (items.front().sym == Sym::LBracket) items = items.drop_front();
  if (!items.empty() && items.back().sym == Sym::RBracket) items = items.drop_back();
  if (items.empty()) return errorExpr(range);
  const Expr* index = commaList(items);
  // x[*a] is a tuple of one without a comma.
  if (llvm::isa<Starred>(index)) {
    auto* tuple = make<Tuple>(index->range);
    tuple->elements = arena_.copy(llvm::ArrayRef<const Expr*>(index));
    index = tuple;
  }
  const auto* star = starredOperand(children[0], value);
  auto* result = make<Subscript>({star ? star->value->range.begin : range.begin, range.end});
  result->value = star ? star->value : value;
  result->index = index;
  return star ? starred(range, result) : result;
}

const Expr* AstBuilder::slice(TSNode node) {
  std::array<const Expr*, 3> bounds{};
  unsigned at = 0;
  for (const Child& child : childrenOf(node)) {
    if (child.sym == Sym::Colon)
      ++at;
    else if (at < 3)
      bounds[at] = expr(child.node, child.sym);
  }
  auto* result = make<Slice>(rangeOf(node));
  result->lower = bounds[0];
  result->upper = bounds[1];
  result->step = bounds[2];
  return result;
}

const Expr* AstBuilder::call(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.size() != 2) return errorExpr(range);
  const Expr* func = expr(children[0].node, children[0].sym);
  llvm::SmallVector<const Expr*, 8> args;
  llvm::SmallVector<Keyword, 8> keywords;
  if (children[1].sym == Sym::GeneratorExpression)
    args.push_back(expr(children[1].node, children[1].sym));
  else
    arguments(children[1].node, args, keywords);
  // `*f(x)`: the grammar takes the star as part of the function; it belongs around the call.
  if (const auto* star = starredOperand(children[0], func)) {
    auto* inner = make<Call>({star->value->range.begin, range.end});
    inner->func = star->value;
    inner->args = arena_.copy(args);
    inner->keywords = arena_.copy(keywords);
    return starred(range, inner);
  }
  auto* result = make<Call>(range);
  result->func = func;
  result->args = arena_.copy(args);
  result->keywords = arena_.copy(keywords);
  return result;
}

void AstBuilder::arguments(TSNode list, llvm::SmallVectorImpl<const Expr*>& args,
                           llvm::SmallVectorImpl<Keyword>& keywords) {
  bool seenUnpacking = false, toldOrder = false;
  llvm::SmallDenseSet<Name, 8> names;
  for (const Child& child : childrenOf(list)) {
    switch (child.sym) {
    case Sym::LParen:
    case Sym::RParen:
      break;
    case Sym::Comma:
      if (args.empty() && keywords.empty()) emit_(Id::InvalidSyntax, rangeOf(child.node)); // f(,)
      break;
    case Sym::KeywordArgument: {
      Children parts = childrenOf(child.node);
      if (parts.size() != 3) {
        args.push_back(errorExpr(rangeOf(child.node)));
        break;
      }
      Identifier name = identifier(parts[0].node);
      if (name.name && !names.insert(name.name).second)
        emit_(Id::InvalidArguments, name.range,
              ("keyword argument repeated: " + textOf(parts[0].node)).str());
      keywords.push_back({name, expr(parts[2].node, parts[2].sym)});
      break;
    }
    case Sym::DictionarySplat: {
      Children parts = childrenOf(child.node);
      Range range = rangeOf(child.node);
      keywords.push_back(
          {{{}, range}, parts.size() == 2 ? expr(parts[1].node, parts[1].sym) : errorExpr(range)});
      seenUnpacking = true;
      break;
    }
    default: {
      const Expr* value = expr(child.node, child.sym);
      bool isLate = !llvm::isa<Starred>(value) && !llvm::isa<ErrorExpr>(value) && !keywords.empty();
      if (isLate && !std::exchange(toldOrder, true)) // once for a call
        emit_(Id::InvalidArguments, value->range,
              seenUnpacking ? "positional argument follows keyword argument unpacking"
                            : "positional argument follows keyword argument");
      else if (llvm::isa<Starred>(value) && seenUnpacking)
        emit_(Id::InvalidArguments, value->range,
              "iterable argument unpacking follows keyword argument unpacking");
      args.push_back(value);
    }
    }
  }
}

const Expr* AstBuilder::await(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.size() != 2) return errorExpr(range);
  const Expr* operand = expr(children[1].node, children[1].sym);
  // `await a ** b` awaits a: the grammar has it the other way round.
  const auto* power = llvm::dyn_cast<BinOp>(operand);
  if (power && power->op == BinaryOp::Pow && children[1].sym == Sym::BinaryOperator) {
    auto* awaited = make<Await>({range.begin, power->left->range.end});
    awaited->value = power->left;
    auto* result = make<BinOp>(range);
    result->op = BinaryOp::Pow;
    result->left = awaited;
    result->right = power->right;
    return result;
  }
  auto* result = make<Await>(range);
  result->value = operand;
  return result;
}

const Expr* AstBuilder::yield(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  const Expr* value = nullptr;
  bool isFrom = false;
  for (size_t i = 1; i < children.size(); ++i) {
    if (children[i].sym == Sym::KwFrom)
      isFrom = true;
    else if (!value)
      value = expr(children[i].node, children[i].sym);
  }
  auto* result = make<Yield>(range);
  result->value = value;
  result->isFrom = isFrom;
  if (isFrom && !value) result->value = errorExpr(range);
  return result;
}

const Expr* AstBuilder::lambda(TSNode node) {
  Range range = rangeOf(node);
  llvm::SmallVector<Parameter, 4> params;
  const Expr* body = nullptr;
  Children children = childrenOf(node);
  for (size_t i = 1; i < children.size(); ++i) {
    if (children[i].sym == Sym::LambdaParameters)
      parameters(children[i].node, params, true);
    else if (children[i].sym != Sym::Colon)
      body = expr(children[i].node, children[i].sym);
  }
  auto* result = make<Lambda>(range);
  result->parameters = arena_.copy(params);
  result->body = body ? body : errorExpr(range);
  return result;
}

// An annotation: `type` and below it either an expression or the grammar's own forms of types.
const Expr* AstBuilder::typeExpr(TSNode node) {
  return expr(node, symOf(node));
}

} // namespace gluond::syntax
