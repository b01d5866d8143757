// An earlier version of a chunk that had no mistakes, and what a later version may use of it.
// Internal to the room.
//
// The two texts are compared from both ends; all that changed lies between. A statement that stands
// outside of it, from its first token to its last, has the same nodes in both.
#pragma once

#include "syntax/tree/NodeArena.h"

#include <memory>
#include <string>

namespace gluond::syntax {

struct CorrectChunk {
  std::shared_ptr<const std::string> text;
  text::Offset begin = 0; // in its file
  Stmts body;
  uint32_t firstId = 0, endId = 0;
  std::shared_ptr<NodeArena> arena; // where the body lives
};

class Earlier {
public:
  // `text` is the later version, which begins at byte `begin` of its file. Refers to both.
  Earlier(const CorrectChunk& chunk, llvm::StringRef text, text::Offset begin);

  const CorrectChunk& chunk() const { return chunk_; }
  // Return the distances (modulo 2^32) by which the text before the change has moved, and the text
  // after it.
  uint32_t movedBefore() const { return before_; }
  uint32_t movedAfter() const { return after_; }
  // Whether a place of the earlier version stands before the change, or after it.
  bool isBefore(text::Offset place) const { return place <= changed_.begin; }
  bool isAfter(text::Offset place) const { return place >= changed_.end; }

  // Returns where a statement begins, with its decorators.
  text::Offset beginOf(const Stmt& stmt) const;

  // Statements in a row of one block, and the first id that they used.
  struct Row {
    Stmts statements;
    uint32_t firstId = 0;
    uint32_t moved = 0;
  };
  // Returns the statements that fill `place` of the later version, from a first token to a last
  // one; none if its text or its indentation changed, or was no whole statements.
  Row statementsAt(text::Range place, text::Offset lineStart) const;

private:
  const CorrectChunk& chunk_;
  text::Range changed_; // in the earlier version's file
  uint32_t before_ = 0, after_ = 0;
  text::Range later_; // the change in the later version's file
};

// Returns the smallest id of a node and all below it.
uint32_t firstIdOf(const Node& node);

} // namespace gluond::syntax
