// Every message gluond answers, one source file each: decode (the router did), call one feature,
// encode.
#pragma once

#include "lsp/protocol/Extensions.h"
#include "lsp/server/Router.h"

namespace gluond::lsp {

// The whole table, for a server.
Router makeRouter();

// Lifecycle.cpp
Json initialize(const InitializeParams& params, Session& session);
void initialized(const Nothing&, Session& session);
// TextSync.cpp
void didOpen(const DidOpenParams& params, Session& session);
void didChange(const DidChangeParams& params, Session& session);
void didClose(const DocumentParams& params, Session& session);
void didSave(const DocumentParams& params, Session& session);
void didChangeWatchedFiles(const DidChangeWatchedFilesParams& params, Session& session);

} // namespace gluond::lsp
