// Statements of one line, and which kind a statement is of.
#include "syntax/parser/AssignmentTargets.h"
#include "syntax/parser/AstBuilder.h"

namespace gluond::syntax {

using diagnostics::Id;
using text::Offset;
using text::Range;

void AstBuilder::statements(TSNode parent, StmtList& out) {
  for (const Child& child : childrenOf(parent))
    statement(child.node, child.sym, out);
}

bool AstBuilder::blockStatements(TSNode module, size_t depth, StmtList& out) {
  Children children = childrenOf(module);
  if (children.size() != 1) return false;
  for (const Child& part : childrenOf(children.front().node)) {
    if (part.sym != Sym::Block) continue;
    depth_ = static_cast<unsigned>(depth);
    statements(part.node, out);
    depth_ = 0;
    return true;
  }
  return false;
}

void AstBuilder::statement(TSNode node, Sym sym, StmtList& out) {
  if (sym == Sym::Semicolon) return;
  if (!ts_node_is_named(node)) {
    emit_(Id::InvalidSyntax, rangeOf(node));
    out.push_back(errorStmt(node));
    return;
  }
  if (isTooDeep(node)) {
    out.push_back(errorStmt(node));
    return;
  }
  ++depth_;
  out.push_back(simpleOrCompound(node, sym));
  --depth_;
}

Stmt* AstBuilder::errorStmt(TSNode node) {
  return make<ErrorStmt>(rangeOf(node));
}

Stmt* AstBuilder::simpleOrCompound(TSNode node, Sym sym) {
  Range range = rangeOf(node);
  switch (sym) {
  case Sym::ExpressionStatement:
    return expressionStatement(node);
  case Sym::Assignment:
    return assignment(node);
  case Sym::AugmentedAssignment:
    return augmentedAssignment(node);
  case Sym::ImportStatement:
    return importStatement(node);
  case Sym::ImportFromStatement:
    return importFrom(node, false);
  case Sym::FutureImportStatement:
    return importFrom(node, true);
  case Sym::ReturnStatement: {
    Children children = childrenOf(node);
    const Expr* value = children.size() > 1 ? expr(children[1].node, children[1].sym) : nullptr;
    auto* result = make<Return>(range);
    result->value = value;
    return result;
  }
  case Sym::DeleteStatement: {
    Children children = childrenOf(node);
    llvm::SmallVector<const Expr*, 2> targets;
    if (children.size() > 1) {
      const Expr* value = expr(children[1].node, children[1].sym);
      const auto* tuple = llvm::dyn_cast<Tuple>(value);
      if (tuple && !tuple->parenthesized)
        targets.append(tuple->elements.begin(), tuple->elements.end());
      else
        targets.push_back(value);
    }
    for (const Expr* target : targets)
      checkTarget(target, TargetUse::Delete, emit_);
    auto* result = make<Delete>(range);
    result->targets = arena_.copy(targets);
    return result;
  }
  case Sym::RaiseStatement: {
    Children children = childrenOf(node); // raise [x] [from y]
    const Expr *exception = nullptr, *cause = nullptr;
    bool afterFrom = false;
    for (size_t i = 1; i < children.size(); ++i) {
      if (children[i].sym == Sym::KwFrom)
        afterFrom = true;
      else
        (afterFrom ? cause : exception) = expr(children[i].node, children[i].sym);
    }
    if (llvm::isa_and_nonnull<Tuple>(exception) && !llvm::cast<Tuple>(exception)->parenthesized)
      emit_(Id::Python2Syntax, exception->range, "write 'raise E(message)'");
    auto* result = make<Raise>(range);
    result->exception = exception;
    result->cause = cause;
    return result;
  }
  case Sym::AssertStatement: {
    Children children = childrenOf(node); // assert x [, y]
    llvm::SmallVector<const Expr*, 2> values;
    for (size_t i = 1; i < children.size(); ++i)
      if (children[i].sym != Sym::Comma) values.push_back(expr(children[i].node, children[i].sym));
    if (values.size() > 2) emit_(Id::InvalidSyntax, values[2]->range);
    auto* result = make<Assert>(range);
    result->test = values.empty() ? errorExpr(range) : values[0];
    result->message = values.size() > 1 ? values[1] : nullptr;
    return result;
  }
  case Sym::PassStatement:
    return make<Pass>(range);
  case Sym::BreakStatement:
    return make<Break>(range);
  case Sym::ContinueStatement:
    return make<Continue>(range);
  case Sym::GlobalStatement:
    return globalStatement(node, false);
  case Sym::NonlocalStatement:
    return globalStatement(node, true);
  case Sym::PrintStatement:
  case Sym::ExecStatement:
    emit_(Id::Python2Syntax, range,
          sym == Sym::PrintStatement
              ? "missing parentheses in call to 'print'. Did you mean print(...)?"
              : "missing parentheses in call to 'exec'. Did you mean exec(...)?");
    return make<ErrorStmt>(range);
  case Sym::TypeAliasStatement: {
    Children children = childrenOf(node); // type X[T] = value
    const Expr *name = nullptr, *value = nullptr;
    for (size_t i = 1; i < children.size(); ++i) {
      if (children[i].sym == Sym::Equal) continue;
      if (name) {
        value = typeExpr(children[i].node);
        continue;
      }
      // Type parameters and their bounds have no effect at run time: only the name is bound.
      Child left = children[i];
      while (left.sym == Sym::TypeSym || left.sym == Sym::GenericType ||
             left.sym == Sym::SubscriptSym) {
        Children inner = childrenOf(left.node);
        if (inner.empty()) break;
        left = inner.front();
      }
      name = nameExpr(left.node);
    }
    auto* result = make<TypeAlias>(range);
    result->name = name ? name : errorExpr(range);
    result->value = value ? value : errorExpr(range);
    return result;
  }
  case Sym::IfStatement:
    return ifStatement(node);
  case Sym::ForStatement:
    return forStatement(node);
  case Sym::WhileStatement:
    return whileStatement(node);
  case Sym::TryStatement:
    return tryStatement(node);
  case Sym::WithStatement:
    return withStatement(node);
  case Sym::MatchStatement:
    return matchStatement(node);
  case Sym::FunctionDefinition:
    return functionDefinition(node, {});
  case Sym::ClassDefinition:
    return classDefinition(node, {});
  case Sym::DecoratedDefinition:
    return decoratedDefinition(node);
  case Sym::Error:
    return make<ErrorStmt>(range);
  default:
    emit_(Id::InvalidSyntax, range);
    return make<ErrorStmt>(range);
  }
}

Stmt* AstBuilder::expressionStatement(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.empty()) return make<ErrorStmt>(range);
  if (children.size() == 1) {
    if (children[0].sym == Sym::Assignment) return assignment(children[0].node);
    if (children[0].sym == Sym::AugmentedAssignment) return augmentedAssignment(children[0].node);
    if (children[0].sym == Sym::NamedExpression) { // x := 1 wants parentheses here
      auto told = emit_(Id::InvalidSyntax, range);
      Children parts = childrenOf(children[0].node);
      if (parts.size() > 1) {
        Range between{rangeOf(parts[0].node).end, rangeOf(parts.back().node).begin};
        told.fix(diagnostics::FixId::TryText, {{between, " = "}}, "=");
      }
    }
  }
  const Expr* value = commaList(children);
  auto* result = make<ExprStmt>(range);
  result->value = value;
  return result;
}

// a = b = c is nested to the right in the grammar; a: T = v has its annotation after a colon.
Stmt* AstBuilder::assignment(TSNode node) {
  Range range = rangeOf(node);
  llvm::SmallVector<const Expr*, 2> targets;
  for (;;) {
    Children children = childrenOf(node);
    if (children.empty()) return make<ErrorStmt>(range);
    const Expr* target = expr(children[0].node, children[0].sym);
    if (children.size() >= 3 && children[1].sym == Sym::Colon) {
      if (!targets.empty()) emit_(Id::InvalidSyntax, rangeOf(children[1].node));
      checkTarget(target, TargetUse::Annotate, emit_);
      const Expr* annotation = typeExpr(children[2].node);
      const Expr* value = nullptr;
      if (children.size() >= 5) value = expr(children[4].node, children[4].sym);
      auto* result = make<AnnAssign>(range);
      result->target = target;
      result->annotation = annotation;
      result->value = value;
      return result;
    }
    if (children.size() != 3) return make<ErrorStmt>(range);
    checkTarget(target, TargetUse::Assign, emit_);
    targets.push_back(target);
    if (children[2].sym == Sym::Assignment) {
      node = children[2].node;
      continue;
    }
    const Expr* value;
    if (children[2].sym == Sym::AugmentedAssignment) {
      emit_(Id::InvalidSyntax, rangeOf(children[2].node));
      value = errorExpr(rangeOf(children[2].node));
    } else {
      value = expr(children[2].node, children[2].sym);
    }
    auto* result = make<Assign>(range);
    result->targets = arena_.copy(targets);
    result->value = value;
    return result;
  }
}

Stmt* AstBuilder::augmentedAssignment(TSNode node) {
  Range range = rangeOf(node);
  Children children = childrenOf(node);
  if (children.size() != 3) return make<ErrorStmt>(range);
  const BinaryOp* op = augmentedOperator(children[1].sym);
  if (!op) return make<ErrorStmt>(range);
  const Expr* target = expr(children[0].node, children[0].sym);
  checkTarget(target, TargetUse::Augment, emit_);
  const Expr* value;
  if (children[2].sym == Sym::Assignment || children[2].sym == Sym::AugmentedAssignment) {
    emit_(Id::InvalidSyntax, rangeOf(children[2].node));
    value = errorExpr(rangeOf(children[2].node));
  } else {
    value = expr(children[2].node, children[2].sym);
  }
  auto* result = make<AugAssign>(range);
  result->target = target;
  result->op = *op;
  result->value = value;
  return result;
}

// ---------------------------------------------------------------- imports

llvm::ArrayRef<Identifier> AstBuilder::dottedName(TSNode node) {
  llvm::SmallVector<Identifier, 4> parts;
  if (symOf(node) == Sym::IdentifierSym) {
    parts.push_back(identifier(node));
  } else {
    for (const Child& child : childrenOf(node))
      if (child.sym != Sym::Dot) parts.push_back(identifier(child.node));
  }
  return arena_.copy(parts);
}

void AstBuilder::aliases(const Children& children, unsigned from,
                         llvm::SmallVectorImpl<Alias>& out) {
  for (unsigned i = from; i < children.size(); ++i) {
    if (children[i].sym == Sym::AliasedImport) {
      Children parts = childrenOf(children[i].node); // name as alias
      if (parts.size() == 3) out.push_back({dottedName(parts[0].node), identifier(parts[2].node)});
    } else if (children[i].sym == Sym::DottedName) {
      out.push_back({dottedName(children[i].node), {}});
    }
  }
}

Stmt* AstBuilder::importStatement(TSNode node) {
  Children children = childrenOf(node);
  llvm::SmallVector<Alias, 2> names;
  aliases(children, 1, names);
  if (!children.empty() && children.back().sym == Sym::Comma)
    emit_(Id::InvalidSyntax, rangeOf(children.back().node));
  auto* result = make<Import>(rangeOf(node));
  result->names = arena_.copy(names);
  return result;
}

// `from a import b.c`, where `from a.b import c` is meant: the rest of the file is read with what
// is meant.
void AstBuilder::dottedAlias(ImportFrom& import, Alias& alias, bool isAlone) {
  auto told = emit_(Id::InvalidSyntax, alias.path[1].range);
  if (!isAlone || import.module.empty()) return;
  auto dotted = [&](llvm::ArrayRef<Identifier> parts) {
    std::string text;
    for (const Identifier& part : parts)
      text += (text.empty() ? "" : ".") + interner_.text(part.name).str();
    return text;
  };
  Offset end = import.module.back().range.end;
  Range last = alias.path.back().range;
  std::string parents = dotted(alias.path.drop_back());
  told.fix(diagnostics::FixId::ReplaceToken,
           {{{end, end}, "." + parents}, {{alias.path.front().range.begin, last.begin}, ""}},
           "from " + dotted(import.module) + "." + parents + " import " +
               interner_.text(alias.path.back().name).str());
  llvm::SmallVector<Identifier, 6> parts(import.module.begin(), import.module.end());
  parts.append(alias.path.begin(), alias.path.end() - 1);
  import.module = arena_.copy(llvm::ArrayRef<Identifier>(parts));
  alias.path = alias.path.take_back();
}

Stmt* AstBuilder::importFrom(TSNode node, bool isFuture) {
  Children children = childrenOf(node);
  auto* result = make<ImportFrom>(rangeOf(node));
  llvm::SmallVector<Alias, 8> names;
  unsigned at = 1;
  if (isFuture) {
    if (children.size() > 1)
      result->module = arena_.copy(
          llvm::ArrayRef<Identifier>({interner_.intern("__future__"), rangeOf(children[1].node)}));
    ++at;
  } else if (children.size() > 1) {
    if (children[1].sym == Sym::RelativeImport) {
      for (const Child& part : childrenOf(children[1].node)) {
        if (part.sym == Sym::ImportPrefix)
          result->level = static_cast<unsigned>(textOf(part.node).count('.'));
        else if (part.sym == Sym::DottedName)
          result->module = dottedName(part.node);
      }
    } else {
      result->module = dottedName(children[1].node);
    }
    ++at;
  }
  for (unsigned i = at; i < children.size(); ++i)
    if (children[i].sym == Sym::WildcardImport) result->isStar = true;
  aliases(children, at, names);
  for (Alias& alias : names)
    if (alias.path.size() > 1) dottedAlias(*result, alias, names.size() == 1);
  bool parenthesized = !children.empty() && children.back().sym == Sym::RParen;
  if (!children.empty() && children.back().sym == Sym::Comma && !parenthesized)
    emit_(Id::InvalidSyntax, rangeOf(children.back().node));
  result->names = arena_.copy(names);
  return result;
}

Stmt* AstBuilder::globalStatement(TSNode node, bool isNonlocal) {
  llvm::SmallVector<Identifier, 4> names;
  Children children = childrenOf(node);
  for (size_t i = 1; i < children.size(); ++i)
    if (children[i].sym != Sym::Comma) names.push_back(identifier(children[i].node));
  auto* result = make<Global>(rangeOf(node));
  result->names = arena_.copy(names);
  result->isNonlocal = isNonlocal;
  return result;
}

} // namespace gluond::syntax
