#include "lsp/features/Navigation.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<Json> definition(const PositionParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto found = definitionAt(context.snapshot, *document->file,
                            document->positions.offset(params.position), context.token);
  if (!found || found->places.empty()) return Json(nullptr);
  Json result = Json::array();
  for (const Place& place : found->places) {
    PositionMap positions(place.file->text(), context.client.encoding);
    std::string uri = context.client.uri(place.file->path());
    if (context.client.linkSupport)
      result.push_back(
          encode(LocationLink{document->positions.range(found->origin), uri,
                              positions.range(place.whole), positions.range(place.range)}));
    else
      result.push_back(encode(Location{uri, positions.range(place.range)}));
  }
  return result;
}

} // namespace gluond::lsp
