// Statements that contain others: branches, loops, try, with, match, and definitions.
#include "syntax/parser/AssignmentTargets.h"
#include "syntax/parser/AstBuilder.h"
#include "syntax/parser/Keywords.h"
#include "syntax/parser/Literals.h"

#include <llvm/Support/SaveAndRestore.h>

namespace gluond::syntax {

using diagnostics::Id;
using text::Offset;
using text::Range;

Stmts AstBuilder::block(TSNode node, Offset& end) {
  llvm::SmallVector<Stmt*, 16> body;
  Children children = childrenOf(node);
  for (const Child& child : children)
    statement(child.node, child.sym, body);
  if (!body.empty()) end = body.back()->range.end;
  // A closing semicolon belongs to the block, as CPython sees it.
  if (!children.empty() && children.back().sym == Sym::Semicolon)
    end = rangeOf(children.back().node).end;
  return arena_.copy(body);
}

// The block among `children` from index `from` on; `end` moves to the end of its last statement.
Stmts AstBuilder::blockAfter(const Children& children, unsigned from, Offset& end) {
  for (unsigned i = from; i < children.size(); ++i)
    if (children[i].sym == Sym::Block) return block(children[i].node, end);
  return {};
}

// What follows an `if` at children[index]: elif clauses nest, each alone in the other's orelse.
Stmts AstBuilder::elseChain(const Children& children, unsigned index, Offset& end) {
  while (index < children.size() && children[index].sym != Sym::ElifClause &&
         children[index].sym != Sym::ElseClause)
    ++index;
  if (index == children.size()) return {};
  Children parts = childrenOf(children[index].node);
  if (children[index].sym == Sym::ElseClause) return blockAfter(parts, 1, end);
  Range range = rangeOf(children[index].node);
  if (isTooDeep(children[index].node))
    return arena_.copy(llvm::ArrayRef<const Stmt*>(make<ErrorStmt>(range)));
  ++depth_;
  const Expr* test = parts.size() > 1 ? expr(parts[1].node, parts[1].sym) : errorExpr(range);
  Offset last = range.end;
  Stmts body = blockAfter(parts, 2, last);
  Stmts orelse = elseChain(children, index + 1, last);
  --depth_;
  auto* result = make<If>({range.begin, last});
  result->test = test;
  result->body = body;
  result->orelse = orelse;
  end = last;
  return arena_.copy(llvm::ArrayRef<const Stmt*>(result));
}

Stmt* AstBuilder::ifStatement(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node); // if test : block clause*
  const Expr* test =
      children.size() > 1 ? expr(children[1].node, children[1].sym) : errorExpr(range);
  Stmts body = blockAfter(children, 2, range.end);
  Stmts orelse = elseChain(children, 2, range.end);
  auto* result = make<If>(range);
  result->test = test;
  result->body = body;
  result->orelse = orelse;
  return result;
}

Stmt* AstBuilder::forStatement(TSNode node) {
  Range range = rangeOf(node);
  const Expr *target = nullptr, *iter = nullptr;
  Stmts body, orelse;
  bool isAsync = false, afterIn = false;
  Children children = childrenOf(node);
  for (const Child& child : children) {
    if (child.sym == Sym::KwAsync && !target)
      isAsync = true;
    else if (child.sym == Sym::KwIn && !afterIn)
      afterIn = true;
    else if (child.sym == Sym::Block)
      body = block(child.node, range.end);
    else if (child.sym == Sym::ElseClause)
      orelse = blockAfter(childrenOf(child.node), 1, range.end);
    else if (!ts_node_is_named(child.node) && child.sym != Sym::Other)
      continue;
    else if (afterIn && !iter)
      iter = expr(child.node, child.sym);
    else if (!afterIn && !target && ts_node_is_named(child.node))
      target = expr(child.node, child.sym);
  }
  if (target) checkTarget(target, TargetUse::Assign, emit_);
  auto* result = make<For>(range);
  result->target = target ? target : errorExpr(range);
  result->iter = iter ? iter : errorExpr(range);
  result->body = body;
  result->orelse = orelse;
  result->isAsync = isAsync;
  return result;
}

Stmt* AstBuilder::whileStatement(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  const Expr* test =
      children.size() > 1 ? expr(children[1].node, children[1].sym) : errorExpr(range);
  Stmts body = blockAfter(children, 2, range.end), orelse;
  for (const Child& child : children)
    if (child.sym == Sym::ElseClause) orelse = blockAfter(childrenOf(child.node), 1, range.end);
  auto* result = make<While>(range);
  result->test = test;
  result->body = body;
  result->orelse = orelse;
  return result;
}

Stmt* AstBuilder::tryStatement(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  Stmts body, orelse, finalbody;
  llvm::SmallVector<ExceptHandler, 2> handlers;
  for (const Child& child : children) {
    switch (child.sym) {
    case Sym::Block:
      body = block(child.node, range.end);
      break;
    case Sym::ElseClause:
      orelse = blockAfter(childrenOf(child.node), 1, range.end);
      break;
    case Sym::FinallyClause:
      finalbody = blockAfter(childrenOf(child.node), 1, range.end);
      break;
    case Sym::ExceptClause: {
      if (!handlers.empty() && !handlers.back().type && !handlers.back().isStar)
        emit_(Id::DefaultExceptNotLast, handlers.back().range);
      ExceptHandler handler{nullptr, {}, {}, rangeOf(child.node), false};
      Children parts = childrenOf(child.node);
      llvm::SmallVector<Child, 4> types;
      for (size_t i = 1; i < parts.size(); ++i) {
        if (parts[i].sym == Sym::Star)
          handler.isStar = true;
        else if (parts[i].sym == Sym::Block)
          handler.body = block(parts[i].node, handler.range.end);
        else if (parts[i].sym == Sym::Colon)
          continue;
        else if (parts[i].sym == Sym::KwAs && i + 1 < parts.size())
          handler.name = identifier(parts[++i].node);
        else
          types.push_back(parts[i]);
      }
      std::optional<TSNode> name;
      if (!types.empty()) handler.type = contextOf(types, name);
      if (name && isIdentifier(textOf(*name)))
        handler.name = identifier(*name);
      else if (name)
        emit_(Id::InvalidSyntax, rangeOf(*name));
      if (handler.name.name &&
          llvm::any_of(types, [](const Child& part) { return part.sym == Sym::Comma; }))
        emit_(Id::InvalidExcept, handler.range, "multiple exception types must be parenthesized");
      else if (handler.isStar && types.empty())
        emit_(Id::InvalidExcept, handler.range, "expected one or more exception types");
      if (!handlers.empty() && handlers.back().isStar != handler.isStar)
        emit_(Id::InvalidExcept, handler.range,
              "cannot have both 'except' and 'except*' on the same 'try'");
      range.end = handler.range.end;
      handlers.push_back(handler);
      break;
    }
    default:
      break;
    }
  }
  auto* result = make<Try>(range);
  result->body = body;
  result->handlers = arena_.copy(handlers);
  result->orelse = orelse;
  result->finalbody = finalbody;
  return result;
}

std::optional<TSNode> AstBuilder::aliasAtEnd(Child item) {
  while (item.sym == Sym::ConditionalExpression || item.sym == Sym::LambdaSym ||
         item.sym == Sym::NotOperator) {
    Children parts = childrenOf(item.node);
    if (parts.empty()) return std::nullopt;
    item = parts.back();
  }
  if (item.sym != Sym::AsPattern) return std::nullopt;
  return item.node;
}

const Expr* AstBuilder::contextOf(llvm::ArrayRef<Child> items, std::optional<TSNode>& name) {
  std::optional<TSNode> alias = aliasAtEnd(items.back());
  Children parts;
  if (alias) parts = childrenOf(*alias); // context `as` name
  if (parts.size() != 3) return commaList(items);
  name = parts[2].node;
  llvm::SaveAndRestore inside(
      alias_, {alias->id, ts_node_end_byte(*alias), ts_node_end_byte(parts[0].node)});
  return commaList(items);
}

// The parentheses of `with (a, b as c):` hold items, unless one of them can only be an element of a
// tuple. The grammar makes of them a tuple, an expression in parentheses or a clause's own.
void AstBuilder::withItems(TSNode clause, llvm::function_ref<void(const Child&)> addItem) {
  llvm::SmallVector<Child, 4> items;
  Children parts = childrenOf(clause);
  for (const Child& part : parts)
    if (part.sym == Sym::WithItem) {
      Children inside = childrenOf(part.node);
      if (inside.size() == 1) items.push_back(inside[0]);
    }
  bool isAlone = parts.size() == 1 && items.size() == 1;
  if (!parts.empty() && parts.back().sym == Sym::Comma)
    emit_(Id::ExpectedExpression, rangeOf(parts.back().node), "an expression after ','");
  auto isElement = [](const Child& item) {
    return item.sym == Sym::NamedExpression || item.sym == Sym::ListSplat;
  };
  if (isAlone && items[0].sym == Sym::TupleSym) {
    Children elements = childrenOf(items[0].node);
    if (elements.size() > 2 && llvm::none_of(elements, isElement)) {
      for (const Child& element : elements)
        if (ts_node_is_named(element.node)) addItem(element);
      return;
    }
  }
  if (isAlone && items[0].sym == Sym::ParenthesizedExpression) {
    Children inside = childrenOf(items[0].node);
    if (inside.size() == 3 && aliasAtEnd(inside[1])) return addItem(inside[1]);
  }
  llvm::for_each(items, addItem);
}

// `with (*a, b):` has one item, a tuple, because none of its elements can be an item.
const Expr* AstBuilder::tupleOfItems(TSNode clause) {
  Children parts = childrenOf(clause);
  if (parts.empty() || parts.front().sym != Sym::LParen) return nullptr;
  Children elements;
  bool hasElement = false;
  for (const Child& part : parts) {
    Children inside;
    if (part.sym == Sym::WithItem) inside = childrenOf(part.node);
    if (part.sym == Sym::Comma) elements.push_back(part);
    if (inside.size() != 1) continue;
    elements.push_back(inside.front());
    hasElement |=
        inside.front().sym == Sym::ListSplat || inside.front().sym == Sym::NamedExpression;
  }
  bool isTuple = llvm::any_of(elements, [](const Child& part) { return part.sym == Sym::Comma; });
  return hasElement && isTuple ? commaList(elements) : nullptr;
}

Stmt* AstBuilder::withStatement(TSNode node) {
  Range range = rangeOf(node);
  llvm::SmallVector<WithItem, 2> items;
  Stmts body;
  bool isAsync = false;
  auto addItem = [&](const Child& value) {
    std::optional<TSNode> name;
    WithItem item{contextOf(value, name), nullptr};
    if (name) {
      Children target = childrenOf(*name);
      item.target =
          target.size() == 1 ? expr(target[0].node, target[0].sym) : errorExpr(rangeOf(*name));
      checkTarget(item.target, TargetUse::Assign, emit_);
    }
    items.push_back(item);
  };
  for (const Child& child : childrenOf(node)) {
    if (child.sym == Sym::KwAsync)
      isAsync = true;
    else if (child.sym == Sym::Block)
      body = block(child.node, range.end);
    else if (child.sym != Sym::WithClause)
      continue;
    else if (const Expr* tuple = tupleOfItems(child.node))
      items.push_back({tuple, nullptr});
    else
      withItems(child.node, addItem);
  }
  auto* result = make<With>(range);
  result->items = arena_.copy(items);
  result->body = body;
  result->isAsync = isAsync;
  return result;
}

Stmt* AstBuilder::matchStatement(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  llvm::SmallVector<Child, 2> subjects;
  llvm::SmallVector<MatchCase, 4> cases;
  bool afterColon = false;
  for (size_t i = 1; i < children.size(); ++i) {
    if (children[i].sym == Sym::Colon) {
      afterColon = true;
    } else if (!afterColon) {
      subjects.push_back(children[i]);
    } else if (children[i].sym == Sym::Block) {
      for (const Child& clause : childrenOf(children[i].node)) {
        if (clause.sym != Sym::CaseClause) continue;
        MatchCase match;
        llvm::SmallVector<Child, 4> patterns; // and commas
        for (const Child& part : childrenOf(clause.node)) {
          if (part.sym == Sym::CasePattern || part.sym == Sym::Comma) {
            patterns.push_back(part);
          } else if (part.sym == Sym::IfClause) {
            Children guard = childrenOf(part.node);
            if (guard.size() == 2) match.guard = expr(guard[1].node, guard[1].sym);
          } else if (part.sym == Sym::Block) {
            match.body = block(part.node, range.end);
          }
        }
        match.pattern = patterns.empty() ? errorExpr(rangeOf(clause.node)) : casePattern(patterns);
        cases.push_back(match);
      }
    }
  }
  const Expr* subject = subjects.empty() ? errorExpr(range) : commaList(subjects);
  auto* result = make<Match>(range);
  result->subject = subject;
  result->cases = arena_.copy(cases);
  return result;
}

// ---------------------------------------------------------------- definitions

llvm::StringRef AstBuilder::docstring(Stmts body) {
  const auto* first = body.empty() ? nullptr : llvm::dyn_cast<ExprStmt>(body.front());
  const auto* text = first ? llvm::dyn_cast<Constant>(first->value) : nullptr;
  if (!text || text->constant != ConstantKind::Str) return {};
  return arena_.copy(llvm::StringRef(cleanDocstring(text->string)));
}

Stmt* AstBuilder::functionDefinition(TSNode node, Exprs decorators) {
  Range range = rangeOf(node);
  Identifier name{{}, range};
  llvm::SmallVector<Parameter, 8> params;
  const Expr* returns = nullptr;
  Stmts body;
  bool isAsync = false;
  Range header = range;
  bool named = false;
  Children children = childrenOf(node);
  for (size_t i = 0; i < children.size(); ++i) {
    const Child& child = children[i];
    switch (child.sym) {
    case Sym::KwAsync:
      isAsync = true;
      break;
    case Sym::Parameters:
      parameters(child.node, params, false);
      break;
    case Sym::TypeSym:
      if (ts_node_is_named(child.node)) returns = typeExpr(child.node);
      break;
    case Sym::Colon:
      header.end = rangeOf(child.node).end;
      break;
    case Sym::Block:
      body = block(child.node, range.end);
      break;
    case Sym::IdentifierSym:
      if (!named) name = identifier(child.node);
      named = true;
      break;
    default:
      break;
    }
  }
  auto* result = make<FunctionDef>(range);
  result->name = name;
  result->decorators = decorators;
  result->parameters = arena_.copy(params);
  result->returns = returns;
  result->body = body;
  result->docstring = docstring(body);
  result->header = header;
  result->isAsync = isAsync;
  return result;
}

Stmt* AstBuilder::classDefinition(TSNode node, Exprs decorators) {
  Range range = rangeOf(node);
  Identifier name{{}, range};
  llvm::SmallVector<const Expr*, 4> bases;
  llvm::SmallVector<Keyword, 2> keywords;
  Stmts body;
  bool named = false;
  for (const Child& child : childrenOf(node)) {
    switch (child.sym) {
    case Sym::ArgumentList:
      arguments(child.node, bases, keywords);
      break;
    case Sym::Block:
      body = block(child.node, range.end);
      break;
    case Sym::IdentifierSym:
      if (!named) name = identifier(child.node);
      named = true;
      break;
    default:
      break;
    }
  }
  auto* result = make<ClassDef>(range);
  result->name = name;
  result->decorators = decorators;
  result->bases = arena_.copy(bases);
  result->keywords = arena_.copy(keywords);
  result->body = body;
  result->docstring = docstring(body);
  return result;
}

Stmt* AstBuilder::decoratedDefinition(TSNode node) {
  llvm::SmallVector<const Expr*, 2> decorators;
  Children children = childrenOf(node);
  for (const Child& child : children) {
    if (child.sym == Sym::Decorator) {
      Children parts = childrenOf(child.node); // @ expression
      if (parts.size() < 2) continue;
      decorators.push_back(withoutStar(expr(parts[1].node, parts[1].sym)));
    } else if (child.sym == Sym::FunctionDefinition) {
      return functionDefinition(child.node, arena_.copy(decorators));
    } else if (child.sym == Sym::ClassDefinition) {
      return classDefinition(child.node, arena_.copy(decorators));
    }
  }
  return errorStmt(node);
}

} // namespace gluond::syntax
