// The children of a node of any kind, for code that visits every node (indexes, searches by
// place).
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::syntax {

// Calls `visit` for each direct child, in the order of the fields (which is that of the text,
// decorators first). Identifiers, aliases and patterns are not nodes.
void forEachChild(const Node& node, llvm::function_ref<void(const Node&)> visit);

// Returns a node's range including its decorators (which precede the range of a definition).
text::Range rangeWithDecorators(const Node& node);

// Returns the innermost node whose range touches `offset`, and the nodes around it, outermost
// first. Empty if there is none.
llvm::SmallVector<const Node*, 16> pathTo(Stmts body, text::Offset offset);
// The same, innermost first.
llvm::SmallVector<const Node*, 16> pathFrom(Stmts body, text::Offset offset);

// Returns the name that an expression begins with: `bars` in bars, bars[0], bars.index(0),
// bars.full. Null if it begins with something else, or if `expr` is null.
const NameExpr* ownerOf(const Expr* expr);

} // namespace gluond::syntax
