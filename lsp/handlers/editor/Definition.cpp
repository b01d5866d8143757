#include "lsp/features/navigation/Navigation.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

static Json encodeDefinition(const std::optional<Definition>& found, const Document& document,
                             bool linkSupport, const RequestContext& context) {
  if (!found || found->places.empty()) return nullptr;
  Json result = Json::array();
  for (const Place& place : found->places) {
    Location location = encodeLocation(*place.file, place.range, context);
    if (linkSupport)
      result.push_back(encode(LocationLink{document.positions.range(found->origin), location.uri,
                                           encodeLocation(*place.file, place.whole, context).range,
                                           location.range}));
    else
      result.push_back(encode(location));
  }
  return result;
}

Answer<Json> definition(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context)) return Json(nullptr);
  auto found = definitionAt(*document->resolver, *document->indexed,
                            document->positions.offset(params.position));
  return encodeDefinition(found, *document, context.client.linkSupport, context);
}

Answer<Json> typeDefinition(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context)) return Json(nullptr);
  auto found = typeDefinitionAt(*document->resolver, *document->indexed,
                                document->positions.offset(params.position));
  return encodeDefinition(found, *document, context.client.typeLinkSupport, context);
}

} // namespace gluond::lsp
