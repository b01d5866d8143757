#include "driver/kernelfixes/LocalNames.h"

#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::driver {

using syntax::Node;
using syntax::Stmt;

void addNames(const Node& node, llvm::DenseSet<Name>& out) {
  if (auto* name = llvm::dyn_cast<syntax::NameExpr>(&node)) out.insert(name->name);
  syntax::forEachChild(node, [&](const Node& child) { addNames(child, out); });
}

const syntax::FunctionDef* functionAround(const syntax::SyntaxTree& tree, text::Offset at) {
  for (const Node* node : syntax::pathFrom(tree.body(), at))
    if (auto* function = llvm::dyn_cast<syntax::FunctionDef>(node)) return function;
  return nullptr;
}

namespace {

// Adds the names that the statement binds itself, without those in its bodies.
void addTargets(const Node& node, llvm::DenseSet<Name>& out) {
  if (auto* assign = llvm::dyn_cast<syntax::Assign>(&node)) {
    for (const syntax::Expr* target : assign->targets)
      addNames(*target, out);
  } else if (auto* annotated = llvm::dyn_cast<syntax::AnnAssign>(&node)) {
    addNames(*annotated->target, out);
  } else if (auto* augmented = llvm::dyn_cast<syntax::AugAssign>(&node)) {
    addNames(*augmented->target, out);
  } else if (auto* loop = llvm::dyn_cast<syntax::For>(&node)) {
    addNames(*loop->target, out);
  }
}

bool contains(const Node& outer, const Node& inner) {
  return outer.range.begin <= inner.range.begin && inner.range.end <= outer.range.end;
}

// Adds the names that are bound whenever `place` is reached from the beginning of `stmts`.
void addBoundBefore(syntax::Stmts stmts, const Stmt& place, llvm::DenseSet<Name>& out);

void addBoundInside(const Stmt& around, const Stmt& place, llvm::DenseSet<Name>& out) {
  addTargets(around, out); // of a loop
  auto enter = [&](syntax::Stmts body) {
    if (!body.empty() && body.front()->range.begin <= place.range.begin &&
        place.range.end <= body.back()->range.end)
      addBoundBefore(body, place, out);
  };
  if (auto* loop = llvm::dyn_cast<syntax::For>(&around)) {
    enter(loop->body), enter(loop->orelse);
  } else if (auto* loop = llvm::dyn_cast<syntax::While>(&around)) {
    enter(loop->body), enter(loop->orelse);
  } else if (auto* branch = llvm::dyn_cast<syntax::If>(&around)) {
    enter(branch->body), enter(branch->orelse);
  } else if (auto* with = llvm::dyn_cast<syntax::With>(&around)) {
    enter(with->body);
  }
}

void addBoundBefore(syntax::Stmts stmts, const Stmt& place, llvm::DenseSet<Name>& out) {
  for (const Stmt* statement : stmts) {
    if (statement->range.begin > place.range.begin || statement == &place) return;
    if (contains(*statement, place)) return addBoundInside(*statement, place, out);
    if (!llvm::isa<syntax::For>(statement)) addTargets(*statement, out);
  }
}

} // namespace

void addAssigned(const Node& node, llvm::DenseSet<Name>& out) {
  addTargets(node, out);
  syntax::forEachChild(node, [&](const Node& child) { addAssigned(child, out); });
}

bool isKnownAt(const syntax::Expr& expr, const Stmt& statement, const syntax::SyntaxTree& tree,
               bool isAfter) {
  const syntax::FunctionDef* function = functionAround(tree, expr.range.begin);
  if (!function || contains(statement, expr)) return true;
  llvm::DenseSet<Name> read, local, bound;
  addNames(expr, read);
  for (const syntax::Parameter& parameter : function->parameters) {
    local.insert(parameter.name.name);
    bound.insert(parameter.name.name);
  }
  if (function == functionAround(tree, statement.range.begin))
    addBoundBefore(function->body, statement, bound);
  else
    bound.clear();
  if (isAfter && !llvm::isa<syntax::For>(statement)) addTargets(statement, bound);
  // Nearly always; of the whole function's names there are many.
  if (llvm::all_of(read, [&](Name name) { return bound.contains(name); })) return true;
  addAssigned(*function, local);
  return llvm::all_of(read,
                      [&](Name name) { return !local.contains(name) || bound.contains(name); });
}

const Stmt* loopAround(const Stmt& statement, const syntax::SyntaxTree& tree) {
  for (const Node* node : syntax::pathFrom(tree.body(), statement.range.begin)) {
    if (node == &statement) continue;
    if (llvm::isa<syntax::FunctionDef>(node)) return nullptr;
    if (llvm::isa<syntax::For, syntax::While>(node)) return llvm::cast<Stmt>(node);
  }
  return nullptr;
}

} // namespace gluond::driver
