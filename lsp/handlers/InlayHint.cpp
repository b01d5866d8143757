#include "lsp/features/Facts.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

// Behind each assigned name what it is: dtype[shape]; the layout in the tooltip.
Answer<std::vector<InlayHint>> inlayHint(const InlayHintParams& params,
                                         const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<InlayHint> hints;
  for (const NamedFact& fact :
       factsOfNames(context.snapshot, document->file, document->positions.range(params.range),
                    context.worker, context.token)) {
    std::string label = shortText(fact.type);
    if (label.empty()) continue;
    InlayHint hint{document->positions.position(fact.name.end), ": " + label, std::nullopt, false};
    if (!fact.type.layout.empty())
      hint.tooltip = MarkupContent{"markdown", "`" + fact.type.layout + "`"};
    hints.push_back(std::move(hint));
  }
  return hints;
}

} // namespace gluond::lsp
