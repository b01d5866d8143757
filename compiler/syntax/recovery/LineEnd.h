// How a logical line ends. Internal to the room.
#pragma once

#include "syntax/recovery/LineScanner.h"

namespace gluond::syntax {

// Returns whether the line's last token requires another one: "gl.", "x =", "x:", "x +".
// tree-sitter's grammar expects no line break there and would use the next line's first token,
// without an error.
bool endsAmid(llvm::StringRef text, const LogicalLine& line);

} // namespace gluond::syntax
