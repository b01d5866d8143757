#include "codegen/builder/Assignments.h"

#include "language/types/Builtin.h"
#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::codegen {

using namespace syntax;

namespace {

// The statements that one search looks at. Each of a function's thousands of findings may search.
constexpr unsigned mostStatements = 2000;

// Searches backwards: what a message is about is mostly assigned a few lines above.
struct Finder {
  Name name;
  text::Offset limit;
  Assignment found;
  llvm::SmallVector<const Stmt*, 4> around;
  unsigned looked = 0;

  bool take(const Stmt* stmt, const Expr* target, const Expr* value) {
    if (auto* known = llvm::dyn_cast<NameExpr>(target)) {
      if (known->name == name) found = {stmt, target, value, around};
      return known->name == name;
    }
    auto* tuple = llvm::dyn_cast<syntax::Tuple>(target);
    if (!tuple) return false;
    auto* values = llvm::dyn_cast_if_present<syntax::Tuple>(value);
    bool isMatched = values && values->elements.size() == tuple->elements.size();
    for (size_t i = tuple->elements.size(); i-- > 0;)
      if (take(stmt, tuple->elements[i], isMatched ? values->elements[i] : nullptr)) return true;
    return false;
  }

  // Returns whether the search is over.
  bool visit(const Stmt* stmt) {
    if (++looked > mostStatements) return true;
    if (auto* assign = llvm::dyn_cast<Assign>(stmt))
      return llvm::any_of(llvm::reverse(assign->targets),
                          [&](const Expr* target) { return take(stmt, target, assign->value); });
    if (auto* annotated = llvm::dyn_cast<AnnAssign>(stmt))
      return annotated->value && take(stmt, annotated->target, annotated->value);
    if (auto* augmented = llvm::dyn_cast<AugAssign>(stmt))
      return take(stmt, augmented->target, nullptr);
    if (auto* loop = llvm::dyn_cast<For>(stmt))
      return inside(stmt, loop->body, loop->orelse) || take(stmt, loop->target, nullptr);
    if (auto* loop = llvm::dyn_cast<While>(stmt)) return inside(stmt, loop->body, loop->orelse);
    if (auto* branch = llvm::dyn_cast<If>(stmt)) return inside(stmt, branch->body, branch->orelse);
    if (auto* with = llvm::dyn_cast<With>(stmt)) return inside(stmt, with->body, {});
    return false;
  }

  bool inside(const Stmt* stmt, Stmts body, Stmts orelse) {
    around.push_back(stmt);
    bool isFound = block(orelse) || block(body);
    around.pop_back();
    return isFound;
  }

  bool block(Stmts body) {
    const auto* end =
        llvm::partition_point(body, [&](const Stmt* stmt) { return stmt->range.begin < limit; });
    return llvm::any_of(llvm::reverse(llvm::make_range(body.begin(), end)),
                        [&](const Stmt* stmt) { return visit(stmt); });
  }
};

} // namespace

Assignment lastAssignment(Stmts body, Name name, text::Offset limit) {
  Finder finder{name, limit, {}, {}};
  finder.block(body);
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

const syntax::Call* creationOf(const syntax::Expr* use, syntax::Stmts statements) {
  auto* name = llvm::dyn_cast_if_present<syntax::NameExpr>(use);
  if (!name) return nullptr;
  const syntax::FunctionDef* def = nullptr;
  for (const syntax::Node* node : syntax::pathTo(statements, use->range.begin))
    if (auto* each = llvm::dyn_cast<syntax::FunctionDef>(node)) def = each;
  const syntax::Call* made = nullptr;
  for (text::Offset limit = use->range.begin; def;) {
    Assignment assigned = lastAssignment(def->body, name->name, limit);
    if (!assigned) break;
    if (auto* call = llvm::dyn_cast_if_present<syntax::Call>(assigned.value)) made = call;
    limit = assigned.stmt->range.begin;
  }
  return made;
}

const syntax::Attribute* dtypeIn(const syntax::Call& call, const Interner& names) {
  const syntax::Attribute* found = nullptr;
  auto look = [&](const syntax::Expr* argument) {
    auto* attribute = llvm::dyn_cast<syntax::Attribute>(argument);
    const language::Builtin* row =
        attribute
            ? language::findBuiltin(language::ModuleId::gl, names.text(attribute->attribute.name))
            : nullptr;
    if (row && row->kind == language::BuiltinKind::Dtype && !found) found = attribute;
  };
  llvm::for_each(call.args, look);
  for (const syntax::Keyword& keyword : call.keywords)
    look(keyword.value);
  return found;
}

} // namespace gluond::codegen
