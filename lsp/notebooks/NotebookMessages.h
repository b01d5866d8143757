// The notifications about notebooks of LSP 3.17, field for field; see the specification.
#pragma once

#include "lsp/protocol/Messages.h"

namespace gluond::lsp {

struct NotebookCell {
  std::string document; // its uri
  GLUOND_FIELDS(field("document", &NotebookCell::document))
};

struct NotebookDocument {
  std::string uri;
  std::vector<NotebookCell> cells;
  GLUOND_FIELDS(field("uri", &NotebookDocument::uri), field("cells", &NotebookDocument::cells))
};

struct DidOpenNotebookParams {
  NotebookDocument notebookDocument;
  std::vector<TextDocumentItem> cellTextDocuments;
  GLUOND_FIELDS(field("notebookDocument", &DidOpenNotebookParams::notebookDocument),
                field("cellTextDocuments", &DidOpenNotebookParams::cellTextDocuments))
};

struct NotebookCellArrayChange {
  uint32_t start = 0, deleteCount = 0;
  std::optional<std::vector<NotebookCell>> cells;
  GLUOND_FIELDS(field("start", &NotebookCellArrayChange::start),
                field("deleteCount", &NotebookCellArrayChange::deleteCount),
                field("cells", &NotebookCellArrayChange::cells))
};

struct NotebookStructureChange {
  NotebookCellArrayChange array;
  std::optional<std::vector<TextDocumentItem>> didOpen;
  GLUOND_FIELDS(field("array", &NotebookStructureChange::array),
                field("didOpen", &NotebookStructureChange::didOpen))
};

struct NotebookTextChange {
  VersionedTextDocumentIdentifier document;
  std::vector<ContentChange> changes;
  GLUOND_FIELDS(field("document", &NotebookTextChange::document),
                field("changes", &NotebookTextChange::changes))
};

struct NotebookCellsChange {
  std::optional<NotebookStructureChange> structure;
  std::optional<std::vector<NotebookTextChange>> textContent;
  GLUOND_FIELDS(field("structure", &NotebookCellsChange::structure),
                field("textContent", &NotebookCellsChange::textContent))
};

struct NotebookChange {
  std::optional<NotebookCellsChange> cells;
  GLUOND_FIELDS(field("cells", &NotebookChange::cells))
};

struct DidChangeNotebookParams {
  TextDocumentIdentifier notebookDocument;
  NotebookChange change;
  GLUOND_FIELDS(field("notebookDocument", &DidChangeNotebookParams::notebookDocument),
                field("change", &DidChangeNotebookParams::change))
};

struct NotebookParams { // didSave, didClose
  TextDocumentIdentifier notebookDocument;
  GLUOND_FIELDS(field("notebookDocument", &NotebookParams::notebookDocument))
};

} // namespace gluond::lsp
