// Applies many edits to a text, as in one message of a client: the cost of an edit hardly depends
// on the size of the text, on the length of its lines, or on where the edit before was.
#pragma once

#include "lsp/protocol/Messages.h"
#include "lsp/server/Session.h"

#include <string>
#include <vector>

namespace gluond::lsp {

class EditedText {
public:
  EditedText(llvm::StringRef text, PositionEncoding encoding);

  // Positions outside the text are clamped to it.
  void replace(Range range, llvm::StringRef put);
  std::string text() const;

private:
  // Neither a character nor a "\r\n" lies in two pieces.
  struct Piece {
    std::string text;
    uint32_t lineEnds = 0;
    uint32_t units = 0; // of the positions' encoding
  };
  struct Place {
    size_t piece = 0, at = 0; // the piece after the last one is the end of the text
    bool splitsPair = false;  // between the halves of the surrogate pair that is there
  };
  // Searches from the piece where the search before ended: edits are mostly near one another.
  Place placeOf(Position position);
  // The character at a byte of a text: the numbers of its bytes and of its units.
  struct Character {
    uint32_t bytes, units;
  };
  Character characterAt(llvm::StringRef text, size_t at) const;
  // The units between two bytes, where characters begin.
  uint32_t unitsIn(llvm::StringRef text, size_t begin, size_t end) const;
  std::vector<Piece> cut(llvm::StringRef text) const;
  // An edit inside of a piece costs its own size only. Returns false for any other.
  bool replaceWithin(Place begin, Place end, llvm::StringRef put);

  PositionEncoding encoding_;
  std::vector<Piece> pieces_;
  struct Near {
    size_t piece = 0;
    uint32_t line = 0; // the lines that end before the piece
  };
  void moveBack(Near& near) const;
  Near near_;
};

// Applies the changes of a didChange in order, each to the result of the previous one.
text::SourceText afterChanges(const text::SourceText& text, llvm::ArrayRef<ContentChange> changes,
                              PositionEncoding encoding);

} // namespace gluond::lsp
