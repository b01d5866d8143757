// Common inputs of most handlers: the document of a request, its positions, and its names.
#pragma once

#include "lsp/features/names/NameResolver.h"
#include "lsp/handlers/Convert.h"
#include "lsp/protocol/Uri.h"
#include "lsp/server/Router.h"

namespace gluond::lsp {

// Explains why a valid request cannot be answered.
inline tl::unexpected<ResponseError> fail(std::string why) {
  return tl::unexpected(ResponseError{ErrorCode::RequestFailed, std::move(why)});
}

struct Document {
  std::shared_ptr<const driver::File> file;
  PositionMap positions;
};

inline Answer<Document> findDocument(const TextDocumentIdentifier& id,
                                     const RequestContext& context) {
  auto file = context.snapshot.found(pathFromUri(id.uri));
  if (!file)
    return tl::unexpected(
        ResponseError{ErrorCode::InvalidParams, "neither open nor on disk: " + id.uri});
  PositionMap positions(file->text(), context.client.encoding);
  return Document{std::move(file), positions};
}

// Returns whether we handle a file: those that do not use Gluon are left to other servers.
inline bool isOurs(const driver::File& file, const RequestContext& context) {
  return mentionsGluon(file.text().text()) || context.plainPython(file);
}

// A document with its name index.
struct NamedDocument : Document {
  std::unique_ptr<NameResolver> resolver;
  const IndexedFile* indexed; // never null
};
inline Answer<NamedDocument> findNamed(const TextDocumentIdentifier& id,
                                       const RequestContext& context) {
  auto document = findDocument(id, context);
  if (!document) return tl::unexpected(document.error());
  auto resolver = std::make_unique<NameResolver>(context.snapshot, context.worker, context.token);
  const IndexedFile* indexed = resolver->indexed(document->file);
  if (!indexed) return tl::unexpected(ResponseError{ErrorCode::RequestCancelled, "cancelled"});
  return NamedDocument{{std::move(*document)}, std::move(resolver), indexed};
}

// Encodes a place in any file of the workspace.
inline Location encodeLocation(const driver::File& file, text::Range range,
                               const RequestContext& context) {
  return {context.client.uri(file.path()),
          PositionMap(file.text(), context.client.encoding).range(range)};
}
// The same for a file that may not exist any more: then only the file is encoded.
inline Location encodePlace(const diagnostics::Location& place, const driver::Snapshot& snapshot,
                            const ClientInfo& client) {
  std::string path = snapshot.path(place.file);
  Location location{client.uri(path), {}};
  if (auto file = snapshot.found(path))
    location.range = PositionMap(file->text(), client.encoding).range(place.range);
  return location;
}
inline Location encodePlace(const diagnostics::Location& place, const RequestContext& context) {
  return encodePlace(place, context.snapshot, context.client);
}

} // namespace gluond::lsp
