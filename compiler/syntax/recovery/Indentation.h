// Checks the indentation of lines like Python's tokenizer. Internal to the room.
#pragma once

#include "diagnostics/Reporter.h"
#include "syntax/recovery/LineScanner.h"

namespace gluond::syntax {

// Reports in one chunk: missing blocks, indentation that opens or matches no block, inconsistent
// tabs and spaces. Returns false if anything was reported: tree-sitter may then see other blocks
// than Python.
bool checkIndentation(llvm::StringRef text, llvm::ArrayRef<LogicalLine> chunk,
                      diagnostics::Reporter& emit);

// Deeper nesting of blocks is refused, as in CPython; tree-sitter's scanner is not safe far beyond
// it.
inline constexpr unsigned maxIndentDepth = 100;

} // namespace gluond::syntax
