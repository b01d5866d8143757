#include "lsp/features/annotations/Hover.h"

#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<std::optional<Hover>> hover(const PositionParams& params, const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto found =
      hoverAt(*document->resolver, *document->indexed, document->positions.offset(params.position),
              context.plainPython(*document->file));
  if (!found) return std::optional<Hover>();
  return std::optional(
      Hover{{"markdown", std::move(found->markdown)}, document->positions.range(found->range)});
}

} // namespace gluond::lsp
