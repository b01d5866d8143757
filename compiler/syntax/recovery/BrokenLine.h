// Says what is wrong with a line that cannot be read as Python, and what its writer may have meant:
// syntax of Python 2 or of another language, a character that only looks like one of Python's.
// Internal to the room.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/recovery/LineScanner.h"

#include <tree_sitter/api.h>

namespace gluond::syntax {

// Reports the first error of a line. `tree` is what tree-sitter made of it after `before` bytes of
// other text; null if it made none.
void reportFirstError(llvm::StringRef text, const LogicalLine& line, size_t before,
                      const TSTree* tree, diagnostics::Reporter& emit);

} // namespace gluond::syntax
