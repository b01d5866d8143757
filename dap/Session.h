// A debugging session: the Debug Adapter Protocol over one stream, for one client.
//
// https://microsoft.github.io/debug-adapter-protocol. Requests are answered one after another on
// the thread that called run(); another one reads them, so that `pause` and a client that is gone
// are noticed while the kernel runs.
#pragma once

#include "dap/Target.h"
#include "lsp/transport/Transport.h"

namespace gluond::dap {

// Serves until the client disconnects or is gone. The exit code: 0, or 1 where the client left
// without saying so.
int serve(lsp::Transport& transport, Prepare prepare);

} // namespace gluond::dap
