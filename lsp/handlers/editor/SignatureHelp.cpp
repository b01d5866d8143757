#include "lsp/features/completion/Completion.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Answer<std::optional<SignatureHelp>> signatureHelp(const PositionParams& params,
                                                   const RequestContext& context) {
  auto document = findNamed(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  auto found = signatureAt(*document->resolver, *document->indexed,
                           document->positions.offset(params.position),
                           context.plainPython(*document->file));
  if (!found) return std::optional<SignatureHelp>();
  SignatureInformation information{found->label, std::nullopt, {}};
  if (!found->documentation.empty())
    information.documentation = MarkupContent{"markdown", found->documentation};
  text::SourceText label(
      found->label); // labels are counted in UTF-16 whatever the documents are in
  for (const Signature::Parameter& parameter : found->parameters) {
    ParameterInformation each{{label.position(parameter.range.begin).character,
                               label.position(parameter.range.end).character},
                              std::nullopt};
    if (!parameter.documentation.empty())
      each.documentation = MarkupContent{"markdown", parameter.documentation};
    information.parameters.push_back(std::move(each));
  }
  SignatureHelp help;
  help.signatures.push_back(std::move(information));
  help.activeParameter = found->active;
  return std::optional(std::move(help));
}

} // namespace gluond::lsp
