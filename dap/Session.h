// A debugging session: the Debug Adapter Protocol over one stream, for one client.
//
// https://microsoft.github.io/debug-adapter-protocol. Requests are answered one after another on
// the thread that calls serve(). Another thread reads them, so that `pause` and the end of the
// connection are noticed while the kernel runs.
#pragma once

#include "dap/Debuggee.h"
#include "lsp/transport/Transport.h"

namespace gluond::dap {

// Serves until the client disconnects. Returns the exit code: 0, or 1 if the connection ended
// without the request `disconnect`.
// `onGone` is called from the reading thread when the connection ends, while a request may still be
// handled.
int serve(lsp::Transport& transport, Prepare prepare, std::function<void()> onGone = {});

} // namespace gluond::dap
