// What most handlers begin with: the document a request is about, and its positions.
#pragma once

#include "lsp/handlers/Convert.h"
#include "lsp/protocol/Uri.h"
#include "lsp/server/Router.h"

namespace gluond::lsp {

struct Document {
  std::shared_ptr<const driver::File> file;
  PositionMap positions;
};

inline Answer<Document> findDocument(const TextDocumentIdentifier& id,
                                     const RequestContext& context) {
  auto file = context.snapshot.file(pathFromUri(id.uri));
  if (!file)
    return tl::unexpected(
        ResponseError{ErrorCode::InvalidParams, "neither open nor on disk: " + id.uri});
  PositionMap positions(file->text(), context.client.encoding);
  return Document{std::move(file), positions};
}

} // namespace gluond::lsp
