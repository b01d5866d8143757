#include "driver/settings/Configuration.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/session/EditedText.h"
#include "lsp/protocol/Uri.h"

namespace gluond::lsp {

// Other open documents may import the changed text or find their launch records in it, so all of
// these set othersAffected.

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
  session.workspace.change(
      path, params.textDocument.version,
      afterChanges(file->text(), params.contentChanges, session.client->encoding));
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
