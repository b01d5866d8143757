// Maps methods to the functions that handle them.
//
// A handler is a plain function of typed params; the router decodes and encodes around it, so that
// InvalidParams is handled in one place. Registration determines where a handler runs:
//
//   router.request("textDocument/hover", hover);   // worker thread, over a snapshot
//   router.request(method::select, answer, change); // `change` before it, on the reader thread
//   router.notification("textDocument/didChange", didChange);  // reader thread
#pragma once

#include "driver/analysis/Worker.h"
#include "driver/workspace/Workspace.h"
#include "lsp/protocol/Rpc.h"
#include "lsp/server/Session.h"

#include <llvm/ADT/StringMap.h>

#include <chrono>
#include <functional>
#include <string>

namespace gluond::lsp {

template <typename T> using Answer = tl::expected<T, ResponseError>;

// Work-done progress of one request; does nothing if the client sent no token. The server ends the
// progress that a handler began.
class Progress {
public:
  Progress() = default;
  explicit Progress(std::function<void(Json value)> send) : send_(std::move(send)) {}
  void begin(std::string_view title) const;
  // Reports `done` of `all`, for work whose amount is known.
  void report(size_t done, size_t all) const;
  void end() const;

private:
  std::function<void(Json value)> send_;
  mutable bool isBegun_ = false;
  mutable unsigned percent_ = 0;
};

// The input of a request on a worker thread: one immutable version of everything.
struct RequestContext {
  const driver::Snapshot& snapshot;
  const ClientInfo& client;
  CancellationToken
      token; // polled by long tasks; a cancelled handler may return anything, the server answers
  driver::Worker& worker;
  Progress progress = {};
  // Has the client ask for its lenses again; empty where nobody would.
  std::function<void()> lensesChanged = {};
  // Whether we handle a file although it does not use Gluon.
  bool plainPython(const driver::File& file) const {
    return snapshot.settingsOf(file.path())->plainPython;
  }
};

// When a document is edited, an unanswered request about it...
enum class OnEdit : uint8_t {
  Drop,   // ...is answered with ContentModified
  Keep,   // ...is answered for the version it saw, if that is ready within `patienceWithKept`:
          // completion, whose results the client filters further
  Finish, // ...is answered for the version it saw
};
constexpr std::chrono::milliseconds patienceWithKept{200};

// The budget that a request about a document is charged to.
enum class Payer : uint8_t {
  File, // requests that an editor makes by itself: limited by the file's allowance
        // (driver/program/FileWork.h)
  User, // requests of the user, who waits for them: IR, compiled code, panels
};

struct Publication {
  PublishDiagnosticsParams params;
  bool isComplete = true;
};

class Router {
public:
  struct Request {
    std::function<Answer<Json>(const Json&, const RequestContext&)> onWorker;
    std::function<tl::expected<void, ResponseError>(const Json&, Session&)>
        onReader; // may be empty
    OnEdit onEdit = OnEdit::Drop;
    Payer payer = Payer::File;
  };
  using Notification = std::function<tl::expected<void, std::string>(const Json&, Session&)>;

  template <typename Params, typename Result>
  void request(const char* method, Answer<Result> (*handler)(const Params&, const RequestContext&),
               OnEdit onEdit = OnEdit::Drop) {
    requests_[method] = {[handler](const Json& json, const RequestContext& context) {
                           return run<Params, Result>(
                               json, [&](const Params& p) { return handler(p, context); });
                         },
                         nullptr, onEdit};
  }
  // One that changes the session first: `change` on the reader thread, then the answer over the
  // snapshot after it.
  template <typename Params, typename Result>
  void request(const char* method, Answer<Result> (*handler)(const Params&, const RequestContext&),
               void (*change)(const Params&, Session&)) {
    request(method, handler, OnEdit::Finish);
    requests_[method].onReader = [change](const Json& json,
                                          Session& session) -> tl::expected<void, ResponseError> {
      auto params = decode<Params>(json);
      if (!params) return tl::unexpected(ResponseError{ErrorCode::InvalidParams, params.error()});
      change(*params, session);
      return {};
    };
  }
  // Registers a request that needs more than its context: a function object.
  template <typename Params, typename Result>
  void request(const char* method,
               std::function<Answer<Result>(const Params&, const RequestContext&)> handler) {
    requests_[method] = {
        [handler = std::move(handler)](const Json& json, const RequestContext& context) {
          return run<Params, Result>(json, [&](const Params& p) { return handler(p, context); });
        },
        nullptr, OnEdit::Finish};
  }
  // For requests that are registered already.
  void onDemand(std::initializer_list<const char*> methods) {
    for (const char* method : methods)
      requests_[method].payer = Payer::User;
  }
  template <typename Params>
  void notification(const char* method, void (*handler)(const Params&, Session&)) {
    notifications_[method] = [handler](const Json& json,
                                       Session& session) -> tl::expected<void, std::string> {
      auto params = decode<Params>(json);
      if (!params) return tl::unexpected(params.error());
      handler(*params, session);
      return {};
    };
  }
  // What is published for a document after every change; nullopt if cancelled. First a quick check
  // is made; if that was incomplete, a full one follows when the user pauses.
  using Diagnose = std::optional<Publication> (*)(const std::string& path, const RequestContext&,
                                                  bool isQuick);
  void diagnostics(Diagnose diagnose) { diagnose_ = diagnose; }
  // Returns the result of `initialize`.
  using Initialize = Json (*)(const InitializeParams&, Session&);
  void initialize(Initialize initialize) { initialize_ = initialize; }

  const Request* findRequest(llvm::StringRef method) const { return find(requests_, method); }
  const Notification* findNotification(llvm::StringRef method) const {
    return find(notifications_, method);
  }
  Diagnose diagnose() const { return diagnose_; }
  Initialize initialize() const { return initialize_; }

private:
  template <typename T>
  static const T* find(const llvm::StringMap<T>& map, llvm::StringRef method) {
    auto it = map.find(method);
    return it == map.end() ? nullptr : &it->second;
  }
  template <typename Params, typename Result, typename Handler>
  static Answer<Json> run(const Json& json, Handler handler) {
    auto params = decode<Params>(json);
    if (!params) return tl::unexpected(ResponseError{ErrorCode::InvalidParams, params.error()});
    Answer<Result> answer = handler(*params);
    if (!answer) return tl::unexpected(std::move(answer.error()));
    return encode(*answer);
  }

  llvm::StringMap<Request> requests_;
  llvm::StringMap<Notification> notifications_;
  Diagnose diagnose_ = nullptr;
  Initialize initialize_ = nullptr;
};

} // namespace gluond::lsp
