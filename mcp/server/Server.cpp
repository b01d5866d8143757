#include "mcp/server/Server.h"

#include "lsp/protocol/Codec.h"
#include "lsp/server/Quarantine.h"
#include "mcp/protocol/Bounded.h"

#include <llvm/ADT/STLExtras.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace gluond::mcp {

namespace {

// The revision without sessions, and those that begin with `initialize`, the newest first.
constexpr const char* modernRevision = "2026-07-28";
constexpr const char* revisions[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
// The keys by which a request of the modern revision describes itself.
constexpr const char* revisionKey = "io.modelcontextprotocol/protocolVersion";
constexpr const char* capabilitiesKey = "io.modelcontextprotocol/clientCapabilities";

constexpr int invalidRequest = -32600, methodNotFound = -32601, invalidParams = -32602,
              unsupportedRevision = -32022;

constexpr const char* instructions =
    "Tools for GPU kernels in Gluon (triton.experimental.gluon). Files are those of one folder. "
    "After each edit call check, and mend what it finds (apply_fix, explain). Then simulate with "
    "small shapes and a reference to see that results are right. For speed look at accesses, "
    "budget and ir, change one thing, and let compare decide whether it helped. The resource "
    "gluond://skill describes the loop.";

const Json& member(const Json& json, const char* name) {
  static const Json none;
  if (!json.is_object()) return none;
  auto it = json.find(name);
  return it == json.end() ? none : *it;
}

bool isModernRequest(const Json& params) {
  return !member(member(params, "_meta"), revisionKey).is_null();
}

Json serverInfo() {
  return {{"name", "gluond"}, {"title", "gluond, for Gluon kernels"}, {"version", GLUOND_VERSION}};
}
Json capabilities() {
  return {{"tools", {{"listChanged", false}}},
          {"resources", {{"subscribe", false}, {"listChanged", false}}}};
}
Json supported() {
  Json all = Json::array({modernRevision});
  for (const char* each : revisions)
    all.push_back(each);
  return all;
}
Json textBlock(std::string text) {
  return Json::array({{{"type", "text"}, {"text", std::move(text)}}});
}

} // namespace

Server::Server(Toolbox& toolbox, Resources resources, unsigned threads, CurrentWork* board,
               Send send)
    : toolbox_(toolbox), board_(board), resources_(std::move(resources)), send_(std::move(send)),
      scheduler_(clock_) {
  for (unsigned i = 0; i < lsp::Scheduler::workers(threads); ++i)
    workers_.push_back(std::make_unique<driver::Worker>());
  scheduler_.start(threads);
}

Server::~Server() {
  stop();
}

void Server::stop() {
  {
    std::lock_guard lock(mutex_);
    for (auto& [id, source] : calls_)
      source.cancel();
  }
  scheduler_.stop();
}

void Server::send(const std::string& message) {
  std::lock_guard lock(sendMutex_);
  send_(message);
}

void Server::answer(const Json& id, Json result, bool isModern) {
  if (isModern) result["resultType"] = "complete";
  send(lsp::makeResult(id, result));
}

void Server::refuse(const Json& id, int code, std::string why, Json data) {
  Json error = {{"code", code}, {"message", bounded(std::move(why))}};
  if (!data.is_null()) error["data"] = std::move(data);
  send(lsp::dumpJson({{"jsonrpc", "2.0"}, {"id", id}, {"error", std::move(error)}}));
}

void Server::receive(std::string_view message) {
  lsp::Message parsed = lsp::parseMessage(message);
  if (auto* request = std::get_if<lsp::Request>(&parsed)) {
    onRequest(std::move(*request));
  } else if (auto* invalid = std::get_if<lsp::Invalid>(&parsed)) {
    refuse(invalid->id, static_cast<int>(invalid->error.code), invalid->error.message);
  } else if (auto* notification = std::get_if<lsp::Notification>(&parsed)) {
    onNotification(*notification);
  }
}

void Server::onNotification(const lsp::Notification& notification) {
  if (lsp::takeQuarantine(notification, toolbox_.workspace())) return;
  if (notification.method != "notifications/cancelled") return;
  std::lock_guard lock(mutex_);
  auto it = calls_.find(lsp::idKey(member(notification.params, "requestId")));
  if (it != calls_.end()) it->second.cancel();
}

Json Server::initialize(const Json& params) const {
  const Json& wanted = member(params, "protocolVersion");
  const char* revision = revisions[0];
  for (const char* each : revisions)
    if (wanted == each) revision = each;
  return {{"protocolVersion", revision},
          {"capabilities", capabilities()},
          {"serverInfo", serverInfo()},
          {"instructions", instructions}};
}

void Server::onRequest(lsp::Request request) {
  const Json& params = request.params;
  const std::string& method = request.method;
  bool isModern = method != "initialize" && isModernRequest(params);
  if (!params.is_object()) return refuse(request.id, invalidParams, "params must be an object");
  if (isModern) {
    const Json& meta = member(params, "_meta");
    const Json& revision = member(meta, revisionKey);
    if (revision != modernRevision)
      return refuse(request.id, unsupportedRevision, "this revision of the protocol is not served",
                    {{"supported", supported()}, {"requested", revision}});
    if (!member(meta, capabilitiesKey).is_object())
      return refuse(request.id, invalidParams,
                    std::string("_meta: ") + capabilitiesKey + " is missing");
  }
  // Clients may keep results that do not change while the server runs.
  auto answerFixed = [&](Json result) {
    if (isModern) {
      result["ttlMs"] = 3'600'000;
      result["cacheScope"] = "public";
    }
    answer(request.id, std::move(result), isModern);
  };
  if (method == "tools/call") return callTool(request, isModern);
  if (method == "initialize") return answer(request.id, initialize(params), false);
  if (method == "ping") return answer(request.id, Json::object(), isModern);
  if (method == "server/discover")
    return answerFixed({{"supportedVersions", supported()},
                        {"capabilities", capabilities()},
                        {"serverInfo", serverInfo()},
                        {"instructions", instructions}});
  if (method == "tools/list") {
    Json all = Json::array();
    for (const Tool& tool : tools())
      all.push_back(describe(tool));
    return answerFixed({{"tools", std::move(all)}});
  }
  if (method == "resources/list") return answerFixed(resources_.list());
  if (method == "resources/templates/list") return answerFixed(Resources::templates());
  if (method == "resources/read") {
    const Json& uri = member(params, "uri");
    if (!uri.is_string()) return refuse(request.id, invalidParams, "uri: expected a string");
    auto read = resources_.read(uri.get<std::string>());
    if (!read)
      return refuse(request.id, invalidParams, read.error(),
                    {{"uri", bounded(uri.get<std::string>())}});
    return answerFixed(std::move(*read));
  }
  refuse(request.id, methodNotFound, "'" + method + "' is not served");
}

Progress Server::progressOf(const Json& params, const CancellationToken& token) {
  Json key = member(member(params, "_meta"), "progressToken");
  if (!key.is_string() && !key.is_number_integer()) return {};
  // The protocol wants numbers that grow.
  return [this, key, token, last = -1.0](double done, double total,
                                         const std::string& message) mutable {
    if (token.isCancelled() || done <= last) return;
    last = done;
    Json value = {{"progressToken", key}, {"progress", done}};
    if (total > 0) value["total"] = total;
    if (!message.empty()) value["message"] = bounded(message, 500);
    send(lsp::makeNotification("notifications/progress", value));
  };
}

void Server::callTool(const lsp::Request& request, bool isModern) {
  const Json& name = member(request.params, "name");
  if (!name.is_string()) return refuse(request.id, invalidParams, "name: expected a string");
  const Tool* tool = findTool(name.get_ref<const std::string&>());
  if (!tool)
    return refuse(request.id, invalidParams, "there is no tool '" + name.get<std::string>() + "'");
  Json arguments = member(request.params, "arguments");
  if (arguments.is_null()) arguments = Json::object();
  std::string key = lsp::idKey(request.id);
  CancellationToken token;
  {
    std::lock_guard lock(mutex_);
    auto [it, isNew] = calls_.try_emplace(key);
    if (!isNew)
      return refuse(request.id, invalidRequest, "a request with this id is still being answered");
    token = it->second.token();
  }
  scheduler_.post(
      lsp::Priority::Interactive,
      [this, key, token, isModern, id = request.id, progress = progressOf(request.params, token),
       call = toolbox_.prepare(*tool, std::move(arguments))](unsigned worker) {
        Answer<Json> made = token.isCancelled()
                                ? Answer<Json>(tl::unexpected(std::string()))
                                : call(*workers_[worker], {board_, worker}, token, progress);
        {
          std::lock_guard lock(mutex_);
          calls_.erase(key);
        }
        if (token.isCancelled()) return; // a cancelled request gets no answer
        Json result;
        if (made) {
          // Clients that know no structured results read the text.
          result["content"] = textBlock(lsp::dumpJson(*made));
          result["structuredContent"] = std::move(*made);
        } else {
          result["content"] = textBlock(std::move(made.error()));
        }
        result["isError"] = !made.has_value();
        answer(id, std::move(result), isModern);
      });
}

} // namespace gluond::mcp
