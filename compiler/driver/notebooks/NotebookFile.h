// A notebook on disk (`*.ipynb`, nbformat 4): its Python cells as one program, and their edited
// text put back into the file.
//
// Format: https://nbformat.readthedocs.io, "The Notebook file format". All of the file but the
// `source` of edited cells stays as it is, byte for byte.
#pragma once

#include "driver/notebooks/CellLines.h"
#include "text/SourceText.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringRef.h>
#include <tl/expected.hpp>

#include <memory>
#include <string>
#include <vector>

namespace gluond::driver {

bool isNotebook(llvm::StringRef path); // by its extension
// A larger file is not read: with the pictures and tables below its cells a notebook is larger than
// a program.
inline constexpr size_t mostNotebookBytes = size_t{64} << 20;

// Immutable.
class NotebookFile {
public:
  // `json` is the file's text. Errors end a sentence about the file: "is no notebook: ...".
  static tl::expected<NotebookFile, std::string> read(std::string json);

  llvm::StringRef json() const { return *json_; }
  // The Python cells, one after the other (Magics.h).
  const std::string& python() const { return python_; }

  // A line of the program, as people and other programs find it.
  struct Place {
    size_t cell = 0;       // counted from 1 among all cells, those of text included
    uint32_t line = 0;     // of the cell, counted from 0
    uint32_t fileLine = 0; // of the file, counted from 0
  };
  // Lines after the last one are in the last Python cell.
  Place placeOf(uint32_t line) const;

  // A Python cell's text, as IPython reads it.
  struct Cell {
    size_t number = 0; // Place::cell
    text::SourceText text;
  };
  const std::vector<Cell>& cells() const { return cells_; }
  // The line of the program with which one of these cells begins.
  uint32_t firstLineOf(const Cell& cell) const {
    return lines_.first(static_cast<size_t>(&cell - cells_.data()));
  }

  // Returns the notebook after edits of python(), which do not overlap. Fails if an edit spans two
  // cells.
  tl::expected<NotebookFile, std::string> withEdits(llvm::ArrayRef<text::Edit> edits) const;

private:
  // The value of a cell's `source` in the file: one string, or an array of strings.
  struct Source {
    struct String {
      text::Range range;
      uint32_t firstLine, fileLine; // of the cell, and of the file
    };
    text::Range value;
    std::vector<String> strings;
  };
  // Returns the value after the cell's text has changed, written as it was before.
  std::string rewritten(size_t cell, llvm::StringRef text) const;

  std::shared_ptr<const std::string> json_;
  std::string python_;
  std::vector<Cell> cells_;     // the Python ones
  std::vector<Source> sources_; // of each
  CellLines lines_;
};

// The changes of each cell's text as a unified diff, whose names are "x.ipynb:cell 3". `after` has
// the same cells.
std::string unifiedDiff(llvm::StringRef name, const NotebookFile& before,
                        const NotebookFile& after);

} // namespace gluond::driver
