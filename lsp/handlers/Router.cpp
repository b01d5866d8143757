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
  router.request("textDocument/codeLens", codeLens);
  router.request("textDocument/inlayHint", inlayHint);
  router.request("textDocument/codeAction", codeAction);
  router.request("textDocument/completion", completion, OnEdit::Keep);
  router.request("textDocument/definition", definition);
  router.request("textDocument/documentHighlight", documentHighlight);
  router.request("textDocument/documentSymbol", documentSymbol);
  router.request("textDocument/foldingRange", foldingRange);
  router.request("textDocument/hover", hover);
  router.request("textDocument/prepareRename", prepareRename);
  router.request("textDocument/references", references);
  router.request("textDocument/rename", rename);
  router.request("textDocument/signatureHelp", signatureHelp, OnEdit::Keep);
  return router;
}

} // namespace gluond::lsp
