// The children of a node, whatever its kind: for whoever looks at every node (indexes, searches by
// place).
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::syntax {

// Calls `visit` for each direct child, in the order of the fields (which is that of the text,
// decorators first). Identifiers, aliases and patterns are no nodes.
void forEachChild(const Node& node, llvm::function_ref<void(const Node&)> visit);

// The range of a node with its decorators (which stand before the range of a definition).
text::Range rangeWithDecorators(const Node& node);

// The innermost node whose range touches `offset`, and what is around it, outermost first. Empty
// when none does.
llvm::SmallVector<const Node*, 16> pathTo(Stmts body, text::Offset offset);
// The same, innermost first.
llvm::SmallVector<const Node*, 16> pathFrom(Stmts body, text::Offset offset);

} // namespace gluond::syntax
