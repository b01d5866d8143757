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
  return router;
}

} // namespace gluond::lsp
