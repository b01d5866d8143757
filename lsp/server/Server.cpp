#include "lsp/server/Server.h"

#include "driver/analysis/Worker.h"
#include "driver/program/FileWork.h"
#include "driver/settings/Configuration.h"
#include "lsp/protocol/Uri.h"
#include "lsp/server/Quarantine.h"
#include "lsp/transport/Transport.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Support/xxhash.h>

#include <algorithm>
#include <malloc.h>

namespace gluond::lsp {

std::string ClientInfo::uri(llvm::StringRef path) const {
  auto it = uris.find(path);
  return it == uris.end() ? uriFromPath(path) : it->second;
}

struct Server::Pending {
  CancellationSource cancellation;
  std::atomic<ErrorCode> reason{ErrorCode::RequestCancelled};
  std::string path; // of the document it is about; empty if none
  OnEdit onEdit = OnEdit::Drop;
};

// The server's state for a document between edits.
struct Server::Document {
  CancellationSource cancellation; // of the round in the making
  uint64_t round = 0;              // counts its changes
  uint64_t change = 0;             // Server::change_ when it was scheduled last
  bool isOpen = false;
  bool isOther = false;   // the round in the making is because of another document
  uint64_t published = 0; // the newest round (and look) whose diagnostics the client has
  bool isClosed = false;
  uint64_t hash = 0; // of the message published last
  Duration last{};   // time to compute diagnostics after the last edit
  Duration cost{};   // the smaller one of the last two
};

namespace {

// Typing should not queue work that takes longer than the gap between keys; short work is done at
// once.
Duration debounce(Duration cost) {
  using namespace std::chrono_literals;
  if (cost <= 15ms) return Duration::zero();
  return std::min<Duration>(cost, 250ms);
}

// After this time the full check follows the quick one.
constexpr Duration pauseInTyping = std::chrono::milliseconds(80);

// Seconds of CPU time after which a thread counts as stuck: far beyond the allowances that its work
// should notice by itself (driver/program/FileWork.h).
constexpr uint32_t limitOfReader = 10, limitOnDemand = 60, limitOfWorkspace = 600;

// textDocument.uri of any params.
std::string documentPath(const Json& params) {
  if (!params.is_object()) return {};
  auto document = params.find("textDocument");
  if (document == params.end() || !document->is_object()) return {};
  auto uri = document->find("uri");
  if (uri == document->end() || !uri->is_string()) return {};
  return pathFromUri(uri->get_ref<const std::string&>());
}

} // namespace

void Progress::begin(std::string_view title) const {
  if (!send_ || std::exchange(isBegun_, true)) return;
  send_({{"kind", "begin"}, {"title", title}, {"cancellable", true}, {"percentage", 0}});
}

void Progress::report(size_t done, size_t all) const {
  if (!isBegun_ || all == 0) return;
  auto percent = static_cast<unsigned>(std::min(done, all) * 100 / all);
  if (percent == std::exchange(percent_, percent)) return;
  send_({{"kind", "report"}, {"percentage", percent}});
}

void Progress::end() const {
  if (std::exchange(isBegun_, false)) send_({{"kind", "end"}});
}

Server::Server(const Router& router, ServerOptions options, Send send)
    : router_(router), clock_(options.clock ? *options.clock : realClock_), board_(options.board),
      requestPrefix_(std::move(options.requestPrefix)), session_(std::move(options.settings)),
      send_(std::move(send)), now_{session_.workspace.snapshot(), session_.client},
      threads_(std::max(1u, options.threads)), scheduler_(clock_) {
  for (unsigned i = 0; i < Scheduler::workers(options.threads); ++i)
    workers_.push_back(std::make_unique<driver::Worker>());
  scheduler_.start(options.threads);
}

Server::~Server() {
  stop();
}

void Server::stop() {
  cancelPending([](const Pending&) { return true; }, ErrorCode::RequestCancelled);
  {
    std::lock_guard lock(mutex_);
    for (auto& entry : documents_)
      entry.second->cancellation.cancel();
  }
  scheduler_.stop();
}

void Server::sendMessage(std::string message) {
  std::lock_guard lock(sendMutex_);
  send_(std::move(message));
}

void Server::answer(const Json& id, const Answer<Json>& answer) {
  std::string message = answer ? makeResult(id, *answer) : makeError(id, answer.error());
  if (message.size() > maxMessageBytes) // the supervisor would refuse it
    message = makeError(id, {ErrorCode::RequestFailed,
                             "the answer has " + std::to_string(message.size() >> 20) +
                                 " MB; the limit is " + std::to_string(maxMessageBytes >> 20)});
  sendMessage(std::move(message));
}

void Server::malformed(std::string_view what) {
  sendMessage(makeError(nullptr, {ErrorCode::ParseError, std::string(what)}));
}

void Server::receive(std::string_view text) {
  if (exited_) return;
  Working working(board_, 0, "", 0, limitOfReader);
  Message message = parseMessage(text);
  auto* invalid = std::get_if<Invalid>(&message);
  lastWasNotJson_ = invalid && invalid->error.code == ErrorCode::ParseError;
  if (invalid)
    answer(invalid->id, tl::unexpected(invalid->error));
  else if (auto* request = std::get_if<Request>(&message))
    onRequest(std::move(*request));
  else if (auto* notification = std::get_if<Notification>(&message))
    onNotification(*notification);
  else if (auto* response = std::get_if<Response>(&message))
    onResponse(*response);
}

Progress Server::progressOf(const Json& params) {
  auto token = params.is_object() ? params.find("workDoneToken") : params.end();
  if (token == params.end() || !(token->is_string() || token->is_number_integer()))
    return Progress();
  return Progress([this, token = *token](Json value) {
    sendMessage(makeNotification("$/progress", {{"token", token}, {"value", std::move(value)}}));
  });
}

void Server::onRequest(Request request) {
  auto refuse = [&](ErrorCode code, std::string why) {
    answer(request.id, tl::unexpected(ResponseError{code, std::move(why)}));
  };
  if (shutdown_) return refuse(ErrorCode::InvalidRequest, "the server is shut down");
  if (request.method == "initialize") {
    if (initialized_) return refuse(ErrorCode::InvalidRequest, "already initialized");
    auto params = decode<InitializeParams>(request.params);
    if (!params) return refuse(ErrorCode::InvalidParams, params.error());
    initialized_ = true;
    clientProcess_ = params->processId.value_or(0);
    Json result = router_.initialize()(*params, session_);
    answer(request.id, result);
    return applyChanges();
  }
  if (!initialized_) return refuse(ErrorCode::ServerNotInitialized, "'initialize' must come first");
  if (request.method == "shutdown") {
    shutdown_ = true;
    cancelPending([](const Pending&) { return true; }, ErrorCode::RequestCancelled);
    return answer(request.id, Json(nullptr));
  }

  const Router::Request* route = router_.findRequest(request.method);
  if (!route) return refuse(ErrorCode::MethodNotFound, "unknown method '" + request.method + "'");
  if (route->onReader) {
    auto changed = route->onReader(request.params, session_);
    applyChanges();
    if (!changed) return answer(request.id, tl::unexpected(changed.error()));
  }

  auto pending = std::make_shared<Pending>();
  pending->path = documentPath(request.params);
  pending->onEdit = route->onEdit;
  std::string key = idKey(request.id), path = pending->path;
  bool isNew;
  {
    std::lock_guard lock(
        mutex_); // never held while sending: diagnose() takes the two the other way round
    isNew = pending_.try_emplace(key, pending).second;
  }
  if (!isNew)
    return refuse(ErrorCode::InvalidRequest, "a request with this id is still being answered");
  scheduler_.post(
      Priority::Interactive,
      [this, route, key, pending, request = std::move(request),
       snapshot = session_.workspace.snapshot(), client = session_.client](unsigned worker) {
        CancellationToken token = pending->cancellation.token();
        Answer<Json> result = tl::unexpected(ResponseError{});
        if (!token.isCancelled()) {
          RequestContext context{
              *snapshot, *client, token, *workers_[worker], progressOf(request.params), [&] {
                askToRefresh("workspace/codeLens/refresh", *client);
              }};
          auto file = pending->path.empty() ? nullptr : snapshot->file(pending->path);
          Working working(board_, worker + 1, pending->path, board_ && file ? file->hash() : 0,
                          pending->path.empty()         ? limitOfWorkspace
                          : route->payer == Payer::User ? limitOnDemand
                                                        : limitOf(*snapshot, pending->path));
          Allowance allowance(driver::onDemandLimits);
          std::optional<Spending> byUser;
          std::optional<driver::FileWork> byFile;
          if (route->payer == Payer::User)
            byUser.emplace(&allowance);
          else if (file)
            byFile.emplace(*snapshot, file);
          result = route->onWorker(request.params, context);
          context.progress.end();
        }
        {
          std::lock_guard lock(mutex_);
          pending_.erase(key);
        }
        if (token.isCancelled()) {
          ErrorCode reason = pending->reason;
          result = tl::unexpected(ResponseError{reason, reason == ErrorCode::ContentModified
                                                            ? "the document was edited meanwhile"
                                                            : "cancelled"});
        }
        answer(request.id, result);
      },
      path);
}

// The response to our request. Errors are ignored.
void Server::onResponse(const Response& response) {
  if (!response.id.is_string()) return;
  auto it = awaited_.find(response.id.get_ref<const std::string&>());
  if (it == awaited_.end()) return;
  auto onResult = std::move(it->second);
  awaited_.erase(it);
  if (response.error || shutdown_) return;
  onResult(response.result, session_);
  applyChanges();
}

void Server::onNotification(const Notification& notification) {
  if (notification.method == "exit") {
    exited_ = true;
    return;
  }
  if (takeQuarantine(notification, session_.workspace)) return applyChanges();
  if (notification.method == "$/cancelRequest") {
    auto id = notification.params.is_object() ? notification.params.find("id")
                                              : notification.params.end();
    if (id == notification.params.end()) return;
    std::lock_guard lock(mutex_);
    if (auto it = pending_.find(idKey(*id)); it != pending_.end())
      it->second->cancellation.cancel();
    return;
  }
  if (!initialized_ || shutdown_) return;
  const Router::Notification* route = router_.findNotification(notification.method);
  if (!route) return; // LSP: unknown notifications are ignored
  if (auto done = (*route)(notification.params, session_); !done)
    session_.warnings.push_back(notification.method + ": " + done.error());
  applyChanges();
}

void Server::cancelPending(const std::function<bool(const Pending&)>& which, ErrorCode reason) {
  std::lock_guard lock(mutex_);
  for (auto& entry : pending_) {
    Pending& pending = *entry.second;
    if (pending.cancellation.token().isCancelled() || !which(pending)) continue;
    pending.reason = reason;
    pending.cancellation.cancel();
  }
}

// Requests about the replaced text of a document end soon.
void Server::giveUpKept(const std::string& path) {
  std::vector<std::weak_ptr<Pending>> kept;
  {
    std::lock_guard lock(mutex_);
    for (const auto& entry : pending_)
      if (entry.second->path == path && entry.second->onEdit == OnEdit::Keep)
        kept.push_back(entry.second);
  }
  if (kept.empty()) return;
  scheduler_.post(Priority::Interactive, clock_.now() + patienceWithKept,
                  [this, kept = std::move(kept)](unsigned) {
                    for (const std::weak_ptr<Pending>& each : kept)
                      if (std::shared_ptr<Pending> pending = each.lock())
                        cancelPending([&](const Pending& p) { return &p == pending.get(); },
                                      ErrorCode::ContentModified);
                  });
}

void Server::applyChanges() {
  for (const std::string& text : session_.warnings) {
    Json params = Json::object();
    params["type"] = 2;
    params["message"] = text;
    sendMessage(makeNotification("window/logMessage", params));
  }
  session_.warnings.clear();
  if (std::exchange(session_.viewsAffected, false))
    for (const std::string& method : session_.client->refreshable)
      session_.requests.push_back({method, nullptr});
  for (Session::ToClient& request : session_.requests) {
    std::string id = requestPrefix_ + std::to_string(nextRequest_++);
    if (request.onResult) awaited_[id] = std::move(request.onResult);
    sendMessage(makeRequest(id, request.method, request.params));
  }
  session_.requests.clear();
  {
    std::lock_guard lock(mutex_);
    now_ = {session_.workspace.snapshot(), session_.client};
    change_ += session_.othersAffected;
  }

  for (const auto& [path, uri] : session_.closed) {
    std::lock_guard lock(mutex_);
    if (auto it = documents_.find(path); it != documents_.end()) {
      it->second->isClosed = true;
      it->second->cancellation.cancel();
      documents_.erase(it);
    }
  }
  for (const auto& [path, uri] : session_.closed)
    if (!session_.client->pullsDiagnostics)
      sendMessage(makeNotification("textDocument/publishDiagnostics",
                                   encode(PublishDiagnosticsParams{uri, {}, {}})));
  // Returns the memory of a large document to the system.
  if (!session_.closed.empty())
    scheduler_.post(Priority::Background, [](unsigned) { malloc_trim(0); });
  session_.closed.clear();

  std::sort(session_.changed.begin(), session_.changed.end());
  session_.changed.erase(std::unique(session_.changed.begin(), session_.changed.end()),
                         session_.changed.end());
  for (const std::string& path : session_.changed) {
    cancelPending([&](const Pending& p) { return p.path == path && p.onEdit == OnEdit::Drop; },
                  ErrorCode::ContentModified);
    giveUpKept(path);
    scheduleDiagnostics(path);
  }
  if (session_.othersAffected) scheduleOthers();
  session_.othersAffected = false;
  for (const std::string& path : session_.refreshed)
    if (session_.workspace.document(path) || driver::isProjectFile(path)) scheduleDiagnostics(path);
  session_.refreshed.clear();
  session_.changed.clear();
}

Server::Now Server::now() {
  std::lock_guard lock(mutex_);
  return now_;
}

void Server::scheduleDiagnostics(const std::string& path) {
  if (!router_.diagnose()) return;
  std::shared_ptr<Document> document;
  uint64_t round;
  CancellationToken token;
  Duration delay;
  bool isOpen = session_.workspace.document(path) != nullptr;
  {
    std::lock_guard lock(mutex_);
    std::shared_ptr<Document>& entry = documents_[path];
    if (!entry) entry = std::make_shared<Document>();
    document = entry;
    document->isOpen = isOpen;
    document->isOther = false;
    document->change = change_;
    document->cancellation.cancel();
    document->cancellation = CancellationSource();
    token = document->cancellation.token();
    round = ++document->round;
    delay = round == 1 ? Duration::zero() : debounce(document->cost);
  }
  scheduler_.post(
      Priority::Diagnostics, clock_.now() + delay,
      [=, this](unsigned worker) {
        if (!token.isCancelled()) diagnose(path, document, round, worker, token, true);
      },
      path);
}

// The open documents that did not change themselves are checked one after the other, as many at
// once as there are threads, so that a request or an edit waits for at most one of them.
void Server::scheduleOthers() {
  if (!router_.diagnose()) return;
  unsigned toPost;
  TimePoint due;
  {
    std::lock_guard lock(mutex_);
    unsigned stale = 0;
    Duration delay{};
    for (auto& entry : documents_) {
      Document& document = *entry.second;
      if (!document.isOpen || document.change == change_) continue;
      ++stale;
      delay = std::max(delay, debounce(document.cost));
      if (document.isOther) document.cancellation.cancel(); // its pending result is outdated
    }
    due = othersNotBefore_ = clock_.now() + delay;
    unsigned wanted = std::min(stale, threads_);
    toPost = wanted - std::min(wanted, othersPosted_);
    othersPosted_ += toPost;
  }
  while (toPost-- > 0)
    scheduler_.post(Priority::Background, due, [this](unsigned worker) { lookAtOthers(worker); });
}

void Server::lookAtOthers(unsigned worker) {
  std::string path;
  std::shared_ptr<Document> document;
  uint64_t round = 0;
  CancellationToken token;
  TimePoint due;
  {
    std::lock_guard lock(mutex_);
    due = othersNotBefore_;
    auto isStale = [&](const auto& entry) {
      return entry.second->isOpen && entry.second->change != change_;
    };
    auto it = llvm::find_if(documents_, isStale);
    if (it == documents_.end()) {
      --othersPosted_;
      return;
    }
    if (due <= clock_.now()) {
      path = it->getKey().str();
      document = it->second;
      document->change = change_;
      document->isOther = true;
      document->cancellation.cancel();
      document->cancellation = CancellationSource();
      token = document->cancellation.token();
      round = ++document->round;
    }
  }
  if (document) diagnose(path, document, round, worker, token, true);
  scheduler_.post(Priority::Background, due, [this](unsigned other) { lookAtOthers(other); });
}

void Server::diagnose(const std::string& path, const std::shared_ptr<Document>& document,
                      uint64_t round, unsigned worker, CancellationToken token, bool isQuick) {
  auto [snapshot, client] = now();
  auto file = snapshot->file(path);
  Working working(board_, worker + 1, path, board_ && file ? file->hash() : 0,
                  limitOf(*snapshot, path));
  if (client->pullsDiagnostics) return completePulled(path, {snapshot, client}, token, worker);
  TimePoint start = clock_.now();
  auto made = router_.diagnose()(path, {*snapshot, *client, token, *workers_[worker]}, isQuick);
  if (!made || token.isCancelled()) return;
  std::string message = makeNotification("textDocument/publishDiagnostics", encode(made->params));
  {
    std::lock_guard sending(sendMutex_);
    bool isNews;
    {
      std::lock_guard lock(mutex_);
      uint64_t step = round * 2 + !isQuick; // a full check follows the quick one of its round
      // Opening a document says nothing about the time of edits, nor does one delayed edit.
      if (isQuick && round > 1) {
        Duration now = clock_.now() - start;
        document->cost = std::min(now, std::exchange(document->last, now));
      }
      if (document->isClosed || document->published >= step || token.isCancelled()) return;
      document->published = step;
      uint64_t hash = llvm::xxh3_64bits(message);
      isNews = std::exchange(document->hash, hash) != hash; // else the same about the same version
    }
    if (isNews) send_(std::move(message));
  }
  if (made->isComplete) return;
  scheduler_.post(
      Priority::Background, clock_.now() + pauseInTyping,
      [=, this](unsigned other) {
        if (!token.isCancelled()) diagnose(path, document, round, other, token, false);
      },
      path);
}

uint32_t Server::limitOf(const driver::Snapshot& snapshot, const std::string& path) const {
  constexpr uint64_t most = 86'400;
  uint64_t allowed = snapshot.settingsOf(path)->analysisSeconds;
  return static_cast<uint32_t>(std::max<uint64_t>(10, std::min(allowed, most) * 3));
}

// Has a client that supports it request its views of one kind again.
void Server::askToRefresh(const char* method, const ClientInfo& client) {
  if (llvm::is_contained(client.refreshable, method))
    sendMessage(makeRequest(requestPrefix_ + std::to_string(nextRequest_++), method, nullptr));
}

// A pulling client got the quick check. If that was incomplete, the rest is computed when the user
// pauses, and the client is asked to request again.
void Server::completePulled(const std::string& path, const Now& now, CancellationToken token,
                            unsigned worker) {
  constexpr const char* refresh = "workspace/diagnostic/refresh";
  if (!llvm::is_contained(now.client->refreshable, refresh)) return;
  auto quick =
      router_.diagnose()(path, {*now.snapshot, *now.client, token, *workers_[worker]}, true);
  if (!quick || quick->isComplete) return;
  scheduler_.post(
      Priority::Background, clock_.now() + pauseInTyping,
      [this, path, token](unsigned other) {
        if (token.isCancelled()) return;
        auto [snapshot, client] = this->now();
        auto full = router_.diagnose()(path, {*snapshot, *client, token, *workers_[other]}, false);
        if (full && !token.isCancelled()) askToRefresh(refresh, *client);
      },
      path);
}

} // namespace gluond::lsp
