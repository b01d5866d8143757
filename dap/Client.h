// Writes replies and events to the client, with their numbers.
#pragma once

#include "dap/Json.h"

#include <functional>

namespace gluond::dap {

class Client {
public:
  explicit Client(std::function<void(const Json&)> write) : write_(std::move(write)) {}
  void reply(const Json& request, Json body = Json::object()) {
    Json message = head("response", request);
    message["success"] = true;
    message["body"] = std::move(body);
    write_(message);
  }
  // A client shows the user why his own request failed. It need not show that it was late.
  void fail(const Json& request, const std::string& why) {
    Json message = head("response", request);
    message["success"] = false;
    message["message"] = why;
    bool isOfUser = text(request, "command") == "launch" || text(request, "command") == "restart";
    message["body"] = {
        {"error",
         {{"id", 1}, {"format", "{why}"}, {"variables", {{"why", why}}}, {"showUser", isOfUser}}}};
    write_(message);
  }
  void event(const char* name, Json body = Json::object()) {
    write_({{"seq", ++sequence_}, {"type", "event"}, {"event", name}, {"body", std::move(body)}});
  }
  void print(const std::string& text, const char* category = "console") {
    event("output", {{"category", category}, {"output", text}});
  }

private:
  Json head(const char* type, const Json& request) {
    return {{"seq", ++sequence_},
            {"type", type},
            {"request_seq", number(request, "seq").value_or(0)},
            {"command", text(request, "command")}};
  }
  std::function<void(const Json&)> write_;
  int64_t sequence_ = 0;
};

} // namespace gluond::dap
