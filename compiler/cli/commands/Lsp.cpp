#include "cli/input/Commands.h"
#include "cli/input/ServerOptions.h"
#include "cli/output/Output.h"
#include "lsp/handlers/Handlers.h"
#include "lsp/handlers/session/ServedFiles.h"
#include "lsp/notebooks/NotebookTransport.h"
#include "lsp/server/Serve.h"
#include "lsp/supervisor/SessionReplay.h"
#include "lsp/supervisor/Supervisor.h"
#include "lsp/transport/FramedTransport.h"
#include "lsp/transport/WebSocket.h"

#include <llvm/ADT/StringRef.h>

#include <cerrno>
#include <csignal>
#include <thread>

namespace gluond::cli {

namespace {

// Ends the process after a delay if a task does not notice that its result is not needed any more.
void leaveSoon(int exitCode) {
  std::thread([exitCode] {
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    leave(exitCode);
  }).detach();
}

// The worker process of a supervisor, which evaluates files.
int work(const LspOptions& options) {
  auto board = beginWork(options.worker);
  lsp::ServerOptions server = serverOptions(options.threads, options.settings);
  server.onLeave = leaveSoon;
  server.onStopped = leave;
  server.board = board ? &*board : nullptr;
  server.requestPrefix = "gluond-" + std::to_string(options.worker.generation) + "-";
  lsp::Router router = lsp::makeRouter();
  if (!options.served.empty()) {
    auto folder = lsp::ServedFolder::open(options.served);
    if (!folder) return findings;
    lsp::addServedFiles(router, *folder, lsp::Drafts(lsp::Drafts::userState(), folder->path()));
    server.settings.roots.push_back(folder->path());
    server.settings.isConfined = true;
  }
  lsp::FdStream stream(0, takeOutput());
  lsp::FramedTransport transport(stream);
  return lsp::serve(transport, router, std::move(server));
}

int serveStdio(const LspOptions& options) {
  lsp::Supervisor* supervisor = nullptr;
  // After an editor crashed, our standard input may still be open in another process, so check
  // whether the editor is alive.
  auto clientLives = [&supervisor] {
    int64_t process = supervisor ? supervisor->clientProcess() : 0;
    return process <= 0 || ::kill(static_cast<pid_t>(process), 0) == 0 || errno != ESRCH;
  };
  lsp::FdStream stream(0, takeOutput(), clientLives);
  lsp::FramedTransport framed(stream);
  lsp::NotebookTransport transport(framed);
  lsp::SupervisorOptions server = supervisorOptions(options.threads, options.settings);
  server.onGiveUp = leave; // the editor reports it, and may start us again
  lsp::Supervisor made(transport, std::make_unique<lsp::SessionReplay>(), std::move(server));
  supervisor = &made;
  return made.run();
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
  (*listener)->close(); // refuses further clients
  lsp::NotebookTransport notebooks(*transport);
  return lsp::Supervisor(notebooks, std::make_unique<lsp::SessionReplay>(),
                         supervisorOptions(options.threads, options.settings))
      .run();
}

} // namespace

int lsp(const LspOptions& options) {
  if (options.worker.isWorker) return work(options);
  llvm::StringRef listen = options.listen;
  if (listen.empty()) return serveStdio(options);
  uint16_t port = 0;
  if (listen == "ws" || (listen.consume_front("ws:") && !listen.getAsInteger(10, port)))
    return serveWebSocket(options, port);
  complain("--listen takes 'ws' or 'ws:PORT', PORT from 0 to 65535, not '" + options.listen + "'");
  return wrongUse;
}

} // namespace gluond::cli
