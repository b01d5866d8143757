#include "lsp/features/Navigation.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<std::vector<Location>> references(const PositionParams& params,
                                         const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<Location> locations;
  for (const Occurrence& occurrence :
       referencesAt(context.snapshot, *document->file, document->positions.offset(params.position),
                    context.token))
    locations.push_back({params.textDocument.uri, document->positions.range(occurrence.range)});
  return locations;
}

Answer<Json> documentHighlight(const PositionParams& params, const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  constexpr int read = 2, write = 3;
  Json result = Json::array();
  for (const Occurrence& occurrence :
       referencesAt(context.snapshot, *document->file, document->positions.offset(params.position),
                    context.token))
    result.push_back({{"range", encode(document->positions.range(occurrence.range))},
                      {"kind", occurrence.binds ? write : read}});
  return result;
}

} // namespace gluond::lsp
