// Runs a Server over a Transport until the client is done or gone. Returns the process's exit code:
// 0 after `shutdown` and `exit`, 1 when the client left otherwise.
#pragma once

#include "lsp/server/Server.h"
#include "lsp/transport/Transport.h"

namespace gluond::lsp {

// `onServer` is called with the server before the first message is read (stdio watches the client's
// process with it).
int serve(Transport& transport, const Router& router, ServerOptions options,
          const std::function<void(Server&)>& onServer = {});

} // namespace gluond::lsp
