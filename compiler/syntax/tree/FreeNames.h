// Finds the names that a function takes from the functions around it, as Python decides: by where
// names are bound, not by what runs.
#pragma once

#include "syntax/tree/Ast.h"

#include <llvm/ADT/SmallVector.h>

namespace gluond::syntax {

// Returns the names that the body of `def` mentions, nested definitions included, and that neither
// its parameters nor its own statements bind, each once, in the order of the text. Globals and
// builtins are among them: only their scopes tell them apart.
llvm::SmallVector<Name, 8> freeNames(const FunctionDef& def);

} // namespace gluond::syntax
