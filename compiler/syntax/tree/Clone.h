// Copies unchanged statements to another place of the file. Internal to the room.
#pragma once

#include "syntax/tree/NodeArena.h"

namespace gluond::syntax {

// How far nodes move; modulo 2^32.
struct Shift {
  uint32_t bytes = 0, ids = 0;
};

// Deep copy; every range and every id moves.
Stmts cloneShifted(Stmts stmts, NodeArena& arena, Shift shift);

// Other statements in the place of some of a block.
struct Splice {
  llvm::SmallVector<const Stmt*, 8> owners; // the statements around the block, outermost first
  Stmts block;
  size_t from = 0, to = 0; // of `block`: what goes
  Stmts put;               // what comes, at its place already
  uint32_t firstId = 0;    // of what goes: nodes before it have smaller ids, all others larger ones
  Shift before, after;     // of what stays
  text::Offset end = 0;    // where the block ends then
};
// Deep copy of `stmts`, apart from that.
Stmts cloneSpliced(Stmts stmts, NodeArena& arena, const Splice& splice);

} // namespace gluond::syntax
