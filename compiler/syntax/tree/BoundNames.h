// Which names a statement or an expression binds.
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::syntax {

// Visits the names that an assignment to `target` binds: none for `a.b` and `a[i]`. Null has none.
void forEachTargetName(const Expr* target, llvm::function_ref<void(Name)> found);

// Visits the names that a node binds itself, by its targets, as a definition, an import, a handler,
// a pattern or `:=`. Those that its children bind, and what `global` names, are not among them.
void forEachBoundName(const Node& node, llvm::function_ref<void(Name)> found);

} // namespace gluond::syntax
