// The statement of a header (`if x:`) that cannot be parsed. Internal to the room.
#pragma once

#include "support/Interner.h"
#include "syntax/recovery/LineScanner.h"
#include "syntax/tree/NodeArena.h"

namespace gluond::syntax {

// Returns a statement of the header's kind, which has no body yet. Only the name of a definition is
// kept; errors stand for its expressions.
Stmt* headerPlaceholder(llvm::StringRef text, const LogicalLine& line, NodeArena& arena,
                        Interner& interner);

} // namespace gluond::syntax
