// Finds where a function assigns a name: messages about a value mark the assignment that made it.
// Used only when there is something to report.
#pragma once

#include "support/Interner.h"
#include "syntax/tree/Ast.h"

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallVector.h>

namespace gluond::codegen {

struct Assignment {
  const syntax::Stmt* stmt = nullptr;
  const syntax::Expr* target = nullptr;
  const syntax::Expr* value =
      nullptr; // null if the name gets a part of a value, or is the target of a loop
  // The blocks around it, outermost first: If, For, While, With.
  llvm::SmallVector<const syntax::Stmt*, 4> around;
  explicit operator bool() const { return stmt; }
  // Returns the node to underline.
  const syntax::Node* node() const {
    return stmt->kind == syntax::NodeKind::For ? static_cast<const syntax::Node*>(target) : stmt;
  }
};

// The last assignment to `name` that begins before `limit` in these statements and the blocks they
// hold; functions and classes inside have names of their own. None is found if it is thousands of
// statements away.
Assignment lastAssignment(syntax::Stmts body, Name name, text::Offset limit = ~text::Offset{0});

// The call that made the variable that `use` names in the function around it: the first assignment,
// because a loop assigns products to an accumulator again. Null if there is none.
const syntax::Call* creationOf(const syntax::Expr* use, syntax::Stmts statements);

// Returns the first argument of a call that is a dtype of Gluon: gl.float16.
const syntax::Attribute* dtypeIn(const syntax::Call& call, const Interner& names);

// Every name these statements and the blocks they hold assign, in order, as often as they do.
void forEachAssigned(syntax::Stmts body, llvm::function_ref<void(Name)> use);

} // namespace gluond::codegen
