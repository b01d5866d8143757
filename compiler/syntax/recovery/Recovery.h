// Builds the tree of a broken chunk statement by statement. Internal to the room.
//
// tree-sitter's own recovery may swallow whole functions. So if a chunk does not parse, its logical
// lines and their indentation determine the blocks, and tree-sitter parses one statement or one
// header at a time: everything intact is parsed as in a file without mistakes. A line that does not
// parse is repaired if that is unambiguous (a missing operand, bracket or colon is inserted), to
// use the rest of it; otherwise it becomes an ErrorStmt, or an assignment of an ErrorExpr, so that
// its names are known.
#pragma once

#include "syntax/parser/AstBuilder.h"
#include "syntax/recovery/LineScanner.h"
#include "syntax/tree/EarlierChunk.h"

namespace gluond::syntax {

// The facts about a chunk that an earlier version gives.
struct Known {
  const Earlier* earlier = nullptr;   // its statements are used again
  std::pair<size_t, size_t> broken{}; // lines of the chunk that cannot be parsed together
};

// Adds the chunk's statements to `out` and its errors (besides those of indentation) to `emit`.
// `budget` is the number of bytes of broken text in this file that may still be analysed
// closely, and is reduced by what was used. Beyond it broken lines become ErrorStmts, so that
// megabytes of nonsense stay cheap. `seen` is the text for tree-sitter. Ends early if `stop`
// returns true.
void recoverChunk(llvm::StringRef text, llvm::StringRef seen, const LineScan& scan,
                  llvm::ArrayRef<LogicalLine> chunk, NodeArena& arena, Interner& interner,
                  diagnostics::Reporter& emit, size_t& budget, Stop stop, const Known& known,
                  AstBuilder::StmtList& out);

} // namespace gluond::syntax
