// Relays between a client and the process that serves it, so that the latter can be restarted.
//
// The worker is `gluond lsp --worker` or `gluond mcp --worker`: it does everything a server does,
// even on hostile files. The supervisor only relays whole messages and remembers the state for a
// new worker (Protocol.h; SessionReplay.h for editors, mcp/server/Conversation.h for agents). If
// the worker crashes, exceeds a memory limit, or one of its threads exceeds its time by far, the
// supervisor starts another one and restores the client's state: open requests are answered with an
// error, documents are opened again, and the text that caused it is quarantined (parsed, not
// evaluated) until it changes. After repeated failures, workers are started to serve syntax only,
// and finally not at all.
#pragma once

#include "lsp/supervisor/Protocol.h"
#include "lsp/transport/Transport.h"
#include "support/CurrentWork.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gluond::lsp {

struct SupervisorOptions {
  // The arguments of this program for a worker, which has the protocol in LSP's framing on its
  // standard streams; "--board N" and "--generation N" are appended.
  std::vector<std::string> command;
  size_t mostBytes = size_t{4} << 30;   // resident, and at most three quarters of the machine's
  std::chrono::milliseconds leave{300}; // time for a worker to end after `exit`
  std::function<void(int exitCode)> onGiveUp = {}; // if empty, the client's requests get errors
};

class Supervisor {
public:
  Supervisor(Transport& client, std::unique_ptr<Protocol> protocol, SupervisorOptions options);
  ~Supervisor();
  // Runs until the client ends the session or disconnects. Returns what the protocol says, or 70 if
  // no worker stays alive.
  int run();
  // The process that started us, from `initialize`; 0 if unknown. May be called from any thread.
  int64_t clientProcess() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace gluond::lsp
