#include "lsp/features/navigation/Navigation.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<std::vector<Location>> references(const ReferenceParams& params,
                                         const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context)) return std::vector<Location>();
  context.progress.begin("Finding references");
  bool withDeclaration = !params.context || params.context->includeDeclaration.value_or(true);
  std::vector<Location> locations;
  for (const Use& use :
       referencesAt(*document->resolver, *document->indexed,
                    document->positions.offset(params.position), Where::Workspace)) {
    if (locations.size() == mostReferences) break;
    if (withDeclaration || !use.binds)
      locations.push_back(encodeLocation(*use.file->file, use.range, context));
  }
  return locations;
}

Answer<Json> documentHighlight(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  if (!isOurs(*document->file, context)) return Json(nullptr);
  constexpr int read = 2, write = 3;
  Json result = Json::array();
  for (const Use& use : referencesAt(*document->resolver, *document->indexed,
                                     document->positions.offset(params.position), Where::File))
    if (use.file == document->indexed && result.size() < mostHighlights)
      result.push_back({{"range", encode(document->positions.range(use.range))},
                        {"kind", use.binds ? write : read}});
  return result;
}

} // namespace gluond::lsp
