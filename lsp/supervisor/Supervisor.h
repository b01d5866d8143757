// Relays between a client and the process that serves it, so that the latter can be restarted.
//
// The worker is `gluond lsp --worker`: it does everything a server does, even on hostile files. The
// supervisor only relays whole messages and remembers the state for a new worker (Memory.h). If the
// worker crashes, exceeds a memory limit, or one of its threads exceeds its time by far, the
// supervisor starts another one and restores the client's state: open requests are answered with an
// error, documents are opened again, and the text that caused it is quarantined (parsed, not
// evaluated) until it changes. After repeated failures, workers are started to serve syntax only,
// and finally not at all.
#pragma once

#include "lsp/transport/Transport.h"
#include "support/WorkBoard.h"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace gluond::lsp {

struct SupervisorOptions {
  // The arguments of this program for a worker, which uses LSP on its standard streams; "--board N"
  // and "--generation N" are appended.
  std::vector<std::string> command;
  size_t mostBytes = 0; // resident; 0 for three quarters of the machine's, at most 4 GiB
  std::chrono::milliseconds leave{700};            // time for a worker to end after `exit`
  std::function<void(int exitCode)> onGiveUp = {}; // if empty, the client's requests get errors
};

class Supervisor {
public:
  Supervisor(Transport& client, SupervisorOptions options);
  ~Supervisor();
  // Runs until the client ends the session or disconnects. Returns 0 after `shutdown` and `exit`, 1
  // if the client left otherwise, 70 if no worker stays alive.
  int run();
  // The process that started us, from `initialize`; 0 if unknown. May be called from any thread.
  int64_t clientProcess() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace gluond::lsp
