// Prints expressions like Python's ast.unparse: for messages and hovers.
#pragma once

#include "support/Interner.h"
#include "syntax/tree/Ast.h"

#include <string>

namespace gluond::syntax {

// Prints ErrorExpr as "...". The result is one line.
std::string unparse(const Expr* expr, const Interner& interner);

// Prints a str or bytes like Python's repr: 'it\'s', "it's" if that saves a backslash, b'\xff'.
std::string pythonRepr(llvm::StringRef text, bool isBytes = false);
// Prints a float like Python's repr: the shortest digits that round-trip, "1.0", "1e+16",
// "inf".
std::string pythonRepr(double value);

llvm::StringRef symbolOf(BinaryOp op);      // "+"
llvm::StringRef symbolOf(UnaryOperator op); // "-", "not"
llvm::StringRef symbolOf(CompareOp op);     // "not in"

} // namespace gluond::syntax
