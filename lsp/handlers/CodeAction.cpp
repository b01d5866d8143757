#include "lsp/handlers/Diagnostics.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

// The fixes of the diagnostics that touch the range; where there is one only, it is the preferred
// one.
Answer<std::vector<CodeAction>> codeAction(const CodeActionParams& params,
                                           const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<CodeAction> actions;
  auto result = driver::check(context.snapshot, document->file, context.worker, context.token);
  if (!result) return actions;
  text::Range wanted = document->positions.range(params.range);
  for (const driver::Finding& finding : result->findings) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    text::Range range = diagnostic.location.range;
    if (diagnostic.location.file != document->file->id() || range.end < wanted.begin ||
        wanted.end < range.begin)
      continue;
    for (const diagnostics::Fix& fix : diagnostic.fixes) {
      CodeAction action{fix.title,
                        "quickfix",
                        {encodeDiagnostic(diagnostic, *document->file, context)},
                        std::nullopt,
                        {}};
      if (diagnostic.fixes.size() == 1) action.isPreferred = true;
      std::vector<TextEdit> edits;
      for (const text::Edit& edit : fix.edits)
        edits.push_back({document->positions.range(edit.range), edit.text});
      action.edit.changes[params.textDocument.uri] = encode(edits);
      actions.push_back(std::move(action));
    }
  }
  return actions;
}

} // namespace gluond::lsp
