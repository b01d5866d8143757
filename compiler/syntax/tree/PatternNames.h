// The names in the pattern of a `case`.
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLFunctionalExtras.h>

namespace gluond::syntax {

// Visits the names that a pattern binds (and `_`), and the expressions that it evaluates: classes
// and values to compare with.
void visitPattern(const Expr* pattern, llvm::function_ref<void(const NameExpr&)> binds,
                  llvm::function_ref<void(const Expr&)> evaluates);

inline void forEachCapture(const Expr* pattern, llvm::function_ref<void(const NameExpr&)> found) {
  visitPattern(pattern, found, [](const Expr&) {});
}

} // namespace gluond::syntax
