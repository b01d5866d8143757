// Which names a function's statements read, assign, and know at a place. For edits that move an
// expression of the source to another place.
#pragma once

#include "syntax/SyntaxTree.h"

#include <llvm/ADT/DenseSet.h>

namespace gluond::driver {

// Adds each name that occurs in `node`.
void addNames(const syntax::Node& node, llvm::DenseSet<Name>& out);
// Adds each name that `node` assigns.
void addAssigned(const syntax::Node& node, llvm::DenseSet<Name>& out);

// Whether each name of `expr` means the same in `statement`: it is no local name of the function
// around `expr`, or that function is around the statement too and has bound the name before it (or
// in it, for what comes after the statement).
bool isKnownAt(const syntax::Expr& expr, const syntax::Stmt& statement,
               const syntax::SyntaxTree& tree, bool isAfter = false);

// Returns the innermost function around a place, or null.
const syntax::FunctionDef* functionAround(const syntax::SyntaxTree& tree, text::Offset at);
// Returns the innermost loop around `statement` in its function, or null.
const syntax::Stmt* loopAround(const syntax::Stmt& statement, const syntax::SyntaxTree& tree);

} // namespace gluond::driver
