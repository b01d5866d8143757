// One connection's server: receives messages in order, answers each request exactly once.
//
// Threads. receive() is called by one thread, the reader: it handles cancellation, applies edits to
// the Workspace and never computes. All slow work runs on the scheduler's workers over an immutable
// driver::Snapshot. `send` may be called from any of them, one call at a time.
//
// Lifecycle, as in LSP: before `initialize` requests get ServerNotInitialized; after `shutdown`
// InvalidRequest; `exit` ends it with 0 after a shutdown and 1 without.
//
// An edit cancels the diagnostics in progress for that document and answers its pending requests
// with ContentModified (unless registered to be kept); $/cancelRequest answers RequestCancelled.
// Diagnostics are published once per version, never for an older version after a newer one, and not
// at all to a client that pulls them.
#pragma once

#include "lsp/server/Router.h"
#include "lsp/server/Scheduler.h"
#include "support/CurrentWork.h"

#include <atomic>
#include <map>
#include <memory>

namespace gluond::lsp {

struct ServerOptions {
  unsigned threads = 2;         // 0 for inline mode: work runs in settle() only
  const Clock* clock = nullptr; // null for the real one
  driver::Settings settings;
  // The client disconnected or sent `exit`; running tasks were told to end; the server waits next.
  std::function<void(int exitCode)> onLeave = {};
  // After that, with all answers written: a process that ends now need not free what it holds.
  std::function<void(int exitCode)> onStopped = {};
  // Where the threads record their tasks, for a process that watches this one; null if there is
  // none.
  CurrentWork* board = nullptr;
  std::string requestPrefix = "gluond-"; // of the ids of our requests
};

class Server {
public:
  using Send = std::function<void(std::string message)>;
  Server(const Router& router, ServerOptions options, Send send);
  ~Server();

  void receive(std::string_view message);
  // The transport received something that is not a message.
  void malformed(std::string_view what);
  // True if the last message received was not JSON at all; the transport may resynchronize.
  bool lastWasNotJson() const { return lastWasNotJson_; }

  bool exited() const { return exited_; }
  int exitCode() const { return shutdown_ ? 0 : 1; }

  // Inline mode: runs all tasks that are due now.
  void settle() { scheduler_.runDue(); }
  // The client disconnected: cancels everything and waits for the workers.
  void stop();
  // The process that started us, from `initialize`; 0 if unknown. May be called from any thread.
  int64_t clientProcess() const { return clientProcess_; }

private:
  struct Pending;
  struct Document;
  void onRequest(Request request);
  void onNotification(const Notification& notification);
  void onResponse(const Response& response);
  Progress progressOf(const Json& params);
  void answer(const Json& id, const Answer<Json>& answer);
  void sendMessage(std::string message);
  void giveUpKept(const std::string& path);
  void applyChanges(); // changes that handlers left in the session
  // The basis of current replies. Waiting tasks do not hold one, because each would keep a list of
  // all open documents.
  struct Now {
    std::shared_ptr<const driver::Snapshot> snapshot;
    std::shared_ptr<const ClientInfo> client;
  };
  Now now();
  void scheduleDiagnostics(const std::string& path);
  void scheduleOthers();
  void lookAtOthers(unsigned worker);
  void diagnose(const std::string& path, const std::shared_ptr<Document>& document, uint64_t round,
                unsigned worker, CancellationToken token, bool isQuick);
  uint32_t limitOf(const driver::Snapshot& snapshot, const std::string& path) const;
  void askToRefresh(const char* method, const ClientInfo& client);
  void completePulled(const std::string& path, const Now& now, CancellationToken token,
                      unsigned worker);
  void cancelPending(const std::function<bool(const Pending&)>& which, ErrorCode reason);

  const Router& router_;
  Clock realClock_;
  const Clock& clock_;
  CurrentWork* board_;
  const std::string requestPrefix_;
  Session session_;
  std::mutex sendMutex_;
  Send send_;
  bool initialized_ = false, shutdown_ = false, exited_ = false, lastWasNotJson_ = false;
  std::atomic<unsigned> nextRequest_{0};
  // Our requests that wait for a response; used on the reader thread only.
  std::map<std::string, std::function<void(const Json&, Session&)>> awaited_;
  std::atomic<int64_t> clientProcess_{0};
  std::mutex mutex_; // guards the members below, and those of Documents
  llvm::StringMap<std::shared_ptr<Pending>> pending_;    // by idKey
  llvm::StringMap<std::shared_ptr<Document>> documents_; // by path
  Now now_;
  uint64_t change_ = 0;       // counts changes that other documents may depend on
  TimePoint othersNotBefore_; // when those are checked again
  unsigned othersPosted_ = 0; // tasks that do so
  const unsigned threads_;
  std::vector<std::unique_ptr<driver::Worker>> workers_;
  Scheduler scheduler_; // last member: its threads use the others
};

} // namespace gluond::lsp
