// What a function's own text is worth: caches keep results per function under it.
#pragma once

#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

namespace gluond::syntax {

// A hash of the statement's text, decorators included, and of nothing else: it stays when the
// function moves within the file, and changes with any byte of it. (Results that hold line numbers
// depend on the place besides.) Equal on every machine and in every run.
uint64_t fingerprint(const Stmt* stmt, const text::SourceText& source);

} // namespace gluond::syntax
