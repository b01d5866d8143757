// Translates between a client, whose documents are the cells of notebooks (LSP's "notebook document
// synchronization"), and a server that knows text documents only: each notebook is one Python
// document for it, so that a kernel, its helpers and its launches may be in different cells.
//
// Requests about a cell become requests about the notebook. In what the server sends, places in the
// notebook become places in its cells; of lists about a whole document (symbols, lenses, tokens),
// only the entries of the requested cell are kept. Messages about other documents are not changed.
#pragma once

#include "lsp/handlers/session/EditedText.h"
#include "lsp/notebooks/CellPlaces.h"
#include "lsp/protocol/Json.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gluond::lsp {

class Notebooks {
public:
  // The messages to pass on in the place of one message; often itself.
  std::vector<std::string> fromClient(std::string message);
  std::vector<std::string> fromServer(std::string message);

private:
  struct Open {
    Notebook notebook;
    int32_t version = 0;                   // of the server's document, counted by us
    std::vector<std::string> removedCells; // whose diagnostics the client still shows
  };
  // A request about a cell, until it is answered.
  struct Asked {
    std::string method, notebook, cell; // the last two are uris
  };

  std::vector<std::string> open(const Json& params);
  std::vector<std::string> change(const Json& params);
  std::vector<std::string> close(const Json& params);
  std::vector<std::string> published(const Json& message);
  // The open notebook that has a cell, and its uri; null if none has it.
  const std::pair<const std::string, Open>* withCell(const std::string& uri) const;
  // The open notebook with a uri, without a cell; its notebook is null if none has it.
  CellPlace notebookAt(const std::string& uri) const;
  ToCells toCells() const;

  PositionEncoding encoding_ = PositionEncoding::Utf16;
  bool isInitialized_ = false;
  std::map<std::string, Open> notebooks_; // by uri
  std::map<std::string, std::vector<std::string>>
      closed_;                         // cells whose diagnostics will be cleared
  std::map<std::string, Asked> asked_; // by idKey
};

} // namespace gluond::lsp
