// Moves the places in a message between the cells of a notebook and the document made of them.
//
// Works on any message: a place is an object with `line` and `character`, or one of the few fields
// that hold a line; the nearest `uri` or `textDocument` around it says what it is a place in.
#pragma once

#include "lsp/notebooks/Notebook.h"
#include "lsp/protocol/Json.h"
#include "lsp/server/Session.h"

#include <functional>
#include <string>

namespace gluond::lsp {

// One open notebook, its uri, and a cell of it.
struct CellPlace {
  const std::string* uri = nullptr;
  const Notebook* notebook = nullptr;
  const Cell* cell = nullptr; // null if any cell is meant

  uint32_t firstLine() const { return notebook->firstLine(*cell); }
};

// From the client to the server: cells' uris become their notebook's.
class ToNotebook {
public:
  // Returns the place of a cell by its uri; one without a cell if there is none.
  using FindCell = std::function<CellPlace(const std::string& uri)>;
  explicit ToNotebook(FindCell find) : find_(std::move(find)) {}
  void translate(Json& json) const { translate(json, {}); }

private:
  void translate(Json& json, CellPlace around) const;
  FindCell find_;
};

// From the server to the client.
class ToCells {
public:
  // Returns a notebook by its uri; one without a notebook if there is none.
  using FindNotebook = std::function<CellPlace(const std::string& uri)>;
  ToCells(FindNotebook find, PositionEncoding encoding)
      : find_(std::move(find)), encoding_(encoding) {}
  // `asked` is the cell that a request was about: places without a uri are in it. Entries of lists
  // that are not in it are removed.
  void translate(Json& json, CellPlace asked) const { translate(json, asked, false); }
  // The same for the numbers of semantic tokens.
  static Json tokens(const Json& data, CellPlace asked);

private:
  // Returns false if the place is not in the cell.
  bool translate(Json& json, CellPlace around, bool isElement) const;
  bool translateRange(Json& range, CellPlace around) const;
  bool translateMembers(Json& json, CellPlace around, CellPlace asked, bool isElement) const;
  bool translateEdits(Json& json) const;
  uint32_t lengthOfLastLine(const Cell& cell) const;
  // The cell of the first line that an object mentions.
  CellPlace placeOf(const Json& object, CellPlace notebook) const;

  FindNotebook find_;
  PositionEncoding encoding_;
};

} // namespace gluond::lsp
