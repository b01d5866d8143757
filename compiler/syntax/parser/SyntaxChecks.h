// What Python's grammar allows and its compiler refuses: `return` outside a function and the like.
// Private to the room.
#pragma once

#include "diagnostics/Emitter.h"
#include "syntax/tree/Ast.h"

namespace gluond::syntax {

// Checks one chunk. `isWhole`: nothing else is wrong with it; else what may only follow from that
// is not reported.
void checkSyntax(Stmts chunk, const Interner& interner, bool isWhole, diagnostics::Emitter& emit);

// Across chunks: `from __future__` comes first.
void checkFutureImports(Stmts body, Name future, diagnostics::Emitter& emit);

} // namespace gluond::syntax
