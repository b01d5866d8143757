// A server of the Model Context Protocol for one client: https://modelcontextprotocol.io.
//
// It speaks two forms of the protocol. In revision 2026-07-28, each request says which revision it
// is of, and there is no session. In the revisions before it, a client begins with `initialize`.
// The tools have no state, so both are answered alike, and which one a request is of decides only
// what surrounds its result.
//
// receive() is called by one thread, which answers everything but calls of tools; those run on
// workers. A call that the client cancels gets no answer.
#pragma once

#include "lsp/protocol/Rpc.h"
#include "lsp/server/Scheduler.h"
#include "mcp/server/Resources.h"
#include "mcp/tools/Toolbox.h"

#include <map>
#include <mutex>

namespace gluond::mcp {

class Server {
public:
  using Send = std::function<void(const std::string& message)>;
  // `threads` 0: calls run in settle() only.
  // `board` is where the threads record their tasks, for a process that watches this one; null if
  // there is none.
  Server(Toolbox& toolbox, Resources resources, unsigned threads, CurrentWork* board, Send send);
  ~Server();

  void receive(std::string_view message);
  void settle() { scheduler_.runDue(); }
  // The client is gone: cancels all calls and waits for them.
  void stop();

private:
  void onRequest(lsp::Request request);
  void onNotification(const lsp::Notification& notification);
  Json initialize(const Json& params) const;
  void callTool(const lsp::Request& request, bool isModern);
  void send(const std::string& message);
  void answer(const Json& id, Json result, bool isModern);
  void refuse(const Json& id, int code, std::string why, Json data = nullptr);
  // Makes the function that tells the client how far a call is; empty if the client did not ask.
  Progress progressOf(const Json& params, const CancellationToken& token);

  Toolbox& toolbox_;
  CurrentWork* board_;
  Resources resources_;
  std::mutex sendMutex_;
  Send send_;
  std::mutex mutex_;                                // guards calls_
  std::map<std::string, CancellationSource> calls_; // by idKey
  lsp::Clock clock_;
  std::vector<std::unique_ptr<driver::Worker>> workers_;
  lsp::Scheduler scheduler_; // last member: its threads use the others
};

} // namespace gluond::mcp
