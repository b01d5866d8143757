#include "codegen/emitter/Assignments.h"

namespace gluond::codegen {

using namespace syntax;

namespace {

struct Finder {
  Name name;
  text::Offset limit;
  Assignment found;
  llvm::SmallVector<const Stmt*, 4> around;

  void take(const Stmt* stmt, const Expr* target, const Expr* value) {
    if (auto* known = llvm::dyn_cast<NameExpr>(target)) {
      if (known->name == name) found = {stmt, target, value, around};
      return;
    }
    auto* tuple = llvm::dyn_cast<syntax::Tuple>(target);
    if (!tuple) return;
    auto* values = llvm::dyn_cast_if_present<syntax::Tuple>(value);
    for (size_t i = 0; i < tuple->elements.size(); ++i)
      take(stmt, tuple->elements[i],
           values && values->elements.size() == tuple->elements.size() ? values->elements[i]
                                                                       : nullptr);
  }

  void visit(const Stmt* stmt) {
    if (stmt->range.begin >= limit) return;
    if (auto* assign = llvm::dyn_cast<Assign>(stmt)) {
      for (const Expr* target : assign->targets)
        take(stmt, target, assign->value);
    } else if (auto* annotated = llvm::dyn_cast<AnnAssign>(stmt)) {
      if (annotated->value) take(stmt, annotated->target, annotated->value);
    } else if (auto* augmented = llvm::dyn_cast<AugAssign>(stmt))
      take(stmt, augmented->target, nullptr);
    else if (auto* loop = llvm::dyn_cast<For>(stmt)) {
      take(stmt, loop->target, nullptr);
      inside(stmt, loop->body, loop->orelse);
    } else if (auto* loop = llvm::dyn_cast<While>(stmt))
      inside(stmt, loop->body, loop->orelse);
    else if (auto* branch = llvm::dyn_cast<If>(stmt))
      inside(stmt, branch->body, branch->orelse);
    else if (auto* with = llvm::dyn_cast<With>(stmt))
      inside(stmt, with->body, {});
  }

  void inside(const Stmt* stmt, Stmts body, Stmts orelse) {
    around.push_back(stmt);
    for (Stmts block : {body, orelse})
      for (const Stmt* each : block)
        visit(each);
    around.pop_back();
  }
};

} // namespace

Assignment lastAssignment(Stmts body, Name name, text::Offset limit) {
  Finder finder{name, limit, {}, {}};
  for (const Stmt* stmt : body)
    finder.visit(stmt);
  return finder.found;
}

static void forEachName(const Expr* target, llvm::function_ref<void(Name)> use) {
  if (auto* name = llvm::dyn_cast<NameExpr>(target)) use(name->name);
  if (auto* tuple = llvm::dyn_cast<syntax::Tuple>(target))
    for (const Expr* element : tuple->elements)
      forEachName(element, use);
}

void forEachAssigned(Stmts body, llvm::function_ref<void(Name)> use) {
  for (const Stmt* stmt : body) {
    if (auto* assign = llvm::dyn_cast<Assign>(stmt)) {
      for (const Expr* target : assign->targets)
        forEachName(target, use);
    } else if (auto* augmented = llvm::dyn_cast<AugAssign>(stmt)) {
      forEachName(augmented->target, use);
    } else if (auto* annotated = llvm::dyn_cast<AnnAssign>(stmt)) {
      if (annotated->value) forEachName(annotated->target, use);
    } else if (auto* branch = llvm::dyn_cast<If>(stmt)) {
      forEachAssigned(branch->body, use);
      forEachAssigned(branch->orelse, use);
    } else if (auto* loop = llvm::dyn_cast<For>(stmt)) {
      forEachName(loop->target, use);
      forEachAssigned(loop->body, use);
    } else if (auto* loop = llvm::dyn_cast<While>(stmt)) {
      forEachAssigned(loop->body, use);
    } else if (auto* with = llvm::dyn_cast<With>(stmt)) {
      forEachAssigned(with->body, use);
    }
  }
}

} // namespace gluond::codegen
