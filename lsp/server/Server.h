// One connection's server: receives messages in order, answers each request exactly once.
//
// Threads. receive() is called by one thread, the reader: it flips cancellation, applies edits to
// the Workspace and never computes. Everything slow runs on the scheduler's workers over an
// immutable driver::Snapshot. `send` may be called from any of them, one call at a time.
//
// Lifecycle as LSP has it: before `initialize` requests get ServerNotInitialized; after `shutdown`
// InvalidRequest; `exit` ends it with 0 after a shutdown and 1 without.
//
// An edit cancels the diagnostics in the making for that document and answers its pending requests
// with ContentModified (unless registered to be kept); $/cancelRequest answers RequestCancelled.
// Diagnostics are published once per version and never for an older version after a newer one; not
// at all to a client that pulls them.
#pragma once

#include "lsp/server/Router.h"
#include "lsp/server/Scheduler.h"
#include "support/WorkBoard.h"

#include <atomic>
#include <map>
#include <memory>

namespace gluond::lsp {

// "$/gluond/quarantine", from the process that watches this one: a text that ended an earlier one.
struct QuarantineParams {
  std::string path, hash, why; // the hash in hexadecimal
  GLUOND_FIELDS(field("path", &QuarantineParams::path), field("hash", &QuarantineParams::hash),
                field("why", &QuarantineParams::why))
};

struct ServerOptions {
  unsigned threads = 2;         // 0: inline; work runs in settle() only
  const Clock* clock = nullptr; // null: the real one
  driver::Settings settings;
  // The client is gone or said `exit`; what runs has been told to end, and is waited for next.
  std::function<void(int exitCode)> onLeave = {};
  // Where the threads write down what they work on, for who watches this process; null: nobody
  // does.
  WorkBoard* board = nullptr;
  std::string requestPrefix = "gluond-"; // of the ids of our requests
};

class Server {
public:
  using Send = std::function<void(std::string message)>;
  Server(const Router& router, ServerOptions options, Send send);
  ~Server();

  void receive(std::string_view message);
  // The transport saw something that is no message.
  void malformed(std::string_view what);
  // True when the last message received was not JSON at all; the transport may resynchronize.
  bool lastWasNotJson() const { return lastWasNotJson_; }

  bool exited() const { return exited_; }
  int exitCode() const { return shutdown_ ? 0 : 1; }

  // Inline mode: runs what is due now.
  void settle() { scheduler_.runDue(); }
  // The client is gone: cancels everything and waits for the workers.
  void stop();
  // The process that started us, as `initialize` named it; 0: unknown. Any thread.
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
  void applyChanges(); // what handlers left in the session
  // What replies are made from now. Tasks that wait hold none: each would keep a list of all open
  // documents.
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
  void completePulled(const std::string& path, const Now& now, CancellationToken token,
                      unsigned worker);
  void cancelPending(const std::function<bool(const Pending&)>& which, ErrorCode reason);

  const Router& router_;
  Clock realClock_;
  const Clock& clock_;
  WorkBoard* board_;
  const std::string requestPrefix_;
  Session session_;
  std::mutex sendMutex_;
  Send send_;
  bool initialized_ = false, shutdown_ = false, exited_ = false, lastWasNotJson_ = false;
  std::atomic<unsigned> nextRequest_{0};
  // Requests of ours that wait for an answer; reader thread only.
  std::map<std::string, std::function<void(const Json&, Session&)>> awaited_;
  std::atomic<int64_t> clientProcess_{0};
  std::mutex mutex_; // guards what follows, and the members of Documents
  llvm::StringMap<std::shared_ptr<Pending>> pending_;    // by idKey
  llvm::StringMap<std::shared_ptr<Document>> documents_; // by path
  Now now_;
  uint64_t change_ = 0;       // counts the changes that other documents may depend on
  TimePoint othersNotBefore_; // when those are looked at again
  unsigned othersPosted_ = 0; // tasks that do so
  const unsigned threads_;
  std::vector<std::unique_ptr<driver::Worker>> workers_;
  Scheduler scheduler_; // last: its threads use the rest
};

} // namespace gluond::lsp
