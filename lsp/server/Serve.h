// Runs a Server over a Transport until the client ends the session or disconnects. Returns the exit
// code of the process: 0 after `shutdown` and `exit`, 1 if the client left otherwise.
#pragma once

#include "lsp/server/Server.h"
#include "lsp/transport/Transport.h"

namespace gluond::lsp {

// `onServer` is called with the server before the first message is read (stdio uses it to watch the
// client's process).
int serve(Transport& transport, const Router& router, ServerOptions options,
          const std::function<void(Server&)>& onServer = {});

} // namespace gluond::lsp
