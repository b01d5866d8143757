// Builds the tree of a correct chunk from that of an earlier version: only the statements that an
// edit touched are parsed. Internal to the room.
//
// The result is the same as that of parsing the whole chunk, ids included.
#pragma once

#include "syntax/parser/AstBuilder.h"
#include "syntax/recovery/LineScanner.h"
#include "syntax/tree/EarlierChunk.h"

namespace gluond::syntax {

struct SpliceResult {
  enum Kind : uint8_t {
    Unclear, // the edit is not within a block: the whole chunk has to be parsed
    Whole,   // `body` is the chunk's
    Broken,  // the chunk has a mistake, in `lines`
  } kind = Unclear;
  Stmts body;
  std::pair<size_t, size_t> lines; // [first, after the last) of the chunk's
};

// `lines` are the chunk's. They have no problems, and their indentation is as it should be. `seen`
// is the text for tree-sitter, `firstId` the chunk's first id.
SpliceResult spliceChunk(const Earlier& earlier, llvm::StringRef text, llvm::StringRef seen,
                         llvm::ArrayRef<LogicalLine> lines, uint32_t firstId, NodeArena& arena,
                         Interner& interner, diagnostics::Reporter& emit, Stop stop);

} // namespace gluond::syntax
