// Expressions as text again, the way Python's ast.unparse writes them: for messages and hovers.
#pragma once

#include "support/Interner.h"
#include "syntax/tree/Ast.h"

#include <string>

namespace gluond::syntax {

// ErrorExpr comes out as "...". The result is one line.
std::string unparse(const Expr* expr, const Interner& interner);

// A str or bytes as Python's repr writes it: 'it\'s', "it's" where that saves a backslash, b'\xff'.
std::string pythonRepr(llvm::StringRef text, bool isBytes = false);
// A float as Python's repr writes it: the shortest digits that read back the same, "1.0", "1e+16",
// "inf".
std::string pythonRepr(double value);

llvm::StringRef symbolOf(BinaryOp op);      // "+"
llvm::StringRef symbolOf(UnaryOperator op); // "-", "not"
llvm::StringRef symbolOf(CompareOp op);     // "not in"

} // namespace gluond::syntax
