#include "cli/Commands.h"
#include "cli/Output.h"
#include "cli/ServerOptions.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/server/Serve.h"
#include "lsp/transport/FramedTransport.h"
#include "lsp/transport/WebSocket.h"

#include <llvm/ADT/StringRef.h>

#include <cerrno>
#include <csignal>
#include <unistd.h>

namespace gluond::cli {

namespace {

int serveStdio(const LspOptions& options) {
  // Whatever else prints must not get into the protocol's stream.
  int out = ::dup(1);
  ::dup2(2, 1);
  lsp::Server* server = nullptr;
  // An editor that crashed may leave our standard input open elsewhere: look whether it still
  // lives.
  auto clientLives = [&server] {
    int64_t process = server ? server->clientProcess() : 0;
    return process <= 0 || ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
  };
  lsp::FdStream stream(0, out, clientLives);
  lsp::FramedTransport transport(stream);
  return lsp::serve(transport, lsp::makeRouter(), serverOptions(options.threads, options.settings),
                    [&](lsp::Server& s) { server = &s; });
}

// One client at a time; ends with it.
int serveWebSocket(const LspOptions& options, uint16_t port) {
  std::string token = lsp::randomToken();
  auto listener = lsp::WebSocketListener::listen({port, token, options.allowedOrigins});
  if (!listener) {
    complain(listener.error());
    return findings;
  }
  Output() << "ws://127.0.0.1:" << std::to_string((*listener)->port()) << "/lsp?token=" << token
           << "\n";
  auto transport = (*listener)->accept();
  if (!transport) return findings;
  (*listener)->close(); // nobody else is let in
  return lsp::serve(*transport, lsp::makeRouter(),
                    serverOptions(options.threads, options.settings));
}

} // namespace

int lsp(const LspOptions& options) {
  llvm::StringRef listen = options.listen;
  if (listen.empty()) return serveStdio(options);
  uint16_t port = 0;
  if (listen == "ws" || (listen.consume_front("ws:") && !listen.getAsInteger(10, port)))
    return serveWebSocket(options, port);
  complain("--listen takes 'ws' or 'ws:PORT', PORT from 0 to 65535, not '" + options.listen + "'");
  return wrongUse;
}

} // namespace gluond::cli
