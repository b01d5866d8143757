// What CPython's compiler refuses in the patterns of a `match`. Internal to the room.
#pragma once

#include "diagnostics/Reporter.h"
#include "support/Interner.h"
#include "syntax/tree/Ast.h"

namespace gluond::syntax {

// Reports names that a pattern binds twice or that alternatives do not share, patterns that leave
// nothing to those after them, and parts that stand in a wrong place.
void checkPatterns(const Match& match, const Interner& interner, diagnostics::Reporter& emit);

} // namespace gluond::syntax
