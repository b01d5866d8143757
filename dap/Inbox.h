// The requests of a client, read on a thread of their own.
//
// What must not wait for a running kernel interrupts it: its cancellation is asked for here, and
// the one who runs it looks at what came.
#pragma once

#include "dap/Json.h"
#include "lsp/transport/Transport.h"
#include "support/Cancellation.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <thread>

namespace gluond::dap {

class Inbox {
public:
  explicit Inbox(lsp::Transport& transport);
  ~Inbox(); // once the client has disconnected, or is gone
  Inbox(const Inbox&) = delete;

  // The next request; nothing once the client is gone and all were taken.
  std::optional<Json> next();
  // Cancelled as soon as a request comes that `interrupts` is for. `byAny`: any request.
  CancellationToken interrupt(bool byAny);
  // Whether one of the requests that wait has this command.
  bool has(const char* command) const;
  bool isClosed() const;

private:
  void read();
  static bool isUrgent(const std::string& command);

  lsp::Transport& transport_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Json> waiting_;
  bool isClosed_ = false, byAny_ = false;
  CancellationSource running_;
  std::thread reader_;
};

} // namespace gluond::dap
