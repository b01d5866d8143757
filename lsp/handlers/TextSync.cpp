#include "driver/Configuration.h"
#include "lsp/handlers/Convert.h"
#include "lsp/handlers/EditedLines.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/protocol/Uri.h"

namespace gluond::lsp {

// Other open documents may import what changed or find their launch records in it: all of these set
// othersAffected.

void didOpen(const DidOpenParams& params, Session& session) {
  const TextDocumentItem& document = params.textDocument;
  std::string path = pathFromUri(document.uri);
  session.changeClient([&](ClientInfo& client) { client.uris[path] = document.uri; });
  session.workspace.open(path, document.version, document.text);
  session.changed.push_back(path);
  session.othersAffected = true;
  refreshProjects(session);
}

void didChange(const DidChangeParams& params, Session& session) {
  std::string path = pathFromUri(params.textDocument.uri);
  auto file = session.workspace.document(path);
  if (!file) {
    session.warnings.push_back("textDocument/didChange of a document that is not open: " +
                               params.textDocument.uri);
    return;
  }
  PositionEncoding encoding = session.client->encoding;
  auto edited = [&]() -> text::SourceText {
    const text::SourceText& text = file->text();
    if (params.contentChanges.size() == 1 && params.contentChanges[0].range) {
      const ContentChange& change = params.contentChanges[0];
      return text.apply({PositionMap(text, encoding).range(*change.range), change.text});
    }
    EditedLines lines(text, encoding);
    for (const ContentChange& change : params.contentChanges) {
      if (change.range)
        lines.replace(*change.range, change.text);
      else
        lines = EditedLines(text::SourceText(change.text), encoding);
    }
    return text::SourceText(lines.text());
  };
  session.workspace.change(path, params.textDocument.version, edited());
  session.changed.push_back(path);
  session.othersAffected = true;
}

void didClose(const DocumentParams& params, Session& session) {
  std::string path = pathFromUri(params.textDocument.uri);
  session.workspace.close(path);
  session.closed.emplace_back(path, params.textDocument.uri);
  session.changeClient([&](ClientInfo& client) { client.uris.erase(path); });
  session.othersAffected = true;
  if (driver::isProjectFile(path)) refreshProjects(session);
}

void didSave(const DocumentParams&, Session& session) {
  session.workspace.diskChanged();
  session.othersAffected = true;
  refreshProjects(session);
}

void didChangeWatchedFiles(const DidChangeWatchedFilesParams&, Session& session) {
  session.workspace.diskChanged();
  session.othersAffected = session.viewsAffected = true;
  refreshProjects(session);
}

} // namespace gluond::lsp
