// Builds a broken chunk's tree statement by statement. Private to the room.
//
// tree-sitter's own recovery may swallow whole functions. So where a chunk does not parse, its
// logical lines and their indentation give the blocks, and tree-sitter reads one statement or one
// header at a time: everything intact comes out as in a file without mistakes. A line that does not
// parse is repaired where that is clear (a missing operand, bracket or colon is put in), so that
// what is there of it is seen; else it becomes an ErrorStmt, or an assignment of an ErrorExpr, so
// that its names are known.
#pragma once

#include "syntax/parser/AstBuilder.h"
#include "syntax/recovery/LineScanner.h"

namespace gluond::syntax {

// Adds the chunk's statements to `out` and its errors (besides those of indentation) to `emit`.
// `budget` is how many bytes of broken text may still be looked at more closely in this file; what
// it did look at is taken from it. Past it broken lines are ErrorStmts, so that megabytes of
// nonsense stay cheap. `seen` is the text as tree-sitter is to see it. Ends early when `stop` says
// so.
void recoverChunk(llvm::StringRef text, llvm::StringRef seen, const LineScan& scan,
                  llvm::ArrayRef<LogicalLine> chunk, NodeArena& arena, Interner& interner,
                  diagnostics::Emitter& emit, size_t& budget, Stop stop, AstBuilder::StmtList& out);

// What scanning found in these lines.
void reportScanProblems(llvm::StringRef text, const LineScan& scan,
                        llvm::ArrayRef<LogicalLine> lines, diagnostics::Emitter& emit);

} // namespace gluond::syntax
