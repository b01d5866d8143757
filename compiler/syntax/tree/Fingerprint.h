// A hash of a function's own text, as the key of results cached per function.
#pragma once

#include "syntax/tree/Ast.h"
#include "text/SourceText.h"

namespace gluond::syntax {

// Returns a hash of the statement's text, including decorators, and of nothing else: it stays the
// same if the function moves within the file, and changes with any byte of it. (Results that hold
// line numbers also depend on the place.) It is equal on every machine and in every run.
uint64_t fingerprint(const Stmt* stmt, const text::SourceText& source);

} // namespace gluond::syntax
