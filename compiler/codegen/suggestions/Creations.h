// Where a buffer or an accumulator is made, and with which elements.
#pragma once

#include "support/Interner.h"
#include "syntax/tree/Ast.h"

namespace gluond::codegen {

// Returns the call that made the variable that `use` names in the function around it: the first
// assignment, because a loop assigns products to an accumulator again. Null if there is none.
const syntax::Call* creationOf(const syntax::Expr* use, syntax::Stmts statements);

// Returns the first argument of a call that is a dtype of Gluon: gl.float16.
const syntax::Attribute* dtypeIn(const syntax::Call& call, const Interner& names);

} // namespace gluond::codegen
