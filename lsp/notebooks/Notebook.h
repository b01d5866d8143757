// An open notebook: its Python cells, in their order, as one document for the server.
//
// The document has the notebook's uri. A cell's line L is the document's line firstLine(cell) + L;
// columns are the same in both.
#pragma once

#include "driver/notebooks/CellLines.h"
#include "text/SourceText.h"

#include <llvm/ADT/StringRef.h>

#include <optional>
#include <string>
#include <vector>

namespace gluond::lsp {

struct Cell {
  std::string uri;
  bool isPython = false; // others take no lines
  int32_t version = 0;   // the client's, of the text
  text::SourceText text{""};
};

class Notebook {
public:
  Notebook() = default;
  explicit Notebook(std::vector<Cell> cells);

  const std::vector<Cell>& cells() const { return cells_; }
  const Cell* find(llvm::StringRef uri) const; // null if there is no Python cell with that uri
  // Changes a cell's text. Returns false if there is no such cell.
  bool change(llvm::StringRef uri, int32_t version, text::SourceText text);

  // The server's document (driver/notebooks/Magics.h).
  std::string python() const;
  static std::string python(const Cell& cell);
  uint32_t firstLine(const Cell& cell) const {
    return lines_.first(static_cast<size_t>(&cell - cells_.data()));
  }
  // The Python cell with this line of the document; null if there is none.
  const Cell* at(uint32_t line) const;

private:
  void number();

  std::vector<Cell> cells_;
  driver::CellLines lines_;
};

} // namespace gluond::lsp
