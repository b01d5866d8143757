// A server without threads whose client is the test.
#pragma once

#include "lsp/handlers/Handlers.h"
#include "lsp/server/Server.h"

#include <deque>
#include <gtest/gtest.h>

namespace gluond::lsp {

class TestServer {
public:
  explicit TestServer(Router router = makeRouter(), driver::Settings settings = {})
      : router_(std::move(router)),
        server_(router_, {0, &clock, std::move(settings)},
                [this](std::string message) { sent_.push_back(std::move(message)); }) {}

  ManualClock clock;
  Server& server() { return server_; }

  void initialize(std::string_view params = R"({"capabilities":{}})") {
    request("initialize", params);
    notify("initialized", "{}");
  }
  // Sends without running any work; the reply comes by settle() or reply().
  int send(std::string_view method, std::string_view params) {
    int id = nextId_++;
    server_.receive("{\"jsonrpc\":\"2.0\",\"id\":" + std::to_string(id) + ",\"method\":\"" +
                    std::string(method) + "\",\"params\":" + std::string(params) + "}");
    return id;
  }
  void notify(std::string_view method, std::string_view params) {
    server_.receive("{\"jsonrpc\":\"2.0\",\"method\":\"" + std::string(method) +
                    "\",\"params\":" + std::string(params) + "}");
  }
  // The reply to a request sent before: its `result`, or {"error": ...}. Exactly one must be there.
  Json reply(int id) {
    server_.settle();
    Json found;
    int count = 0;
    for (auto it = sent_.begin(); it != sent_.end();) {
      Json message = *parseJson(*it);
      if (message.contains("id") && !message.contains("method") && message["id"] == id) {
        found = message.contains("error") ? Json{{"error", message["error"]}} : message["result"];
        ++count;
        it = sent_.erase(it);
      } else {
        ++it;
      }
    }
    EXPECT_EQ(count, 1) << "replies to request " << id;
    return found;
  }
  Json request(std::string_view method, std::string_view params) {
    return reply(send(method, params));
  }
  // The next notification (or request) of ours with that method; null when there is none.
  Json next(std::string_view method) {
    server_.settle();
    for (auto it = sent_.begin(); it != sent_.end(); ++it) {
      Json message = *parseJson(*it);
      if (message.contains("method") && message["method"] == method) {
        sent_.erase(it);
        return message["params"];
      }
    }
    return nullptr;
  }
  std::deque<std::string>& sent() { return sent_; }

  void open(std::string_view uri, std::string_view text, int version = 1) {
    Json params = {
        {"textDocument",
         {{"uri", uri}, {"languageId", "python"}, {"version", version}, {"text", text}}}};
    notify("textDocument/didOpen", dumpJson(params));
  }
  // Replaces the whole text.
  void change(std::string_view uri, std::string_view text, int version) {
    Json params = {{"textDocument", {{"uri", uri}, {"version", version}}},
                   {"contentChanges", Json::array({Json{{"text", text}}})}};
    notify("textDocument/didChange", dumpJson(params));
  }

private:
  Router router_;
  std::deque<std::string> sent_;
  int nextId_ = 1;
  Server server_;
};

inline int errorCode(const Json& reply) {
  return reply.is_object() && reply.contains("error") ? reply["error"]["code"].get<int>() : 0;
}

} // namespace gluond::lsp
