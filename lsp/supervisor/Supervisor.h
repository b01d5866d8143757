// Stands between a client and the process that serves it, so that the latter can be killed.
//
// The worker is `gluond lsp --worker`: it does everything a server does, hostile files included.
// The supervisor only moves whole messages and remembers what a new worker must be told (Memory.h).
// When the worker crashes, grows past a limit, or one of its threads works on something far longer
// than it may, the supervisor starts another one and brings it to where the client is: open
// requests are answered with an error, documents are opened again, and the text that did it is put
// into quarantine (parsed, not evaluated) until it changes. Workers that end again and again are
// started to serve syntax only, and at last not at all.
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
  // Arguments of this program for a worker, which speaks LSP on its standard streams; "--board N"
  // and "--generation N" are appended.
  std::vector<std::string> command;
  size_t mostBytes = 0; // resident; 0: three quarters of the machine's, at most 4 GiB
  std::chrono::milliseconds leave{700};            // for a worker to end after `exit`
  std::function<void(int exitCode)> onGiveUp = {}; // without: the client's requests get errors
};

class Supervisor {
public:
  Supervisor(Transport& client, SupervisorOptions options);
  ~Supervisor();
  // Until the client is done or gone. 0 after `shutdown` and `exit`, 1 when the client left
  // otherwise, 70 when no worker stays alive.
  int run();
  // The process that started us, as `initialize` named it; 0: unknown. Any thread.
  int64_t clientProcess() const;

private:
  struct State;
  std::unique_ptr<State> state_;
};

} // namespace gluond::lsp
