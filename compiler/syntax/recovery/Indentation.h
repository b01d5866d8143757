// Checks how lines are indented, as Python's tokenizer does. Private to the room.
#pragma once

#include "diagnostics/Emitter.h"
#include "syntax/recovery/LineScanner.h"

namespace gluond::syntax {

// Reports in one chunk: missing blocks, indentation that opens or matches no block, tabs and spaces
// that contradict each other. Returns false when anything was reported: tree-sitter then may see
// other blocks than Python.
bool checkIndentation(llvm::StringRef text, llvm::ArrayRef<LogicalLine> chunk,
                      diagnostics::Emitter& emit);

// Blocks nested deeper than this are refused, by CPython too; tree-sitter's scanner is not safe far
// beyond it.
inline constexpr unsigned maxIndentDepth = 100;

} // namespace gluond::syntax
