// What CPython's compiler accepts with a SyntaxWarning: `x is "text"`, `assert (x, "message")`,
// "\d", and literals that are called or indexed because a comma is missing.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

namespace gluond::syntax {

// Reports the warnings of a file without syntax errors.
void warnAsPython(Stmts body, const text::SourceText& source, diagnostics::Reporter& emit);

} // namespace gluond::syntax
