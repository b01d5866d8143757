// Checks for what Python's grammar allows and its compiler refuses: `return` outside a function and
// the like. Internal to the room.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/tree/Ast.h"

namespace gluond::syntax {

// Checks one chunk. If `isWhole` is false the chunk has other errors, and problems that may only be
// caused by these are not reported.
void checkSyntax(Stmts chunk, const Interner& interner, bool isWhole, diagnostics::Reporter& emit);

// Checks across chunks that `from __future__` comes first.
void checkFutureImports(Stmts body, Name future, diagnostics::Reporter& emit);

} // namespace gluond::syntax
