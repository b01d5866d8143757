#include "lsp/handlers/Handlers.h"

namespace gluond::lsp {

Router makeRouter() {
  Router router;
  router.initialize(initialize);
  router.notification<Nothing>("initialized", initialized);
  router.notification<DidOpenParams>("textDocument/didOpen", didOpen);
  router.notification<DidChangeParams>("textDocument/didChange", didChange);
  router.notification<DocumentParams>("textDocument/didClose", didClose);
  router.notification<DocumentParams>("textDocument/didSave", didSave);
  router.notification<DidChangeWatchedFilesParams>("workspace/didChangeWatchedFiles",
                                                   didChangeWatchedFiles);
  router.notification<DidChangeConfigurationParams>("workspace/didChangeConfiguration",
                                                    didChangeConfiguration);
  router.notification<DidChangeWorkspaceFoldersParams>("workspace/didChangeWorkspaceFolders",
                                                       didChangeWorkspaceFolders);
  router.diagnostics(publishedDiagnostics);
  router.request(method::layoutMap, layoutMap);
  router.request(method::operations, operations);
  router.request(method::access, access);
  router.request(method::conversion, conversion);
  router.request(method::studyLayout, studyLayout);
  router.request(method::writeLayout, writeLayout);
  router.request(method::specializations, specializations);
  router.request(method::selectSpecialization, selectSpecialization, changeSelection);
  router.request(method::stageIR, stageIR);
  router.request(method::passes, passes);
  addBenchmarks(router);
  addTimeline(router);
  router.onDemand({method::layoutMap, method::operations, method::access, method::conversion,
                   method::studyLayout, method::writeLayout, method::stageIR, method::passes,
                   method::benchmark, method::benchmarkPlan, method::simulate, method::moment});
  router.request("textDocument/codeLens", codeLens);
  router.request("textDocument/inlayHint", inlayHint);
  router.request("textDocument/codeAction", codeAction);
  router.request("textDocument/completion", completion, OnEdit::Keep);
  router.request("callHierarchy/incomingCalls", incomingCalls, OnEdit::Keep);
  router.request("callHierarchy/outgoingCalls", outgoingCalls, OnEdit::Keep);
  router.request("textDocument/definition", definition);
  router.request("textDocument/diagnostic", documentDiagnostic);
  router.request("textDocument/documentHighlight", documentHighlight);
  router.request("textDocument/documentSymbol", documentSymbol);
  router.request("textDocument/foldingRange", foldingRange);
  router.request("textDocument/hover", hover);
  router.request("textDocument/prepareCallHierarchy", prepareCallHierarchy);
  router.request("textDocument/prepareRename", prepareRename);
  router.request("textDocument/references", references);
  router.request("textDocument/rename", rename);
  router.request("textDocument/selectionRange", selectionRange);
  router.request("textDocument/semanticTokens/full", semanticTokens);
  router.request("textDocument/semanticTokens/full/delta", semanticTokensDelta);
  router.request("textDocument/semanticTokens/range", semanticTokensRange);
  router.request("textDocument/signatureHelp", signatureHelp, OnEdit::Keep);
  router.request("textDocument/typeDefinition", typeDefinition);
  router.request("workspace/diagnostic", workspaceDiagnostic);
  router.request("workspace/symbol", workspaceSymbol);
  return router;
}

} // namespace gluond::lsp
