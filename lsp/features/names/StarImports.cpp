#include "lsp/features/names/StarImports.h"

#include "syntax/tree/Children.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

using namespace syntax;

// Calls `visit` with the statements that a module runs: none of functions and classes.
static void eachOfModule(Stmts body, llvm::function_ref<void(const Stmt&)> visit) {
  for (const Stmt* stmt : body) {
    visit(*stmt);
    if (llvm::isa<FunctionDef, ClassDef>(stmt)) continue;
    forEachChild(*stmt, [&](const Node& child) {
      if (auto* inner = llvm::dyn_cast<Stmt>(&child)) eachOfModule(inner, visit);
    });
  }
}

std::vector<const ImportFrom*> starImportsOf(const SyntaxTree& tree) {
  std::vector<const ImportFrom*> found;
  eachOfModule(tree.body(), [&](const Stmt& stmt) {
    auto* import = llvm::dyn_cast<ImportFrom>(&stmt);
    if (import && import->isStar) found.push_back(import);
  });
  return found;
}

ExportedNames exportedNames(const SyntaxTree& tree) {
  ExportedNames exported;
  auto take = [&](const Expr* target, const Expr* value) {
    auto* name = llvm::dyn_cast_or_null<NameExpr>(target);
    if (!name || tree.interner().text(name->name) != "__all__" || !value) return;
    exported.isGiven = true;
    Exprs elements;
    if (auto* list = llvm::dyn_cast<List>(value)) elements = list->elements;
    if (auto* tuple = llvm::dyn_cast<Tuple>(value)) elements = tuple->elements;
    for (const Expr* each : elements)
      if (auto* string = llvm::dyn_cast<Constant>(each);
          string && string->constant == ConstantKind::Str) {
        exported.list.push_back(string);
        exported.names.insert(string->string);
      }
  };
  eachOfModule(tree.body(), [&](const Stmt& stmt) {
    if (auto* assign = llvm::dyn_cast<Assign>(&stmt))
      for (const Expr* target : assign->targets)
        take(target, assign->value);
    if (auto* assign = llvm::dyn_cast<AnnAssign>(&stmt)) take(assign->target, assign->value);
    if (auto* assign = llvm::dyn_cast<AugAssign>(&stmt)) take(assign->target, assign->value);
  });
  return exported;
}

} // namespace gluond::lsp
