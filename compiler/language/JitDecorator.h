// Which functions of a file Triton compiles, as far as the text alone says so.
#pragma once

#include "syntax/tree/Ast.h"

namespace gluond::language {

// Returns whether a decorator is `@gluon.jit` or `@triton.jit`, called or not, under any name of
// the module or imported from it.
bool isJitDecorator(const syntax::Expr* decorator, const Interner& names);

// Returns whether one of a function's decorators is.
bool isJitFunction(const syntax::FunctionDef& function, const Interner& names);

} // namespace gluond::language
