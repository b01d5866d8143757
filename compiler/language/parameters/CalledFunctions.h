// Functions by the last part of their names, and what these say about their arguments.
// ParameterRoles and ParameterUses read kernels with it.
#pragma once

#include "syntax/tree/Ast.h"

namespace gluond::language {

// Returns "load" for a callee `gl.load` or `load`; empty if it is no name.
llvm::StringRef calledName(const syntax::Expr* callee, const Interner& names);

// Whether the function takes only sizes, bounds and other integers.
bool takesNumbers(llvm::StringRef function);

// Returns the leftmost term of a sum, to which the rest is added: the base of an address. Null if
// the expression is another operation.
const syntax::Expr* baseOfSum(const syntax::Expr* sum);

} // namespace gluond::language
