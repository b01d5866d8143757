#include "lsp/features/annotations/InlayHints.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<std::vector<InlayHint>> inlayHint(const InlayHintParams& params,
                                         const RequestContext& context) {
  constexpr int type = 1, parameter = 2;
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto settings = context.snapshot.settingsOf(document->file->path());
  HintOptions options{settings->hintTypes, settings->hintLayouts, settings->hintValues,
                      settings->hintParameters, settings->hintCosts};
  std::vector<InlayHint> hints;
  for (Hint& hint : hintsIn(*document->resolver, *document->indexed,
                            document->positions.range(params.range), options)) {
    if (hints.size() == mostHints) break;
    InlayHint encoded{document->positions.position(hint.at), std::move(hint.label),
                      hint.isParameter ? parameter : type, std::nullopt, false};
    if (!hint.tooltip.empty()) encoded.tooltip = MarkupContent{"markdown", std::move(hint.tooltip)};
    hints.push_back(std::move(encoded));
  }
  return hints;
}

} // namespace gluond::lsp
