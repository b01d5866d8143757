// The requests of a client, read on a thread of their own.
//
// Some requests interrupt a running kernel: the inbox cancels the token of the run, and the session
// then handles the requests.
#pragma once

#include "dap/Json.h"
#include "lsp/transport/Transport.h"
#include "support/Cancellation.h"

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace gluond::dap {

class Inbox {
public:
  Inbox(lsp::Transport& transport, std::function<void()> onGone);
  ~Inbox(); // waits until the client has disconnected or is gone
  Inbox(const Inbox&) = delete;

  // Waits for the next request. Nullopt if the client is gone and all requests were taken.
  std::optional<Json> next();
  // Returns a token that is cancelled when an urgent request arrives, or any request if `byAny` is
  // set.
  CancellationToken interrupt(bool byAny);
  // Returns whether a request with this command waits.
  bool has(const char* command) const;
  bool isClosed() const;

private:
  void read();
  static bool isUrgent(const std::string& command);

  lsp::Transport& transport_;
  std::function<void()> onGone_;
  mutable std::mutex mutex_;
  std::condition_variable came_;
  std::deque<Json> waiting_;
  bool isClosed_ = false, byAny_ = false;
  CancellationSource running_;
  std::thread reader_;
};

} // namespace gluond::dap
