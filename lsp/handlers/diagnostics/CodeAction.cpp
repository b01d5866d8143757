#include "driver/fixes/FixTrial.h"
#include "driver/fixes/Fixes.h"
#include "lsp/handlers/AnswerSizes.h"
#include "lsp/handlers/Document.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/diagnostics/Diagnostics.h"

#include <llvm/ADT/STLExtras.h>

namespace gluond::lsp {

namespace {

constexpr const char* quickFix = "quickfix";
constexpr const char* fixAll = "source.fixAll.gluond";

// Whether the client wants actions of that kind: it names kinds that are the same or above it.
bool isWanted(const CodeActionParams& params, llvm::StringRef kind) {
  if (!params.context || !params.context->only) return true;
  return llvm::any_of(*params.context->only, [&](llvm::StringRef only) {
    llvm::StringRef rest = kind;
    return only.empty() || (rest.consume_front(only) && (rest.empty() || rest.starts_with(".")));
  });
}

Json encodeEdits(const std::vector<text::Edit>& edits, const PositionMap& positions) {
  std::vector<TextEdit> encoded;
  for (const text::Edit& edit : edits)
    encoded.push_back({positions.range(edit.range), edit.text});
  return encode(encoded);
}

} // namespace

// Returns the fixes of the diagnostics that touch the range (the first safe one of each is
// preferred), and all safe ones of the file in one.
Answer<std::vector<CodeAction>> codeAction(const CodeActionParams& params,
                                           const RequestContext& context) {
  auto document = findDocument(params.textDocument, context);
  if (!document) return tl::unexpected(document.error());
  std::vector<CodeAction> actions;
  // A moving cursor gets the fixes of the diagnostics found so far; an explicit request gets all of
  // them.
  bool isAsked = params.context && params.context->only;
  auto result = driver::check(context.snapshot, document->file, context.worker, context.token,
                              isAsked ? driver::Depth::Full : driver::Depth::Quick);
  if (!result) return actions;
  text::Range wanted = document->positions.range(params.range);
  bool wantsAll = isAsked && isWanted(params, fixAll);
  auto isTried = [&](const driver::Finding& finding) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    text::Range range = diagnostic.location.range;
    return diagnostic.location.file == document->file->id() && !diagnostic.fixes.empty() &&
           (wantsAll || (range.begin <= wanted.end && wanted.begin <= range.end));
  };
  if (llvm::any_of(result->findings, isTried)) {
    // Trying fixes needs all diagnostics to compare with.
    if (!result->isComplete)
      result = driver::check(context.snapshot, document->file, context.worker, context.token);
    if (!result) return actions;
    driver::WorkerPool workers(context.worker);
    driver::tryFixes(context.snapshot, *document->file, result->findings, isTried, workers,
                     context.token);
  }
  for (const driver::Finding& finding : result->findings) {
    const diagnostics::Diagnostic& diagnostic = finding.diagnostic;
    text::Range range = diagnostic.location.range;
    if (!isWanted(params, quickFix) || diagnostic.location.file != document->file->id() ||
        range.end < wanted.begin || wanted.end < range.begin)
      continue;
    bool hasPreferred = false;
    for (const diagnostics::Fix& fix : diagnostic.fixes) {
      if (actions.size() == mostFixes) break;
      CodeAction action{fix.title.text,
                        quickFix,
                        {encodeDiagnostic(diagnostic, *document->file, context)},
                        std::nullopt,
                        {}};
      if (fix.isSafe() && !hasPreferred) action.isPreferred = hasPreferred = true;
      action.edit.changes[params.textDocument.uri] = encodeEdits(fix.edits, document->positions);
      actions.push_back(std::move(action));
    }
  }
  // Offered on explicit request, and together with single fixes.
  if (isWanted(params, fixAll) && (isAsked || !actions.empty()))
    if (auto edits = driver::fixesOf(result->findings, document->file->id(),
                                     diagnostics::Applicability::Safe)
                         .edits;
        !edits.empty()) {
      CodeAction action{"Apply all safe fixes", fixAll, {}, std::nullopt, {}};
      action.edit.changes[params.textDocument.uri] = encodeEdits(edits, document->positions);
      actions.push_back(std::move(action));
    }
  return actions;
}

} // namespace gluond::lsp
